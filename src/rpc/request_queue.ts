/**
 * Requests of one run, at most so many at once, the rest in a line of bounded length. What the sandbox
 * sends beyond that is not waited for: the caller stops it.
 */
import { Stretch } from "../shared/stretch.ts";
import type { Channel } from "../wire/channel.ts";

/** Bounds of a {@link RequestQueue}. */
export interface QueueLimits {
  /** Requests under way at once. @default 64 */
  concurrency?: number;
  /** Requests that wait. @default 100000 */
  maxWaiting?: number;
  /** Bytes of the requests under way at once, if there are several; each is copied on its way. @default 67108864 */
  maxRunningBytes?: number;
}

interface Request {
  bytes: number;
  run: () => Promise<void>;
}

/** Runs requests in the order they came. */
export class RequestQueue {
  readonly #budget: Channel["budget"];
  readonly #unread: Channel["unread"];
  readonly #limits: Required<QueueLimits>;
  readonly #stretch = new Stretch();
  #waiting: Request[] = [];
  /** Index of the next one in `#waiting`, so that taking one does not move all others. */
  #next = 0;
  #running = 0;
  #runningBytes = 0;
  #isHeldUp = false;

  /**
   * Each request has its place in `budget` until it is answered or forgotten. While too much is `unread`, none
   * is begun.
   */
  constructor({ budget, unread }: Pick<Channel, "budget" | "unread">, limits: QueueLimits = {}) {
    this.#budget = budget;
    this.#unread = unread;
    this.#limits = {
      concurrency: 64,
      maxWaiting: 100_000,
      maxRunningBytes: 64 * 1024 * 1024,
      ...limits,
    };
  }

  /**
   * Takes a request that holds so many bytes; `run` must not reject. Gives the reason when it is one too
   * many.
   */
  push(bytes: number, run: () => Promise<void>): string | undefined {
    const { maxWaiting } = this.#limits;
    if (this.#waiting.length - this.#next >= maxWaiting) {
      return `more than ${maxWaiting.toLocaleString("en-US")} requests were waiting`;
    }
    if (!this.#budget.take(bytes)) {
      const { maxBytes } = this.#budget;
      return `requests and unread replies of more than ${
        maxBytes / (1024 * 1024)
      } MiB were waiting`;
    }
    const request = { bytes, run };
    const isNext = this.#next === this.#waiting.length;
    if (isNext && this.#unread.isLow && this.#canRun(request)) void this.#run(request);
    else this.#waiting.push(request);
    if (!this.#unread.isLow) this.#holdUp();
    return undefined;
  }

  /** Forgets what waits. */
  clear(): void {
    for (let at = this.#next; at < this.#waiting.length; at++) {
      this.#budget.give(this.#waiting[at]!.bytes);
    }
    this.#waiting = [];
    this.#next = 0;
  }

  #canRun({ bytes }: Request): boolean {
    const { concurrency, maxRunningBytes } = this.#limits;
    if (this.#running === 0) return true;
    return this.#running < concurrency && this.#runningBytes + bytes <= maxRunningBytes;
  }

  async #run({ bytes, run }: Request): Promise<void> {
    this.#running++;
    this.#runningBytes += bytes;
    await run();
    this.#running--;
    this.#runningBytes -= bytes;
    this.#budget.give(bytes);
    if (this.#stretch.isOver) await this.#stretch.giveWay();
    this.#startNext();
  }

  /** Goes on when enough was read. */
  #holdUp(): void {
    if (this.#isHeldUp) return;
    this.#isHeldUp = true;
    void this.#unread.whenLow().then(() => {
      this.#isHeldUp = false;
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#next < this.#waiting.length) {
      if (!this.#unread.isLow) return this.#holdUp();
      const request = this.#waiting[this.#next];
      if (request === undefined || !this.#canRun(request)) break;
      this.#next++;
      void this.#run(request);
    }
    if (this.#next === this.#waiting.length) this.clear();
  }
}
