/** The runtime sent over stdin, for containers into which no folder can be mounted. */
import { RUNTIME_FILES } from "../../languages/python/runtime_files.ts";
import type { RuntimeFiles } from "./ipc_folder.ts";

/** Program for `python3 -c` that takes {@link toLoaderInput} and becomes the runtime's entry. */
export const LOADER: string = RUNTIME_FILES["loader.py"]!;

/** What the loader reads: eight hexadecimal digits for the length, then the files as JSON. */
export function toLoaderInput(files: RuntimeFiles): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(JSON.stringify(files));
  const head = new TextEncoder().encode(body.length.toString(16).padStart(8, "0"));
  const input = new Uint8Array(head.length + body.length);
  input.set(head);
  input.set(body, head.length);
  return input;
}

/** A stream that sends `head` before anything else. */
export function withHead(
  stream: WritableStream<Uint8Array>,
  head: Uint8Array,
): WritableStream<Uint8Array> {
  const writer = stream.getWriter();
  return new WritableStream({
    start: () => writer.write(head),
    write: (chunk) => writer.write(chunk),
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
}
