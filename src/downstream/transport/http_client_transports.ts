/** The SDK's transports to remote servers, with what they lack for a client that is kept for hours. */
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { settledWithin } from "../../shared/deadline.ts";
import { AppError } from "../../shared/errors.ts";
import { MAX_LINE_BYTES } from "../../shared/framing.ts";
import { createBoundedFetch } from "./bounded_fetch.ts";
import { CallTexts } from "./call_texts.ts";

/** How long a server may take to forget our session. */
const GOODBYE_MS = 1000;

/** Where a remote server is. */
export interface RemoteAddress {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** Requests of a server that are answered at a time: each takes a connection. */
const MAX_ASKED = 100;

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport["send"]>[1]>;

/** What the end of a request's stream is reported with, in place of the answer that never came. */
export const STREAM_ENDED = "The connection ended before the answer";

/** Streamable HTTP. */
export class HttpClientTransport extends StreamableHTTPClientTransport {
  readonly texts: CallTexts;
  #broken: AppError | undefined;

  constructor({ url, headers }: RemoteAddress) {
    const texts = new CallTexts(MAX_ASKED);
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: createBoundedFetch(texts, () => this.#broken = tooLong()),
    });
    texts.onBadAnswer = (message) => this.onmessage?.(message);
    this.texts = texts;
  }

  /** Why a message was refused, if the server broke the protocol. */
  get broken(): AppError | undefined {
    return this.#broken;
  }

  override send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options: SendOptions = {},
  ): Promise<void> {
    if (!Array.isArray(message)) this.texts.sent(message);
    if (Array.isArray(message)) return super.send(message, options);
    if (!isJSONRPCRequest(message)) {
      return super.send(message, options).finally(() => this.texts.requests.answered(message));
    }
    const { id } = message;
    // A stream that breaks would otherwise leave its request waiting until it times out. To a request
    // that has been answered, this second answer means nothing.
    const onRequestStreamEnd = options.onRequestStreamEnd ?? (() => {
      this.texts.requests.forget(id);
      const error = { code: -32_000, message: STREAM_ENDED };
      this.onmessage?.({ jsonrpc: "2.0", id, error });
    });
    // What a server sends on for a request that is over would hold up those that are not.
    const over = new AbortController();
    this.texts.requests.whenGivenUp(id, () => over.abort());
    const signals = [over.signal, ...(options.requestSignal ? [options.requestSignal] : [])];
    const requestSignal = AbortSignal.any(signals);
    return super.send(message, { ...options, onRequestStreamEnd, requestSignal });
  }

  override async close(): Promise<void> {
    if (this.sessionId !== undefined) {
      await settledWithin(this.terminateSession(), GOODBYE_MS);
    }
    await super.close();
  }
}

/** HTTP with server-sent events, as servers of 2024 speak it. */
export class SseClientTransport extends SSEClientTransport {
  readonly texts: CallTexts;
  #broken: AppError | undefined;

  constructor({ url, headers }: RemoteAddress) {
    const texts = new CallTexts(MAX_ASKED);
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: createBoundedFetch(texts, () => this.#broken = tooLong()),
    });
    texts.onBadAnswer = (message) => this.onmessage?.(message);
    this.texts = texts;
  }

  override send(message: JSONRPCMessage): Promise<void> {
    this.texts.sent(message);
    return super.send(message).finally(() => this.texts.requests.answered(message));
  }

  /** Why a message was refused, if the server broke the protocol. */
  get broken(): AppError | undefined {
    return this.#broken;
  }
}

function tooLong(): AppError {
  return new AppError(`a message was longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB`);
}
