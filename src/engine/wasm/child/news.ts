/**
 * What the main thread is told while it watches: a number in a cell, and a wake-up.
 *
 * SECURITY: memory boundary. Taking it costs the main thread the same whoever tells it and however often:
 * a message would be taken apart first, and for how long its sender decides. The cells are out of Python's
 * reach.
 */
// Taken here, before a program can put others in their place.
const { add, compareExchange, load, notify, store, wait } = Atomics;

// Cells.
const COUNT = 0;
const INTERRUPTED_RUN = 1;
const END = 2;

/** How many cells there are. */
export const NEWS_CELLS = 3;

/** One of the threads' view of the cells. */
export class News {
  readonly #cells: Int32Array;

  constructor(cells: Int32Array) {
    this.#cells = cells;
  }

  /** The host wants this run stopped. */
  interrupt(run: number): void {
    store(this.#cells, INTERRUPTED_RUN, run);
    this.#tell();
  }

  /** The process is to end, with the first exit code that is told. */
  end(exitCode: number): void {
    compareExchange(this.#cells, END, 0, exitCode + 1);
    this.#tell();
  }

  /** Changes with everything that is told. */
  get count(): number {
    return load(this.#cells, COUNT);
  }

  /** The last run that the host wanted stopped; 0 before the first. */
  get interruptedRun(): number {
    return load(this.#cells, INTERRUPTED_RUN);
  }

  /** The exit code; undefined as long as the process is to live. */
  get exitCode(): number | undefined {
    const end = load(this.#cells, END);
    return end === 0 ? undefined : end - 1;
  }

  /** Waits until more is told than `count`, for so many milliseconds. */
  wait(count: number, milliseconds: number): void {
    wait(this.#cells, COUNT, count, milliseconds);
  }

  #tell(): void {
    add(this.#cells, COUNT, 1);
    notify(this.#cells, COUNT);
  }
}

/** Stops the thread for ever: its event loop does not turn again. */
export function stopHere(): never {
  const cells = new Int32Array(new SharedArrayBuffer(4));
  for (;;) wait(cells, 0, 0);
}
