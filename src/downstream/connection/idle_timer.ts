/** Tells when something has not been used for a while, at the cost of one timer for many short uses. */
import { MAX_TIMER_MS } from "../../shared/deadline.ts";

/** Calls `action` when the last `touch` is `ms` ago; the process does not stay alive for it. */
export class IdleTimer {
  readonly #ms: number;
  readonly #action: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #touchedAt = 0;

  constructor(ms: number, action: () => void) {
    this.#ms = ms;
    this.#action = action;
  }

  /** It was used until now. */
  touch(): void {
    this.#touchedAt = performance.now();
    if (this.#timer === undefined) this.#arm(this.#ms);
  }

  /** Ends it; `touch` starts it again. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const left = this.#touchedAt + this.#ms - performance.now();
      if (left > 0) this.#arm(left);
      else this.#action();
    }, Math.min(ms, MAX_TIMER_MS));
    Deno.unrefTimer(this.#timer);
  }
}
