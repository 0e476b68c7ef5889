/**
 * `fetch` with a limit on what a server can make us hold: the same 64 MiB for one message as on stdio. In
 * an event stream a message is a line and the stream has no end; any other body is one message.
 */
import { MAX_LINE_BYTES } from "../shared/framing.ts";

/** The part of `fetch` that the SDK uses. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

const NEWLINE = 10;

/** A `fetch` whose responses fail beyond `maxMessageBytes`; `onTooLong` is told before they do. */
export function createBoundedFetch(
  onTooLong: () => void,
  maxMessageBytes: number = MAX_LINE_BYTES,
): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    let bytes = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const newline = isStream ? chunk.lastIndexOf(NEWLINE) : -1;
        bytes = newline === -1 ? bytes + chunk.length : chunk.length - newline - 1;
        if (bytes > maxMessageBytes) {
          onTooLong();
          throw new Error(`A message is longer than ${maxMessageBytes} bytes`);
        }
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  };
}
