/**
 * `fetch` for one connection: the arguments of calls are put into what is sent, the texts of messages are
 * noted as they come, and there is a limit on what a server can make us hold: the same 64 MiB for one
 * message as on stdio.
 */
import { LineTooLongError, MAX_LINE_BYTES } from "../../shared/framing.ts";
import { Stretch } from "../../shared/stretch.ts";
import { BoundedBody } from "./bounded_body.ts";
import type { CallTexts } from "./call_texts.ts";
import { EventFilter } from "./message_texts.ts";
import { ReadingRoom } from "./reading_room.ts";

/** The part of `fetch` that the SDK uses. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A `fetch` whose responses fail beyond `maxMessageBytes`; `onTooLong` is told before they do. */
export function createBoundedFetch(
  texts: CallTexts,
  onTooLong: () => void,
  maxMessageBytes: number = MAX_LINE_BYTES,
): FetchLike {
  const room = new ReadingRoom();
  return async (url, init) => {
    const response = await fetch(url, complete(init, texts));
    if (response.body === null) return response;
    const contentType = response.headers.get("content-type") ?? "";
    const isStream = contentType.includes("text/event-stream");
    const options = { room, maxMessageBytes, onTooLong, signal: init?.signal };
    const body = new BoundedBody(response.body, options);
    const { status, statusText, headers } = response;
    const head = { status, statusText, headers };
    if (isStream) {
      const filter = new EventFilter((text, stretch) => texts.came(text, stretch), maxMessageBytes);
      return new Response(toStream(body, filter), head);
    }
    if (!contentType.includes("json")) return new Response(toStream(body), head);
    // Before it is handed on: who gets a message must find its text noted.
    const text = await texts.came(await body.text(), new Stretch());
    return new TextResponse(text ?? NO_MESSAGES, head);
  };
}

/** A batch of none. */
const NO_MESSAGES = "[]";

/** A response whose text is there, and is not made into bytes and back once more. */
class TextResponse extends Response {
  readonly #text: string;

  constructor(text: string, head: ResponseInit) {
    super(null, head);
    this.#text = text;
  }

  override text(): Promise<string> {
    return Promise.resolve(this.#text);
  }

  // deno-lint-ignore require-await
  override async json(): Promise<unknown> {
    return JSON.parse(this.#text);
  }

  override clone(): Response {
    const { status, statusText, headers } = this;
    return new TextResponse(this.#text, { status, statusText, headers });
  }
}

function toStream(body: BoundedBody, filter?: EventFilter): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (let out = new Uint8Array(0); out.length === 0;) {
          const chunk = await body.read();
          if (chunk === undefined) {
            void body.cancel();
            return controller.close();
          }
          bytes += chunk.length;
          out = filter === undefined ? chunk : encoder.encode(await filter.take(chunk));
          await body.hold(filter?.heldBytes ?? bytes);
          if (out.length > 0) controller.enqueue(out);
        }
      } catch (error) {
        const reason = error instanceof LineTooLongError ? body.tooLong() : error;
        void body.cancel(reason);
        controller.error(reason);
      }
    },
    cancel: (reason) => body.cancel(reason),
  }, { highWaterMark: 0 });
}

const encoder = new TextEncoder();

function complete(init: RequestInit | undefined, texts: CallTexts): RequestInit | undefined {
  return typeof init?.body === "string" ? { ...init, body: texts.complete(init.body) } : init;
}
