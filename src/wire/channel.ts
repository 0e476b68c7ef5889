/**
 * Typed messages over a pair of byte streams. Reading and writing never wait for each other: `send`
 * queues and returns, the reader hands each message to one listener as it comes.
 */
import { type ByteReader, openReader } from "../shared/byte_reader.ts";
import { LineSplitter, MAX_LINE_BYTES } from "../shared/framing.ts";
import {
  formatHostMessage,
  type HostMessage,
  parseSandboxMessage,
  type SandboxMessage,
} from "./messages.ts";

const MAX_QUEUED_BYTES = 256 * 1024 * 1024;

/** Takes the messages of a sandbox; `chars` is the length of the line. */
export type MessageListener = (message: SandboxMessage, chars: number) => void;

/** Both directions of one sandbox's protocol. */
export interface Channel {
  /**
   * Sends a message; what comes after the end is dropped, since `closed` tells of it. False if the
   * message is longer than a line may be and was not sent.
   */
  send(message: HostMessage): boolean;
  /** Hands each further message to `listener`, in place of the one before. */
  listen(listener: MessageListener): void;
  /** Resolves when the sandbox closed its side or broke the protocol; never rejects. */
  readonly closed: Promise<ChannelEnd>;
}

/** How a channel ended: `error` is there when the sandbox broke the protocol. */
export interface ChannelEnd {
  error?: Error;
}

/** Options of {@link LineChannel}. */
export interface LineChannelOptions {
  /**
   * Most bytes that may wait for a sandbox that does not read.
   *
   * @default {268435456}
   */
  maxQueuedBytes?: number;
}

/** A {@link Channel} over the standard streams of a process. */
export class LineChannel implements Channel {
  readonly closed: Promise<ChannelEnd>;
  readonly #reader: ByteReader;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #maxQueuedBytes: number;
  #listener: MessageListener | undefined;
  #waiting: Array<[message: SandboxMessage, chars: number]> = [];
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #writing = false;
  #ended = false;
  #overflow: Error | undefined;

  constructor(
    readable: ReadableStream<Uint8Array>,
    writable: WritableStream<Uint8Array>,
    options: LineChannelOptions = {},
  ) {
    this.#maxQueuedBytes = options.maxQueuedBytes ?? MAX_QUEUED_BYTES;
    this.#reader = openReader(readable);
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});
    this.closed = this.#read().then((end) => {
      this.#ended = true;
      this.#queue = [];
      return end;
    });
  }

  send(message: HostMessage): boolean {
    if (this.#ended) return true;
    const bytes = encoder.encode(formatHostMessage(message));
    if (bytes.length > MAX_LINE_BYTES) return false;
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    if (this.#queuedBytes > this.#maxQueuedBytes) this.#giveUp();
    else if (!this.#writing) void this.#write();
    return true;
  }

  listen(listener: MessageListener): void {
    this.#listener = listener;
    for (const [message, chars] of this.#waiting.splice(0)) listener(message, chars);
  }

  /** SECURITY: memory boundary. A sandbox that asks and does not read must not fill the host. */
  #giveUp(): void {
    this.#ended = true;
    this.#queue = [];
    this.#overflow = new Error(
      `The sandbox does not read its replies: more than ${this.#maxQueuedBytes} bytes are waiting`,
    );
    // Ends the reading, which alone decides how the channel ended.
    this.#reader.cancel().catch(() => {});
  }

  async #read(): Promise<ChannelEnd> {
    const splitter = new LineSplitter(MAX_LINE_BYTES);
    const receive = (line: string) => {
      if (line.length > 0) this.#deliver(parseSandboxMessage(line), line.length);
    };
    try {
      for (;;) {
        const bytes = await this.#reader.read();
        if (this.#overflow !== undefined) throw this.#overflow;
        if (bytes === undefined) return {};
        splitter.push(bytes, receive);
      }
    } catch (error) {
      this.#reader.cancel().catch(() => {});
      return { error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  #deliver(message: SandboxMessage, chars: number): void {
    if (this.#listener === undefined) this.#waiting.push([message, chars]);
    else this.#listener(message, chars);
  }

  async #write(): Promise<void> {
    this.#writing = true;
    try {
      while (this.#queue.length > 0) {
        const batch = this.#queue;
        this.#queue = [];
        for (const bytes of batch) {
          await this.#writer.write(bytes);
          this.#queuedBytes -= bytes.length;
        }
      }
    } catch {
      // A pipe that is gone shows on the reading side, which alone decides how the channel ended.
      this.#ended = true;
    } finally {
      this.#writing = false;
    }
  }
}

const encoder = new TextEncoder();
