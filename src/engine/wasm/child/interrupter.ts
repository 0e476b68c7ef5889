/** Stops Python from another thread, by the cell that its signal handling looks at. */
import { INTERRUPT_CELL, RUN_CELL, TARGET_CELL } from "./protocol.ts";

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
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(cells: Int32Array) {
    this.#cells = cells;
  }

  /** Interrupts the run with this number, as long as it is the last one that was handed over. */
  interrupt(run: number): void {
    // Two threads tell of interrupts, so that one of an earlier run may come late.
    if (run < Atomics.load(this.#cells, TARGET_CELL)) return;
    clearInterval(this.#timer);
    Atomics.store(this.#cells, TARGET_CELL, run);
    let left = REPEATS;
    const signal = () => {
      if (Atomics.load(this.#cells, RUN_CELL) !== run || left-- === 0) {
        clearInterval(this.#timer);
        return;
      }
      Atomics.store(this.#cells, INTERRUPT_CELL, SIGINT);
      Atomics.notify(this.#cells, INTERRUPT_CELL);
    };
    this.#timer = setInterval(signal, REPEAT_MS);
    signal();
  }
}
