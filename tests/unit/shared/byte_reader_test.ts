import { assertEquals } from "@std/assert";
import { openReader } from "../../../src/shared/framing.ts";

async function readAll(readable: ReadableStream<Uint8Array>): Promise<string> {
  const reader = openReader(readable);
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = await reader.read(); bytes !== undefined; bytes = await reader.read()) {
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

const PIECES = ["one", "two", "ü".repeat(200_000), ""];

Deno.test("openReader() reads a stream of chunks", async () => {
  const chunks = PIECES.map((piece) => new TextEncoder().encode(piece));
  assertEquals(await readAll(ReadableStream.from(chunks)), PIECES.join(""));
});

Deno.test("openReader() reads a stream of bytes, also one that ends with nothing", async () => {
  const pieces = [...PIECES];
  const readable = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(new TextEncoder().encode(piece));
      else {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
  });
  assertEquals(await readAll(readable), PIECES.join(""));
});

Deno.test("openReader() ends a read that waits when it is cancelled", async () => {
  for (const readable of [new ReadableStream(), new ReadableStream({ type: "bytes" })]) {
    const reader = openReader(readable);
    const waiting = reader.read();
    await reader.cancel();
    assertEquals(await waiting, undefined);
  }
});
