/**
 * JSON-RPC lines over the standard streams of a server process, as a transport of the SDK. In time linear
 * to their length and up to 64 MiB, where the SDK's own reader is quadratic and ends at 10 MB.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { AppError } from "../../shared/errors.ts";
import { LineSplitter, LineTooLongError, MAX_LINE_BYTES } from "../../shared/framing.ts";
import type { Stretch } from "../../shared/stretch.ts";
import { CallTexts } from "./call_texts.ts";
import { batchOf, type ReadMessage, readMessage } from "./long_message.ts";
import { isMessage } from "./open_requests.ts";
import { type ServerCommand, ServerProcess } from "./server_process.ts";

/** Characters that are kept of the first line that was no message. */
const SAMPLE_CHARS = 120;

/** What a server printed where only messages belong. */
export interface StrayOutput {
  lines: number;
  /** The start of the first of them. */
  first: string;
}

/** A transport that starts a server and ends it. */
export class StdioClientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The SDK knows a stdio transport by this member and `pid`. */
  readonly stderr = null;
  readonly texts = new CallTexts();
  /**
   * While it is set, `close` lets go of the client and not of the server: the SDK's client closes when its
   * greeting is refused, and the server is up and can be greeted in another way.
   */
  keepsServer = false;
  readonly #command: ServerCommand;
  readonly #encoder = new TextEncoder();
  #process: ServerProcess | undefined;
  #stray: StrayOutput | undefined;
  #broken: AppError | undefined;
  #closed = false;

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** Whether the server runs and can be talked to. */
  get isOpen(): boolean {
    return this.#process !== undefined && !this.#closed;
  }

  /** The process, once it was started. */
  get process(): ServerProcess | undefined {
    return this.#process;
  }

  /** Lines on its stdout that were no messages; they are passed over. */
  get strayOutput(): StrayOutput | undefined {
    return this.#stray;
  }

  /** Why we ended the connection, if the server broke the protocol. */
  get broken(): AppError | undefined {
    return this.#broken;
  }

  /**
   * Starts the server; one that was kept is there already.
   *
   * @throws {Deno.errors.NotFound} if there is no such program or folder.
   */
  start(): Promise<void> {
    if (this.isOpen) return Promise.resolve();
    try {
      this.#process = new ServerProcess(this.#command);
    } catch (error) {
      return Promise.reject(error);
    }
    void this.#read(this.#process);
    return Promise.resolve();
  }

  /** Rejects only if the server can not have got the whole message. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#process === undefined || this.#closed) throw new NotSentError();
    const args = this.texts.sent(message);
    const json = JSON.stringify(message) + "\n";
    try {
      await this.#process.write(this.#encoder.encode(args?.insertInto(json) ?? json));
    } catch (error) {
      throw new NotSentError({ cause: error });
    } finally {
      this.texts.requests.answered(message);
    }
  }

  async close(): Promise<void> {
    if (this.keepsServer && this.isOpen) this.#letGo();
    else await this.#end();
  }

  /** The next client adds its handlers to those that are there. */
  #letGo(): void {
    const { onclose } = this;
    delete this.onclose;
    delete this.onerror;
    delete this.onmessage;
    onclose?.();
  }

  async #end(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.onclose?.();
    }
    await this.#process?.[Symbol.asyncDispose]();
  }

  async #read(process: ServerProcess): Promise<void> {
    const splitter = new LineSplitter(MAX_LINE_BYTES, { fatal: false });
    try {
      await process.output(async (chunk, stretch) => {
        for (const line of splitter.lines(chunk)) {
          if (this.#closed) return false;
          await this.#receive(line.trim(), stretch);
          if (!this.texts.isSettled) await this.texts.settle();
          if (stretch.isOver) await stretch.giveWay();
        }
        return !this.#closed;
      });
    } catch (error) {
      if (error instanceof LineTooLongError) this.#break(error);
      else this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    // So that whoever waits for an answer is told how it ended.
    if (!this.#broken) await process.lastWords();
    await this.#end();
  }

  #break(cause: LineTooLongError): void {
    const limit = `${MAX_LINE_BYTES / 1024 / 1024} MiB`;
    this.#broken = new AppError(`a message was longer than ${limit}`, {
      cause,
    });
  }

  async #receive(text: string, stretch: Stretch): Promise<void> {
    if (text === "") return;
    let isStray = true;
    for (const part of batchOf(text) ?? [text]) {
      try {
        if (this.#receiveOne(await stretch.finish(readMessage(part)))) isStray = false;
      } catch {
        // No JSON: nothing that a message could be.
      }
      if (stretch.isOver) await stretch.giveWay();
    }
    if (!isStray) return;
    this.#stray ??= { lines: 0, first: text.slice(0, SAMPLE_CHARS) };
    this.#stray.lines++;
  }

  /** Hands a message on; false if it is none. */
  #receiveOne(read: ReadMessage): boolean {
    const value: unknown = JSON.parse(this.texts.shorten(read));
    const message = this.texts.requests.check(value);
    // In place of one that is too much for us there is an empty batch.
    if (message === undefined) return isMessage(value) || Array.isArray(value);
    if ("id" in message && !("method" in message)) this.texts.answered(message.id, read.text);
    try {
      this.onmessage?.(message);
    } catch (error) {
      // What the SDK cannot read is that message, and no reason to lose those after it.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  }
}

/** A message that did not reach its server, so that the request can be made again. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";

  constructor(options?: ErrorOptions) {
    super("The connection is closed", options);
  }
}
