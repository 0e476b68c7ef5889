/**
 * Lines over a pair of byte streams as a transport of the SDK, in time linear to their length. What a
 * line holds is for `json_rpc_line.ts`, what a message means for the SDK.
 */
import { type JSONRPCMessage, PARSE_ERROR, type Transport } from "@modelcontextprotocol/server";
import { settledWithin } from "../../shared/deadline.ts";
import { AppError, describeError } from "../../shared/errors.ts";
import { LineSplitter, MAX_LINE_BYTES } from "../../shared/framing.ts";
import { Stretch } from "../../shared/stretch.ts";
import { readJsonRpcLine, type Refusal, toRefusal } from "./json_rpc_line.ts";

/** How long the last answers may take to leave when the connection ends. */
const FLUSH_MS = 1000;

/** A transport over standard streams, or over any two streams in their place. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  /**
   * Resolves when the connection has ended and what was to be sent has left. Rejects with an `AppError` if
   * it ended because nothing can be read from it.
   */
  readonly closed: Promise<void>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #setClosed: (end: PromiseLike<void> | void) => void;
  #closing = false;
  /** Why nothing can be read. */
  #unreadable: unknown;

  constructor(readable: ReadableStream<Uint8Array>, writable: WritableStream<Uint8Array>) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});
    const { promise, resolve } = Promise.withResolvers<void>();
    [this.closed, this.#setClosed] = [promise, resolve];
  }

  start(): Promise<void> {
    void this.#read();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#reader.cancel().catch(() => {});
    this.onclose?.();
    // Closing waits for what is queued, which a peer that does not read would hold up for ever.
    await settledWithin(this.#writer.close().catch(() => {}), FLUSH_MS);
    this.#setClosed(this.#unreadable === undefined ? undefined : Promise.reject(this.#unreadable));
  }

  async #read(): Promise<void> {
    const splitter = new LineSplitter(MAX_LINE_BYTES, { onFault: (error) => this.#onFault(error) });
    const stretch = new Stretch();
    for (let bytes = await this.#next(); bytes !== undefined; bytes = await this.#next()) {
      for (const line of splitter.lines(bytes)) {
        await this.#receive(line, stretch);
        if (stretch.isOver) await stretch.giveWay();
      }
    }
    await this.#receive(splitter.rest(), stretch);
    // `echo … | mcp-bridge` ends right after its last request: what needs no run is answered first.
    await new Promise((resolve) => setTimeout(resolve, 0));
    await this.close();
  }

  /** What came next; undefined at the end. That nothing can be read is no fault of the client. */
  async #next(): Promise<Uint8Array | undefined> {
    try {
      return (await this.#reader.read()).value;
    } catch (error) {
      // A client that is gone with its answers unread.
      if (error instanceof Deno.errors.ConnectionReset) return undefined;
      const message = `Cannot read what the client sends: ${describeError(error)}`;
      this.#unreadable = new AppError("unreadable", message, { cause: error });
      return undefined;
    }
  }

  async #receive(line: string, stretch: Stretch): Promise<void> {
    const text = line.trim();
    if (text === "" || this.#closing) return;
    const parsed = await stretch.finish(readJsonRpcLine(text));
    if ("refusal" in parsed) this.#refuse(parsed.refusal);
    else this.onmessage?.(parsed.message);
  }

  /** One bad line costs itself and no more. */
  #onFault(error: unknown): void {
    this.#fail(error);
    this.#refuse(toRefusal(PARSE_ERROR, `Parse error: ${describeError(error)}`));
  }

  #refuse(refusal: Refusal): void {
    this.#write(refusal).catch(() => {});
  }

  /** One whole line; the stream keeps the order, and the promise is the back-pressure. */
  #write(message: JSONRPCMessage | Refusal): Promise<void> {
    if (this.#closing) return Promise.reject(new Error("The connection is closed"));
    const written = this.#writer.write(encoder.encode(JSON.stringify(message) + "\n"));
    written.catch((error) => {
      this.#fail(error);
      void this.close();
    });
    return written;
  }

  #fail(error: unknown): void {
    if (!this.#closing) this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

const encoder = new TextEncoder();
