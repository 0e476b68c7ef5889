/** How much may be held for one peer, whatever it is that is held, and what of it waits to be read. */

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

const MIB = 1024 * 1024;

/** Up to so many bytes more may be brought. */
const LOW_BYTES = 16 * MIB;

/** Whoever reads less than this in {@link PATIENCE_MS} does not read. */
const PACE_BYTES = MIB;

const PATIENCE_MS = 1000;

/** Counts long replies that were sent to a sandbox and that it has not read. */
export class Unread {
  readonly maxBytes: number;
  #bytes = 0;
  /** All that was read so far. */
  #read = 0;
  #low: PromiseWithResolvers<void> | undefined;
  /** Whether somebody has waited for nothing, and nobody is to wait again before it is low. */
  #stands = false;

  constructor(maxBytes: number = 96 * MIB) {
    this.maxBytes = maxBytes;
  }

  /** Whether more may be brought. */
  get isLow(): boolean {
    return this.#bytes <= LOW_BYTES;
  }

  /** Whether so much more can be held. */
  hasRoom(bytes: number): boolean {
    return this.#bytes + bytes <= this.maxBytes;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Takes note that so much was read. */
  remove(bytes: number): void {
    this.#bytes -= bytes;
    this.#read += bytes;
    if (!this.isLow) return;
    this.#stands = false;
    this.#low?.resolve();
    this.#low = undefined;
  }

  /** Nobody reads any more, and nothing is held. */
  clear(): void {
    this.remove(this.#bytes);
  }

  /** Resolves when more may be brought. */
  whenLow(): Promise<void> {
    if (this.isLow) return Promise.resolve();
    return (this.#low ??= Promise.withResolvers()).promise;
  }

  /** The same for those who keep others waiting: resolves as well when nobody reads. */
  async whenLowOrStill(): Promise<void> {
    while (!this.isLow && !this.#stands) {
      const before = this.#read;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => timer = setTimeout(resolve, PATIENCE_MS));
      await Promise.race([this.whenLow(), late]);
      clearTimeout(timer);
      if (!this.isLow && this.#read - before < PACE_BYTES) this.#stands = true;
    }
  }
}
