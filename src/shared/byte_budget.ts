/** How much may be held for one peer, whatever it is that is held. */

/** Counts what is held. */
export class ByteBudget {
  readonly maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Takes a place for so much; false if there is none. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.maxBytes) return false;
    this.#held += bytes;
    return true;
  }

  /** Gives a place back. */
  give(bytes: number): void {
    this.#held -= bytes;
  }
}
