/** Bytes of a stream, through one buffer where the stream can use one. */

/** Size of that buffer. */
const BUFFER_BYTES = 256 * 1024;

/** Reads a stream. */
export interface ByteReader {
  /** The next bytes, good until the next call; undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Reads no more. */
  cancel(): Promise<void>;
}

/**
 * A reader that asks for no new memory with each chunk where that can be had, as with the pipe of a
 * process: a sandbox that prints 50 MB would otherwise leave 50 MB of chunks to be collected.
 */
export function openReader(readable: ReadableStream<Uint8Array>): ByteReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = readable.getReader({ mode: "byob" });
  } catch {
    return openChunkReader(readable);
  }
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (value !== undefined) buffer = value.buffer;
      return done ? undefined : value;
    },
    cancel: () => reader.cancel(),
  };
}

function openChunkReader(readable: ReadableStream<Uint8Array>): ByteReader {
  const reader = readable.getReader();
  return { read: async () => (await reader.read()).value, cancel: () => reader.cancel() };
}
