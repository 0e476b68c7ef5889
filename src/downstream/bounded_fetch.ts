/**
 * `fetch` for one connection: the arguments of calls are put into what is sent, the texts of messages are
 * noted as they come, and there is a limit on what a server can make us hold: the same 64 MiB for one
 * message as on stdio. In an event stream a message is a line and the stream has no end; any other body is
 * one message.
 */
import { MAX_LINE_BYTES } from "../shared/framing.ts";
import type { CallTexts } from "./call_texts.ts";
import { readMessages } from "./message_texts.ts";

/** The part of `fetch` that the SDK uses. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

const NEWLINE = 10;

/** A `fetch` whose responses fail beyond `maxMessageBytes`; `onTooLong` is told before they do. */
export function createBoundedFetch(
  texts: CallTexts,
  onTooLong: () => void,
  maxMessageBytes: number = MAX_LINE_BYTES,
): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, complete(init, texts));
    if (response.body === null) return response;
    const contentType = response.headers.get("content-type");
    const isStream = contentType?.includes("text/event-stream") ?? false;
    const messages = readMessages(contentType, (text) => texts.came(text));
    let bytes = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const newline = isStream ? chunk.lastIndexOf(NEWLINE) : -1;
        bytes = newline === -1 ? bytes + chunk.length : chunk.length - newline - 1;
        if (bytes > maxMessageBytes) {
          onTooLong();
          throw new Error(`A message is longer than ${maxMessageBytes} bytes`);
        }
        // Before it is handed on: who gets a message must find its text noted.
        messages?.push(chunk);
        controller.enqueue(chunk);
      },
      flush: () => messages?.end(),
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  };
}

function complete(init: RequestInit | undefined, texts: CallTexts): RequestInit | undefined {
  return typeof init?.body === "string" ? { ...init, body: texts.complete(init.body) } : init;
}
