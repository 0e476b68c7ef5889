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
    const { body: sent } = init ?? {};
    const call = typeof sent === "string" ? texts.find(sent) : undefined;
    const request = call && { ...init, body: call.args.insertInto(sent as string) };
    const response = await fetch(url, request ?? init);
    if (response.body === null) return response;
    const contentType = response.headers.get("content-type") ?? "";
    const isStream = contentType.includes("text/event-stream");
    const body = new BoundedBody(response.body, {
      room: call?.unread === undefined ? room : ReadingRoom.for(call.unread),
      maxMessageBytes,
      onTooLong,
      signal: init?.signal,
    });
    const { status, statusText, headers } = response;
    const head = { status, statusText, headers };
    if (isStream) {
      const filter = new EventFilter((text, stretch) => texts.came(text, stretch), maxMessageBytes);
      return new Response(toStream(body, { filter, texts }), head);
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

/** What is done with the messages of a stream. */
interface Filtering {
  filter: EventFilter;
  texts: CallTexts;
}

function toStream(
  body: BoundedBody,
  { filter, texts }: Partial<Filtering> = {},
): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (let out = new Uint8Array(0); out.length === 0;) {
          if (texts?.isSettled === false) await texts.settle();
          const chunk = await body.read();
          if (chunk === undefined) {
            void body.cancel();
            return controller.close();
          }
          bytes += chunk.length;
          out = filter === undefined ? chunk : encoder.encode(await filter.take(chunk));
          // Freed now, as in a body that is read as a whole.
          if (filter !== undefined) chunk.buffer.transfer(0);
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
