/**
 * Typed messages over a pair of byte streams. Reading and writing never wait for each other: `send`
 * queues and returns, the reader hands each message to one listener as it comes.
 */
import { ByteBudget, Unread } from "../shared/byte_budget.ts";
import { type ByteReader, LineSplitter, MAX_LINE_BYTES, openReader } from "../shared/framing.ts";
import { Stretch } from "../shared/stretch.ts";
import { heldBytes, isLong, OutgoingLine, readLongLine } from "./line.ts";
import { type HostMessage, parseSandboxMessage, type SandboxMessage } from "./messages.ts";

const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Takes the messages of a sandbox; `bytes` is what one holds as long as it is under way. */
export type MessageListener = (message: SandboxMessage, bytes: number) => void;

/** Both directions of one sandbox's protocol. */
export interface Channel {
  /**
   * Sends a message; what comes after the end is dropped, since `closed` tells of it. Gives the reason if it
   * was not sent.
   */
  send(message: HostMessage): Unsent | undefined;
  /** Hands each further message to `listener`, in place of the one before. */
  listen(listener: MessageListener): void;
  /** What may be held for the sandbox: requests of it that are under way, and replies that it has not read. */
  readonly budget: ByteBudget;
  /** Of that, the long replies that it has not read. */
  readonly unread: Unread;
  /** Resolves when the sandbox closed its side or broke the protocol; never rejects. */
  readonly closed: Promise<ChannelEnd>;
}

/** Why a message was not sent: it is longer than a line may be, or too much waits to be read. */
export interface Unsent {
  reason: "too_long" | "no_room";
  bytes: number;
}

/** How a channel ended: `error` is there when the sandbox broke the protocol. */
export interface ChannelEnd {
  error?: Error;
}

/** Options of {@link LineChannel}. */
export interface LineChannelOptions {
  /**
   * Most bytes that may be held for the sandbox.
   *
   * @default {268435456}
   */
  maxHeldBytes?: number;
}

/** A {@link Channel} over the standard streams of a process. */
export class LineChannel implements Channel {
  readonly budget: ByteBudget;
  readonly unread = new Unread();
  readonly closed: Promise<ChannelEnd>;
  readonly #reader: ByteReader;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #listener: MessageListener | undefined;
  #waiting: Array<[message: SandboxMessage, bytes: number]> = [];
  #queue: OutgoingLine[] = [];
  #writing = false;
  #ended = false;
  #overflow: Error | undefined;

  constructor(
    readable: ReadableStream<Uint8Array>,
    writable: WritableStream<Uint8Array>,
    options: LineChannelOptions = {},
  ) {
    this.budget = new ByteBudget(options.maxHeldBytes ?? MAX_HELD_BYTES);
    this.#reader = openReader(readable);
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});
    this.closed = this.#read().then((end) => {
      this.#ended = true;
      this.#queue = [];
      this.unread.clear();
      // The pipe would stay open until it is collected.
      this.#writer.abort().catch(() => {});
      return end;
    });
  }

  send(message: HostMessage): Unsent | undefined {
    if (this.#ended) return undefined;
    const line = new OutgoingLine(message);
    const { bytes } = line;
    if (line.isTooLong) return { reason: "too_long", bytes };
    // A short one is what takes the place of a long one.
    const canWait = line.isShort || message.type !== "rpc_response" || this.unread.hasRoom(bytes);
    if (!canWait) return { reason: "no_room", bytes };
    if (!this.budget.take(bytes)) {
      if (!line.isShort) return { reason: "no_room", bytes };
      this.#giveUp();
      return undefined;
    }
    if (!line.isShort) this.unread.add(bytes);
    this.#queue.push(line);
    if (!this.#writing) void this.#write();
    return undefined;
  }

  listen(listener: MessageListener): void {
    this.#listener = listener;
    for (const [message, bytes] of this.#waiting.splice(0)) listener(message, bytes);
  }

  /** SECURITY: memory boundary. A sandbox that asks and does not read must not fill the host. */
  #giveUp(): void {
    this.#ended = true;
    this.#queue = [];
    this.#overflow = new Error(
      `The sandbox does not read its replies: more than ${this.budget.maxBytes} bytes are waiting`,
    );
    // Ends the reading, which alone decides how the channel ended.
    this.#reader.cancel().catch(() => {});
  }

  async #read(): Promise<ChannelEnd> {
    const splitter = new LineSplitter(MAX_LINE_BYTES);
    const stretch = new Stretch();
    try {
      for (;;) {
        const bytes = await this.#reader.read();
        if (bytes !== undefined) await this.#take(splitter.lines(bytes), stretch);
        if (this.#overflow !== undefined) throw this.#overflow;
        if (bytes === undefined) return {};
      }
    } catch (error) {
      this.#reader.cancel().catch(() => {});
      return { error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  /** By itself, so that no line is held while the next is waited for. */
  async #take(lines: Iterable<string>, stretch: Stretch): Promise<void> {
    for (const line of lines) {
      if (this.#overflow !== undefined) return;
      if (line === "") continue;
      // SECURITY: time boundary. Whatever is sent, the run's own limit fires.
      const message = isLong(line)
        ? await stretch.finish(readLongLine(line))
        : parseSandboxMessage(line);
      this.#deliver(message, heldBytes(message, line.length));
      if (stretch.isOver) await stretch.giveWay();
    }
  }

  #deliver(message: SandboxMessage, bytes: number): void {
    if (this.#listener === undefined) this.#waiting.push([message, bytes]);
    else this.#listener(message, bytes);
  }

  async #write(): Promise<void> {
    this.#writing = true;
    try {
      while (this.#queue.length > 0) {
        // The last first, so that what was written is let go of.
        const batch = this.#queue.reverse();
        this.#queue = [];
        for (let line = batch.pop(); line !== undefined; line = batch.pop()) {
          await line.writeTo(this.#writer, (bytes) => {
            this.budget.give(bytes);
            if (!line.isShort && !this.#ended) this.unread.remove(bytes);
          });
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
