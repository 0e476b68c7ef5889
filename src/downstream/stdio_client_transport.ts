/**
 * JSON-RPC lines over the standard streams of a server process, as a transport of the SDK. In time linear
 * to their length and up to 64 MiB, where the SDK's own reader is quadratic and ends at 10 MB.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { AppError } from "../shared/errors.ts";
import { LineSplitter, LineTooLongError, MAX_LINE_BYTES } from "../shared/framing.ts";
import { CallTexts } from "./call_texts.ts";
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
      await process.output((chunk) => {
        for (const line of splitter.lines(chunk)) this.#receive(line);
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
    this.#broken = new AppError("message_too_long", `a message was longer than ${limit}`, {
      cause,
    });
  }

  #note([first]: JSONRPCMessage[], text: string): void {
    if (text.startsWith("[")) this.texts.came(text);
    else if ("id" in first! && !("method" in first)) this.texts.answered(first.id, text);
  }

  #receive(line: string): void {
    const text = line.trim();
    if (text === "" || this.#closed) return;
    const messages = parseMessages(text);
    if (messages === undefined) {
      this.#stray ??= { lines: 0, first: text.slice(0, SAMPLE_CHARS) };
      this.#stray.lines++;
      return;
    }
    this.#note(messages, text);
    for (const message of messages) this.onmessage?.(message);
  }
}

/** A message that did not reach its server, so that the request can be made again. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";

  constructor(options?: ErrorOptions) {
    super("The connection is closed", options);
  }
}

/** The messages of a line, or undefined if it holds none. Their inner form is checked by the SDK. */
function parseMessages(text: string): JSONRPCMessage[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const messages = Array.isArray(value) ? value : [value];
  return messages.length > 0 && messages.every(isMessage) ? messages : undefined;
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return typeof value === "object" && value !== null && "jsonrpc" in value &&
    value.jsonrpc === "2.0";
}
