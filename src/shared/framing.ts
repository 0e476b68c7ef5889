/** Lines out of byte chunks, in time linear to their length whatever the chunks are. */

/** Longest line that any of our line protocols accepts, in bytes, without the newline. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 10;

/** Options of {@link LineSplitter}. */
export interface LineSplitterOptions {
  /** Whether bytes that are not UTF-8 are an error, or become U+FFFD. @default true */
  fatal?: boolean;
}

/** Cuts a byte stream into lines of UTF-8 text. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #decoder: TextDecoder;
  #parts: Uint8Array[] = [];
  #partBytes = 0;

  constructor(maxLineBytes: number, options: LineSplitterOptions = {}) {
    this.#maxLineBytes = maxLineBytes;
    this.#decoder = new TextDecoder("utf-8", { fatal: options.fatal ?? true, ignoreBOM: true });
  }

  /**
   * Takes a chunk and gives the lines it completes, without their newlines.
   *
   * @throws {Error} if a line is longer than allowed, or not UTF-8 where that is an error.
   */
  *push(chunk: Uint8Array): Generator<string> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      yield this.#complete(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) {
      // A copy: readers may use their buffer again for the next chunk.
      this.#hold(start === 0 ? chunk.slice() : chunk.slice(start));
    }
  }

  /** The text after the last newline, when the stream has ended. */
  rest(): string {
    return this.#complete(new Uint8Array(0));
  }

  #hold(part: Uint8Array): void {
    this.#check(part.length);
    this.#parts.push(part);
    this.#partBytes += part.length;
  }

  #complete(last: Uint8Array): string {
    this.#check(last.length);
    if (this.#parts.length === 0) return this.#decoder.decode(last);
    const line = new Uint8Array(this.#partBytes + last.length);
    let offset = 0;
    for (const part of this.#parts) {
      line.set(part, offset);
      offset += part.length;
    }
    line.set(last, offset);
    this.#parts = [];
    this.#partBytes = 0;
    return this.#decoder.decode(line);
  }

  #check(moreBytes: number): void {
    if (this.#partBytes + moreBytes > this.#maxLineBytes) {
      throw new Error(`A line is longer than ${this.#maxLineBytes} bytes`);
    }
  }
}
