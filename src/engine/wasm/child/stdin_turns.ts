/**
 * Who reads stdin. Python's thread does while it waits for nothing but the host: then a reply costs no
 * second wake-up. While Python computes, or waits for a time as well, the reader does, so that an interrupt
 * and the end of the host are always seen.
 *
 * Bytes keep their order: the reader lets go only together with a chunk, and Python reads only when it has
 * taken all chunks.
 */
import { ASLEEP_CELL, CHUNKS_CELL, OWNER_CELL, READS_CELL, WISH_CELL } from "./protocol.ts";

// Of OWNER_CELL. The reader has it first, so that the end of the host is seen while Python boots.
const READER = 0;
const PYTHON = 1;
const NOBODY = 2;

// Of WISH_CELL: what Python would have the reader do.
const READ_ON = 0;
const LET_GO = 1;

/** How long Python may compute before the reader takes its place: an interrupt is this late at most. */
const PATIENCE_MS = 10;

/** Python's side. */
export class PythonTurns {
  readonly #cells: Int32Array;

  constructor(cells: Int32Array) {
    this.#cells = cells;
  }

  /** Begins to read, if the reader does not and has handed over no more than these chunks. */
  begin(chunks: number): boolean {
    const cells = this.#cells;
    Atomics.store(cells, WISH_CELL, LET_GO);
    if (Atomics.compareExchange(cells, OWNER_CELL, NOBODY, PYTHON) !== NOBODY) return false;
    if (Atomics.load(cells, CHUNKS_CELL) === chunks) return true;
    this.end();
    return false;
  }

  /** Has read. */
  end(): void {
    const cells = this.#cells;
    Atomics.add(cells, READS_CELL, 1);
    Atomics.store(cells, OWNER_CELL, NOBODY);
    if (Atomics.load(cells, ASLEEP_CELL) === 1) Atomics.notify(cells, READS_CELL);
  }

  /** Has the reader read, at once. */
  leave(): void {
    const cells = this.#cells;
    Atomics.store(cells, WISH_CELL, READ_ON);
    if (Atomics.load(cells, OWNER_CELL) !== READER) Atomics.notify(cells, WISH_CELL);
  }
}

/** The reader's side. */
export class ReaderTurns {
  readonly #cells: Int32Array;

  constructor(cells: Int32Array) {
    this.#cells = cells;
  }

  /** A chunk has been posted: tells Python of it, and lets go of stdin if Python would have it. */
  handOver(): void {
    const cells = this.#cells;
    if (Atomics.load(cells, WISH_CELL) === LET_GO) Atomics.store(cells, OWNER_CELL, NOBODY);
    Atomics.add(cells, CHUNKS_CELL, 1);
    Atomics.notify(cells, CHUNKS_CELL);
  }

  /** Returns when it is the reader's turn. */
  wait(): void {
    const cells = this.#cells;
    if (Atomics.load(cells, OWNER_CELL) === READER) return;
    for (let seen = -1;;) {
      const reads = Atomics.load(cells, READS_CELL);
      if (Atomics.load(cells, OWNER_CELL) === PYTHON) {
        // Waits for the host, maybe for hours.
        if (reads === seen) this.#sleepDuring(reads);
      } else if (reads === seen || Atomics.load(cells, WISH_CELL) === READ_ON) {
        if (Atomics.compareExchange(cells, OWNER_CELL, NOBODY, READER) === NOBODY) return;
      }
      seen = reads;
      Atomics.wait(cells, WISH_CELL, LET_GO, PATIENCE_MS);
    }
  }

  #sleepDuring(reads: number): void {
    const cells = this.#cells;
    Atomics.store(cells, ASLEEP_CELL, 1);
    Atomics.wait(cells, READS_CELL, reads);
    Atomics.store(cells, ASLEEP_CELL, 0);
  }
}
