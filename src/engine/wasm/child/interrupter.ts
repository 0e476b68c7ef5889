/** Stops Python from another thread, by the cell that its signal handling looks at. */
import { INTERRUPT_CELL, TARGET_CELL } from "./protocol.ts";

const SIGINT = 2;

/**
 * A signal that arrives between two steps of Python's event loop stops nothing, so it is sent again; the
 * runtime lets only one of them through per run.
 */
const REPEAT_MS = 100;
const REPEATS = 20;

/** Interrupts the run that is going on. */
export class Interrupter {
  readonly #cells: Int32Array;
  #runs = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(cells: Int32Array) {
    this.#cells = cells;
  }

  /** Another run is handed over: interrupts from now on are for it. */
  begin(): void {
    clearInterval(this.#timer);
    this.#runs++;
  }

  /** Interrupts the last run that was handed over. */
  interrupt(): void {
    clearInterval(this.#timer);
    Atomics.store(this.#cells, TARGET_CELL, this.#runs);
    this.#signal();
    let left = REPEATS;
    this.#timer = setInterval(() => {
      this.#signal();
      if (--left === 0) clearInterval(this.#timer);
    }, REPEAT_MS);
  }

  #signal(): void {
    Atomics.store(this.#cells, INTERRUPT_CELL, SIGINT);
    Atomics.notify(this.#cells, INTERRUPT_CELL);
  }
}
