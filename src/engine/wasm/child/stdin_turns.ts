/**
 * Who reads stdin. Python's thread does while it waits for nothing but the host: then a reply costs no
 * second wake-up. While Python computes, or waits for a time as well, the reader does, so that an interrupt
 * and the end of the host are always seen.
 *
 * Bytes keep their order: the reader counts a chunk before it lets go, and Python reads only when it has
 * taken all that are counted.
 *
 * SECURITY: host boundary. The cells are out of Python's reach: one that could write them could keep the
 * reader from ever seeing that the host is gone.
 */
// Taken here, before a program can put others in their place.
const { add, compareExchange, exchange, load, notify, store, wait } = Atomics;

// Cells.
const CHUNKS = 0;
const OWNER = 1;
const WISH = 2;
const CALLED = 3;
const READS = 4;
const ASLEEP = 5;
const COLUMN = 6;

/** How many cells there are. */
export const TURN_CELLS = 7;

// Of OWNER. The reader has it first, so that the end of the host is seen while Python boots.
const READER = 0;
const PYTHON = 1;
const NOBODY = 2;

// Of WISH: what Python would have the reader do with stdin when it hands a chunk over.
const KEEP = 0;
const LET_GO = 1;

/** How often the reader looks whether Python computes; it is in its place after twice this time. */
const PATIENCE_MS = 10;

/** What both sides know. */
class Turns {
  protected readonly cells: Int32Array;

  constructor(cells: Int32Array) {
    this.cells = cells;
  }

  /** How far the line is that is being read; for whoever has stdin. See `host_lines.ts`. */
  get column(): number {
    return load(this.cells, COLUMN);
  }

  set column(column: number) {
    store(this.cells, COLUMN, column);
  }
}

/** Python's side. */
export class PythonTurns extends Turns {
  /** Chunks that were taken. */
  #taken = 0;

  /** Whether the reader has handed over a chunk that was not taken yet. */
  get hasChunk(): boolean {
    return load(this.cells, CHUNKS) !== this.#taken;
  }

  /** A chunk is taken. */
  take(): void {
    this.#taken++;
    store(this.cells, WISH, KEEP);
  }

  /** Begins to read, if the reader does not and no chunk waits. */
  begin(): boolean {
    const { cells } = this;
    store(cells, WISH, LET_GO);
    if (compareExchange(cells, OWNER, NOBODY, PYTHON) !== NOBODY) return false;
    if (!this.hasChunk) return true;
    this.end();
    return false;
  }

  /** Has read. */
  end(): void {
    const { cells } = this;
    store(cells, WISH, KEEP);
    add(cells, READS, 1);
    store(cells, OWNER, NOBODY);
    if (load(cells, ASLEEP) === 1) notify(cells, READS);
  }

  /** Has the reader read, at once. */
  leave(): void {
    const { cells } = this;
    store(cells, WISH, KEEP);
    if (load(cells, OWNER) === READER) return;
    store(cells, CALLED, 1);
    notify(cells, CALLED);
  }

  /** Waits for a chunk, for so many milliseconds; may return before there is one. */
  wait(milliseconds: number): void {
    wait(this.cells, CHUNKS, this.#taken, milliseconds);
  }
}

/** The reader's side. */
export class ReaderTurns extends Turns {
  /** A chunk has been posted: tells Python of it, and lets go of stdin if Python would have it. */
  handOver(): void {
    const { cells } = this;
    // Before stdin can be Python's, which then sees that a chunk waits.
    add(cells, CHUNKS, 1);
    if (load(cells, WISH) === LET_GO) store(cells, OWNER, NOBODY);
    // Last, so that Python finds stdin free when it wakes.
    notify(cells, CHUNKS);
  }

  /** Returns when it is the reader's turn. */
  wait(): void {
    const { cells } = this;
    if (load(cells, OWNER) === READER) return;
    for (let seen = -1;;) {
      const isCalled = exchange(cells, CALLED, 0) === 1;
      const reads = load(cells, READS);
      if (load(cells, OWNER) === PYTHON) {
        // Waits for the host, maybe for hours.
        if (reads === seen) this.#sleepDuring(reads);
      } else if (isCalled || reads === seen) {
        if (compareExchange(cells, OWNER, NOBODY, READER) === NOBODY) return;
      }
      seen = reads;
      wait(cells, CALLED, 0, PATIENCE_MS);
    }
  }

  #sleepDuring(reads: number): void {
    const { cells } = this;
    store(cells, ASLEEP, 1);
    wait(cells, READS, reads);
    store(cells, ASLEEP, 0);
  }
}
