/** Lines out of byte chunks, in time and memory linear to their length whatever the chunks are. */

/** Longest line that any of our line protocols accepts, in bytes, without the newline. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 10;

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A line that is longer than allowed. */
export class LineTooLongError extends Error {
  override readonly name = "LineTooLongError";
}

/** Options of {@link LineSplitter}. */
export interface LineSplitterOptions {
  /** Whether bytes that are no UTF-8 are an error; otherwise U+FFFD stands in for them. @default true */
  fatal?: boolean;
}

/** Cuts a byte stream into lines of UTF-8 text. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #fatal: boolean;
  /** Start of a line whose end has not come; only the first `#heldBytes` count. */
  #held = new Uint8Array(0);
  #heldBytes = 0;

  constructor(maxLineBytes: number, options: LineSplitterOptions = {}) {
    this.#maxLineBytes = maxLineBytes;
    this.#fatal = options.fatal ?? true;
  }

  /**
   * Takes a chunk and hands over each line it completes, without its newline.
   *
   * @throws {LineTooLongError}
   * @throws {TypeError} if a line is not UTF-8 where that is an error.
   */
  push(chunk: Uint8Array, onLine: (line: string) => void): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      onLine(this.#decode(this.#complete(chunk.subarray(start, end))));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** The text after the last newline, when the stream has ended. */
  rest(): string {
    return this.#decode(this.#complete(new Uint8Array(0)));
  }

  /** The strict decoder takes three times as long, so it is asked only where there may be something wrong. */
  #decode(line: Uint8Array): string {
    const text = lenient.decode(line);
    return this.#fatal && text.includes("\uFFFD") ? strict.decode(line) : text;
  }

  /** Copies: readers may use their buffer again for the next chunk. */
  #hold(part: Uint8Array): void {
    const bytes = this.#heldBytes + part.length;
    this.#check(bytes);
    if (bytes > this.#held.length) {
      // Doubled, so that copying stays linear. A list of chunks would cost a hostile sender, who sends
      // byte by byte, nothing and us a hundred times the line.
      const size = Math.min(Math.max(bytes, 2 * this.#held.length), this.#maxLineBytes);
      const larger = new Uint8Array(size);
      larger.set(this.#held.subarray(0, this.#heldBytes));
      this.#held = larger;
    }
    this.#held.set(part, this.#heldBytes);
    this.#heldBytes = bytes;
  }

  #complete(last: Uint8Array): Uint8Array {
    if (this.#heldBytes === 0) {
      this.#check(last.length);
      return last;
    }
    this.#hold(last);
    const line = this.#held.subarray(0, this.#heldBytes);
    this.#held = new Uint8Array(0);
    this.#heldBytes = 0;
    return line;
  }

  #check(lineBytes: number): void {
    if (lineBytes > this.#maxLineBytes) {
      throw new LineTooLongError(`A line is longer than ${this.#maxLineBytes} bytes`);
    }
  }
}
