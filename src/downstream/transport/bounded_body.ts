/**
 * The body of a response, read piece by piece within limits: of one message, and of what its server sends
 * side by side.
 */
import type { ReadingRoom } from "./reading_room.ts";

/** Options of {@link BoundedBody}. */
export interface BoundedBodyOptions {
  room: ReadingRoom;
  maxMessageBytes: number;
  /** Told before a message that is too long fails. */
  onTooLong: () => void;
  signal: AbortSignal | null | undefined;
}

/** Reads a body. */
export class BoundedBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly #options: BoundedBodyOptions;

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>, options: BoundedBodyOptions) {
    this.#reader = body.getReader();
    this.#options = options;
  }

  /** The next piece; undefined at the end. Who reads no more cancels. */
  async read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return (await this.#reader.read()).value;
  }

  /** Waits until there is room for a message of which so much has come. */
  async hold(bytes: number): Promise<void> {
    const { room, maxMessageBytes, signal } = this.#options;
    if (bytes > maxMessageBytes) throw this.tooLong();
    await room.hold(this, bytes, signal);
  }

  /** The error for a message that is longer than allowed. */
  tooLong(): Error {
    this.#options.onTooLong();
    return new Error(`A message is longer than ${this.#options.maxMessageBytes} bytes`);
  }

  /** The whole as text, and nothing else is left of it. */
  async text(): Promise<string> {
    let bytes = new Uint8Array(0);
    let length = 0;
    try {
      for (let chunk = await this.read(); chunk !== undefined; chunk = await this.read()) {
        await this.hold(length + chunk.length);
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
