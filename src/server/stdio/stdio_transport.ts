/**
 * Lines over a pair of byte streams as a transport of the SDK, in time linear to their length; a
 * line that is no message is answered and passed over. What a message means is for the SDK.
 */
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { settledWithin } from "../../shared/deadline.ts";
import { AppError, describeError } from "../../shared/errors.ts";
import { LineSplitter, MAX_LINE_BYTES } from "../../shared/framing.ts";
import { checkJson } from "../../shared/json/json_check.ts";
import { Stretch } from "../../shared/stretch.ts";

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
      this.#unreadable = new AppError(message, { cause: error });
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

/** The answer to what is no message; a null id says that no request could be made out. */
export interface Refusal {
  jsonrpc: "2.0";
  id: string | number | null;
  error: { code: number; message: string };
}

/** Longest line that is made into values without a look at how many they are. */
const SHORT_CHARS = 256 * 1024;

/** Most values in a longer line: what is long in a message of a client is a text. */
const MAX_VALUES = 100_000;

/** Most levels in it. */
const MAX_DEPTH = 10_000;

/** Reads a line that is not blank, in steps. */
function* readJsonRpcLine(
  line: string,
): Generator<void, { message: JSONRPCMessage } | { refusal: Refusal }> {
  let value: unknown;
  try {
    if (line.length > SHORT_CHARS) {
      const { values, found } = yield* checkJson(line, { path: ["id"], maxDepth: MAX_DEPTH });
      if (values > MAX_VALUES) {
        const reason = `Invalid Request: more than ${MAX_VALUES} values in a message`;
        const id = found && found.values === 1 && JSON.parse(line.slice(found.start, found.end));
        return { refusal: toRefusal(INVALID_REQUEST, reason, requestId({ method: "", id })) };
      }
    }
    value = JSON.parse(line);
  } catch {
    return { refusal: toRefusal(PARSE_ERROR, "Parse error: the line is not JSON") };
  }
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    const reason = "Invalid Request: not a JSON-RPC 2.0 message";
    return { refusal: toRefusal(INVALID_REQUEST, reason, requestId(value)) };
  }
}

/** An error as the answer to `id`. */
export function toRefusal(code: number, message: string, id: Refusal["id"] = null): Refusal {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** The id of what was meant as a request; a broken response must not be answered under its id. */
function requestId(value: unknown): Refusal["id"] {
  if (typeof value !== "object" || value === null || !("method" in value)) return null;
  const id = "id" in value ? value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
