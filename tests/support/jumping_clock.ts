/** The clock of this process, set as a person would set it; `performance.now()` goes on by itself. */
export class JumpingClock implements Disposable {
  readonly #real = { now: Date.now, monotonic: performance.now };
  #offsetMs = 0;
  #passedMs = 0;

  constructor() {
    Date.now = () => this.#real.now() + this.#offsetMs;
    performance.now = () => this.#real.monotonic.call(performance) + this.#passedMs;
  }

  /** Sets the clock, without any time passing. */
  jump(ms: number): void {
    this.#offsetMs += ms;
  }

  /** Has time pass, for both clocks. */
  pass(ms: number): void {
    this.#offsetMs += ms;
    this.#passedMs += ms;
  }

  [Symbol.dispose](): void {
    Date.now = this.#real.now;
    performance.now = this.#real.monotonic;
  }
}
