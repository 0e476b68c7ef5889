/** What a client asks a session to do. */
import type { Asker } from "../questions/asker.ts";
import type { RunResult } from "./run_result.ts";

/** How far a run is. */
export interface RunProgress {
  elapsedSeconds: number;
  /** The current tool call, or the last line printed. */
  message: string;
}

/** One checked `run_python` call. */
export interface RunRequest {
  code: string;
  /** Servers this run may use, without duplicates, in the order given. */
  servers: readonly string[];
  timeoutSeconds: number;
  /** Interrupts the run when aborted. */
  signal?: AbortSignal;
  /** Told at least every five seconds and on each downstream call. */
  onProgress?: (progress: RunProgress) => void;
  /** The client, for questions of downstream servers. */
  asker?: Asker;
}

/** Runs code in one sandbox, one run at a time; further ones queue. Never rejects. */
export interface Runner {
  run(request: RunRequest): Promise<RunResult>;
}
