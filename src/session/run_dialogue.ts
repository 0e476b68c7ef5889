/**
 * What passes between a run and its client while it goes on: how far it is, on each downstream call and
 * regularly in between, and the questions of servers, during which its clock stands still.
 */
import type { RunRequest } from "./run_request.ts";
import type { Asker } from "../questions/asker.ts";
import { type Asked, describeAsked } from "../questions/question.ts";
import type { PausableClock } from "../shared/pausable_clock.ts";
import { printable } from "../shared/printable.ts";

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

/** Watches the questions of one run. */
export class RunQuestions {
  readonly #clock: PausableClock;
  readonly #onAsk: (message: string) => void;
  readonly #open = new Set<{ message: string }>();

  constructor(clock: PausableClock, onAsk: (message: string) => void) {
    this.#clock = clock;
    this.#onAsk = onAsk;
  }

  /** What is asked now, in words. */
  get open(): string | undefined {
    return [...this.#open].at(-1)?.message;
  }

  /** The same client, asked under these conditions. */
  through(client: Asker): Asker {
    return { abilities: client.abilities, ask: (asked) => this.#ask(client, asked) };
  }

  async #ask(client: Asker, asked: Asked): ReturnType<Asker["ask"]> {
    const open = { message: describeAsked(asked) };
    this.#open.add(open);
    this.#onAsk(open.message);
    const goOn = this.#clock.pause();
    try {
      return await client.ask(asked);
    } finally {
      goOn();
      this.#open.delete(open);
    }
  }
}
