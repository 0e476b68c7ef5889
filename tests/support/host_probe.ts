/**
 * Watches this process while something runs in it: how long its event loop stood still, how much memory it
 * had. What the machine gave to others in the meantime is not counted where the system tells it (Linux).
 */
import { assertLessOrEqual } from "@std/assert";

const SAMPLE_MS = 5;
const MIB = 1024 * 1024;

/** What a {@link HostProbe} saw. */
export interface HostFigures {
  /** Longest time in which the event loop had no turn. */
  maxDelayMs: number;
  /** Most resident memory, and what it was at the start. */
  maxRssBytes: number;
  startRssBytes: number;
}

/** Bounds for {@link HostProbe.assertWithin}. */
export interface HostBounds {
  /** @default 250 */
  delayMs?: number;
  /** How much memory may rise; a process that runs tests begins with some hundred. @default 500 */
  riseMiB?: number;
}

/** Samples from its making until it is stopped. */
export class HostProbe implements Disposable {
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #figures: HostFigures;
  #sampledAt = performance.now();
  #waited = waitedMs();

  constructor() {
    const rss = Deno.memoryUsage().rss;
    this.#figures = { maxDelayMs: 0, maxRssBytes: rss, startRssBytes: rss };
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  /** What was seen so far, this moment included. */
  get figures(): HostFigures {
    this.#sample();
    return { ...this.#figures };
  }

  /** Ends it, prints what it saw, and holds that to its bounds. */
  assertWithin(what: string, { delayMs = 250, riseMiB = 500 }: HostBounds = {}): HostFigures {
    const { figures } = this;
    this[Symbol.dispose]();
    const { maxDelayMs, maxRssBytes, startRssBytes } = figures;
    const [delay, rss, start] = [maxDelayMs, maxRssBytes / MIB, startRssBytes / MIB].map(
      Math.round,
    );
    // deno-lint-ignore no-console
    console.log(
      `${what}: the event loop stood still for at most ${delay} ms (bound ${delayMs}), ` +
        `memory rose from ${start} to ${rss} MiB (bound: by ${riseMiB})`,
    );
    assertLessOrEqual(maxDelayMs, delayMs, `${what}: the event loop stood still for ${delay} ms`);
    const riseBytes = maxRssBytes - startRssBytes;
    assertLessOrEqual(riseBytes, riseMiB * MIB, `${what}: memory rose from ${start} to ${rss} MiB`);
    return figures;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const [now, waited] = [performance.now(), waitedMs()];
    const delayMs = now - this.#sampledAt - SAMPLE_MS - (waited - this.#waited);
    this.#sampledAt = now;
    this.#waited = waited;
    const figures = this.#figures;
    figures.maxDelayMs = Math.max(figures.maxDelayMs, delayMs);
    figures.maxRssBytes = Math.max(figures.maxRssBytes, Deno.memoryUsage().rss);
  }
}

/** How long a process' main thread has waited for a processor in all: the second number is in nanoseconds. */
export function waitedMs(process: number | "thread-self" = "thread-self"): number {
  try {
    return Number(Deno.readTextFileSync(`/proc/${process}/schedstat`).split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
