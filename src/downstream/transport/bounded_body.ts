/**
 * The body of a response, read piece by piece within limits: of one message, and of what its server sends
 * side by side. In an event stream a message is a line, any other body is one message.
 */
import type { ReadingRoom } from "./reading_room.ts";

/** Options of {@link BoundedBody}. */
export interface BoundedBodyOptions {
  isStream: boolean;
  room: ReadingRoom;
  maxMessageBytes: number;
  /** Told before a message that is too long fails. */
  onTooLong: () => void;
  signal: AbortSignal | null | undefined;
}

const NEWLINE = 10;

/** Reads a body. */
export class BoundedBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly #options: BoundedBodyOptions;
  /** Bytes of the message that has not ended. */
  #bytes = 0;

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>, options: BoundedBodyOptions) {
    this.#reader = body.getReader();
    this.#options = options;
  }

  /** The next piece, as soon as there is room for it; undefined at the end. Who reads no more cancels. */
  async read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { isStream, room, maxMessageBytes, onTooLong, signal } = this.#options;
    const { value: chunk } = await this.#reader.read();
    if (chunk === undefined) return undefined;
    const newline = isStream ? chunk.lastIndexOf(NEWLINE) : -1;
    this.#bytes = newline === -1 ? this.#bytes + chunk.length : chunk.length - newline - 1;
    if (this.#bytes > maxMessageBytes) {
      onTooLong();
      throw new Error(`A message is longer than ${maxMessageBytes} bytes`);
    }
    await room.hold(this, this.#bytes, signal);
    return chunk;
  }

  /** The whole as text, and nothing else is left of it. */
  async text(): Promise<string> {
    let bytes = new Uint8Array(0);
    let length = 0;
    try {
      for (let chunk = await this.read(); chunk !== undefined; chunk = await this.read()) {
        if (length + chunk.length > bytes.length) {
          const size = Math.max(length + chunk.length, 2 * bytes.length);
          bytes = new Uint8Array(bytes.buffer.transfer(size));
        }
        bytes.set(chunk, length);
        length += chunk.length;
        // Freed now: what waits for the collector would be several times what is held.
        chunk.buffer.transfer(0);
      }
      return decoder.decode(bytes.subarray(0, length));
    } finally {
      bytes.buffer.transfer(0);
      void this.cancel();
    }
  }

  /** Reads no more, and gives its place up. */
  async cancel(reason?: unknown): Promise<void> {
    this.#options.room.free(this);
    await this.#reader.cancel(reason).catch(() => {});
  }
}

const decoder = new TextDecoder();
