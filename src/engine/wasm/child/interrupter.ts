/** Stops Python from another thread, by the cell that its signal handling looks at. */
import { INTERRUPT_CELL, RUN_CELL, TARGET_CELL } from "./protocol.ts";

const SIGINT = 2;

/**
 * A signal that arrives between two steps of Python's event loop stops nothing, so it is sent again for so
 * long; the runtime lets only one of them through per run.
 */
const REPEAT_FOR_MS = 2000;

/** Interrupts the run that is going on. */
export class Interrupter {
  readonly #cells: Int32Array;
  #run = 0;
  #until = 0;

  constructor(cells: Int32Array) {
    this.#cells = cells;
  }

  /** Interrupts the run with this number, as long as it is the last one that was handed over; call it again. */
  signal(run: number): void {
    if (run > this.#run) {
      this.#run = run;
      this.#until = performance.now() + REPEAT_FOR_MS;
      Atomics.store(this.#cells, TARGET_CELL, run);
    }
    if (Atomics.load(this.#cells, RUN_CELL) !== this.#run || performance.now() > this.#until) {
      return;
    }
    Atomics.store(this.#cells, INTERRUPT_CELL, SIGINT);
    Atomics.notify(this.#cells, INTERRUPT_CELL);
  }
}
