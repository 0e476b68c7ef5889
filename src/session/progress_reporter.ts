/** Tells the client how far a run is: on each downstream call, and regularly in between. */
import { printable } from "../shared/printable.ts";
import type { RunRequest } from "./run_request.ts";

/** Time between two regular reports. */
const INTERVAL_MS = 2000;

/** Least time between two reports of calls: a loop over a tool must not flood the client. */
const MIN_INTERVAL_MS = 200;

/** Reports on one run until it is stopped. */
export class ProgressReporter {
  readonly #request: Pick<RunRequest, "onProgress">;
  readonly #lastLine: () => string;
  readonly #startedAt = performance.now();
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #reportedAt = -Infinity;

  /** `lastLine` is what the run printed last. */
  constructor(request: Pick<RunRequest, "onProgress">, lastLine: () => string) {
    this.#request = request;
    this.#lastLine = lastLine;
    if (request.onProgress === undefined) return;
    this.#timer = setInterval(() => this.#send(this.#lastLine() || "Running"), INTERVAL_MS);
  }

  /** Reports what the run does now, unless it has just reported. */
  report(message: string): void {
    if (performance.now() - this.#reportedAt >= MIN_INTERVAL_MS) this.#send(message);
  }

  /** Reports what must not be missed. */
  announce(message: string): void {
    this.#send(message);
  }

  /** Reports nothing more. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #send(message: string): void {
    this.#reportedAt = performance.now();
    const elapsedSeconds = (this.#reportedAt - this.#startedAt) / 1000;
    this.#request.onProgress?.({ elapsedSeconds, message: printable(message) });
  }
}
