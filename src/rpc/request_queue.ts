/**
 * Requests of one run, at most so many at once, the rest in a line of bounded length. What the sandbox
 * sends beyond that is not waited for: the caller stops it.
 */

/** Bounds of a {@link RequestQueue}. */
export interface QueueLimits {
  /** Requests under way at once. @default 64 */
  concurrency?: number;
  /** Requests that wait. @default 100000 */
  maxWaiting?: number;
  /** Characters of the requests that wait. @default 268435456 */
  maxWaitingChars?: number;
}

/**
 * Requests that are answered from memory never wait for anything. After so long a stretch of them timers and
 * other sessions have their turn.
 */
const MAX_STRETCH_MS = 10;

interface Waiting {
  chars: number;
  run: () => Promise<void>;
}

/** Runs requests in the order they came. */
export class RequestQueue {
  readonly #limits: Required<QueueLimits>;
  #waiting: Waiting[] = [];
  /** Index of the next one in `#waiting`, so that taking one does not move all others. */
  #next = 0;
  #waitingChars = 0;
  #running = 0;
  #stretchBeganMs = 0;
  #turn: Promise<void> | undefined;

  constructor(limits: QueueLimits = {}) {
    this.#limits = {
      concurrency: 64,
      maxWaiting: 100_000,
      maxWaitingChars: 256 * 1024 * 1024,
      ...limits,
    };
  }

  /**
   * Takes a request of `chars` characters; `run` must not reject. Gives the reason when it is one too
   * many.
   */
  push(chars: number, run: () => Promise<void>): string | undefined {
    if (this.#running < this.#limits.concurrency) {
      void this.#run(run);
      return undefined;
    }
    const { maxWaiting, maxWaitingChars } = this.#limits;
    if (this.#waiting.length - this.#next >= maxWaiting) {
      return `more than ${maxWaiting.toLocaleString("en-US")} requests were waiting`;
    }
    if (this.#waitingChars + chars > maxWaitingChars) {
      return `requests of more than ${maxWaitingChars / (1024 * 1024)} MiB were waiting`;
    }
    this.#waiting.push({ chars, run });
    this.#waitingChars += chars;
    return undefined;
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting = [];
    this.#next = 0;
    this.#waitingChars = 0;
  }

  async #run(first: () => Promise<void>): Promise<void> {
    this.#running++;
    for (let run: (() => Promise<void>) | undefined = first; run; run = this.#take()) {
      await run();
      if (performance.now() - this.#stretchBeganMs > MAX_STRETCH_MS) await this.#giveWay();
    }
    this.#running--;
  }

  /** Waits for the event loop's next turn, together with the others. */
  #giveWay(): Promise<void> {
    this.#turn ??= new Promise((resolve) =>
      setImmediate(() => {
        this.#turn = undefined;
        this.#stretchBeganMs = performance.now();
        resolve();
      })
    );
    return this.#turn;
  }

  #take(): (() => Promise<void>) | undefined {
    const waiting = this.#waiting[this.#next];
    if (waiting === undefined) {
      this.clear();
      return undefined;
    }
    this.#next++;
    this.#waitingChars -= waiting.chars;
    return waiting.run;
  }
}
