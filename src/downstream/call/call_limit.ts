/** Ends a call when whoever made it gives up, or when its time is over; its time can stand still. */
import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { PausableClock } from "../../shared/pausable_clock.ts";

/** The limit of one call. */
export class CallLimit implements Disposable {
  readonly #over = new AbortController();
  readonly #outer: AbortSignal;
  readonly #onAbort: () => void;
  readonly #clear: () => void;

  constructor(outer: AbortSignal, clock: PausableClock, ms: number) {
    this.#outer = outer;
    this.#onAbort = () => this.#over.abort(outer.reason);
    if (outer.aborted) this.#onAbort();
    else outer.addEventListener("abort", this.#onAbort, { once: true });
    // The same error as of the SDK's own timer.
    const late = () => this.#over.abort(new SdkError(SdkErrorCode.RequestTimeout, "Timed out"));
    this.#clear = clock.after(ms, late);
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  [Symbol.dispose](): void {
    this.#clear();
    this.#outer.removeEventListener("abort", this.#onAbort);
  }
}
