/** What one run of `run_python` came to. Plain data; `server/answer/tool_result.ts` turns it into words. */

/** How a run ended. */
export type RunStatus = "success" | "error" | "timeout" | "validation_error" | "cancelled";

/** A file of a run that the client can read as a resource. */
export interface Artifact {
  name: string;
  uri: string;
  mimeType: string;
  size: number;
}

/** An image that the answer itself carries. */
export interface ShownImage {
  /** The artifact it is. */
  uri: string;
  mimeType: string;
  /** Base64. */
  data: string;
}

/** Outcome of one run. */
export interface RunResult {
  status: RunStatus;
  /** Exit code of the program; absent when it did not come to one (exception, timeout, crash). */
  exitCode?: number;
  /** Servers this run was given. */
  servers: readonly string[];
  /** Output as the model gets it: whole, or head and tail with a line on what was cut. */
  stdout: string;
  stderr: string;
  /** What went wrong, without `Sandbox error:` before it. */
  error?: string;
  /** The limit that was hit, when `status` is `timeout`. */
  timeoutSeconds?: number;
  /** Lines beyond the streams: what was cut, hints, and last the line on variables. */
  notes: readonly string[];
  artifacts: readonly Artifact[];
  /** Those of the artifacts that are shown, as far as they can be. */
  images?: readonly ShownImage[];
  /** Handle of the session, when the client asked for one. */
  session?: string;
  /** Engine that ran it. */
  engine?: string;
  /** Limits of the policy that this engine cannot hold here. */
  unenforced?: readonly string[];
}

/** The line on variables when the interpreter lives on. */
export const VARIABLES_KEPT = "Variables of this session are kept";

/** The line on variables when the interpreter is gone. */
export const VARIABLES_GONE = "Variables of this session are gone";

/** A result that never reached a sandbox. */
export function failedRun(
  status: "error" | "validation_error",
  error: string,
  servers: readonly string[] = [],
  notes: readonly string[] = [],
): RunResult {
  return { status, error, servers, stdout: "", stderr: "", notes, artifacts: [] };
}
