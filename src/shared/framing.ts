/**
 * Bytes of a pipe, read through one buffer, and lines out of them, in time and memory linear to their length
 * whatever the chunks are.
 */

/** Longest line that any of our line protocols accepts, in bytes, without the newline. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A buffer up to this size is used again for the next line. */
const KEPT_BYTES = 1024 * 1024;

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
  /** Told of a line that cannot be had, which is then left out. @default it is thrown */
  onFault?: (error: unknown) => void;
}

/** Cuts a byte stream into lines of UTF-8 text. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #fatal: boolean;
  readonly #onFault: (error: unknown) => void;
  /** Start of a line whose end has not come; only the first `#heldBytes` count. */
  #held = new Uint8Array(0);
  #heldBytes = 0;
  /** Whether what comes belongs to a line that was left out. */
  #skipping = false;

  constructor(maxLineBytes: number, options: LineSplitterOptions = {}) {
    this.#maxLineBytes = maxLineBytes;
    this.#fatal = options.fatal ?? true;
    this.#onFault = options.onFault ?? raise;
  }

  /**
   * Takes a chunk and gives each line it completes, without its newline. The chunk is used until the last
   * was given.
   *
   * @throws {LineTooLongError}
   * @throws {TypeError} if a line is not UTF-8 where that is an error.
   */
  *lines(chunk: Uint8Array): Generator<string, void> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      const line = this.#finish(chunk.subarray(start, end));
      if (line !== undefined) yield line;
      start = end + 1;
    }
    if (start < chunk.length && !this.#skipping) this.#hold(chunk.subarray(start));
  }

  /** Bytes of the line whose end has not come. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The text after the last newline, when the stream has ended. */
  rest(): string {
    return this.#finish(new Uint8Array(0)) ?? "";
  }

  /** The line that ends with `last`; undefined for one that is left out. */
  #finish(last: Uint8Array): string | undefined {
    if (this.#skipping) {
      this.#skipping = false;
      return undefined;
    }
    const fits = this.#heldBytes === 0 ? this.#fits(last.length) : this.#hold(last);
    // Its end is here.
    this.#skipping = false;
    if (!fits) return undefined;
    const line = this.#heldBytes === 0 ? last : this.#held.subarray(0, this.#heldBytes);
    try {
      return this.#decode(line);
    } catch (error) {
      this.#onFault(error);
      return undefined;
    } finally {
      this.#letGo();
    }
  }

  /** The strict decoder takes three times as long, so it is asked only where there may be something wrong. */
  #decode(line: Uint8Array): string {
    const text = lenient.decode(line);
    return this.#fatal && text.includes("\uFFFD") ? strict.decode(line) : text;
  }

  /** Copies: readers may use their buffer again for the next chunk. False if the line is left out. */
  #hold(part: Uint8Array): boolean {
    const bytes = this.#heldBytes + part.length;
    if (bytes > this.#maxLineBytes) {
      // Before anybody is told: who throws leaves the rest as it is.
      this.#skipping = true;
      this.#letGo();
      return this.#fits(bytes);
    }
    if (bytes > this.#held.length) {
      // Doubled, so that copying stays linear. A list of chunks would cost a hostile sender, who sends
      // byte by byte, nothing and us a hundred times the line.
      const size = Math.min(Math.max(bytes, 2 * this.#held.length), this.#maxLineBytes);
      this.#held = new Uint8Array(this.#held.buffer.transfer(size));
    }
    this.#held.set(part, this.#heldBytes);
    this.#heldBytes = bytes;
    return true;
  }

  /** A large buffer is freed now: collected later, those of a few long lines would add up. */
  #letGo(): void {
    this.#heldBytes = 0;
    if (this.#held.length <= KEPT_BYTES) return;
    this.#held.buffer.transfer(0);
    this.#held = new Uint8Array(0);
  }

  #fits(lineBytes: number): boolean {
    if (lineBytes <= this.#maxLineBytes) return true;
    this.#onFault(new LineTooLongError(`A line is longer than ${this.#maxLineBytes} bytes`));
    return false;
  }
}

function raise(error: unknown): never {
  throw error;
}

/** Size of that buffer. */
const BUFFER_BYTES = 256 * 1024;

/** Reads a stream. */
export interface ByteReader {
  /** The next bytes, good until the next call; undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Reads no more. */
  cancel(): Promise<void>;
}

/**
 * A reader that asks for no new memory with each chunk where that can be had, as with the pipe of a
 * process: a sandbox that prints 50 MB would otherwise leave 50 MB of chunks to be collected.
 */
export function openReader(readable: ReadableStream<Uint8Array>): ByteReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = readable.getReader({ mode: "byob" });
  } catch {
    return openChunkReader(readable);
  }
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (value !== undefined) buffer = value.buffer;
      return done ? undefined : value;
    },
    cancel: () => reader.cancel(),
  };
}

function openChunkReader(readable: ReadableStream<Uint8Array>): ByteReader {
  const reader = readable.getReader();
  return { read: async () => (await reader.read()).value, cancel: () => reader.cancel() };
}
