import { assertEquals, assertRejects } from "@std/assert";
import { EventFilter } from "../../../../src/downstream/transport/message_texts.ts";
import { LineTooLongError } from "../../../../src/shared/framing.ts";

/** What is handed on of a stream that comes in pieces, and the messages in it. */
async function filter(stream: string, step = stream.length, replace = (text: string) => text) {
  const messages: string[] = [];
  const events = new EventFilter((text) => {
    messages.push(text);
    return Promise.resolve(replace(text));
  }, 1000);
  let out = "";
  const bytes = new TextEncoder().encode(stream);
  for (let at = 0; at < bytes.length; at += step) {
    out += await events.take(bytes.slice(at, at + step));
  }
  return { out, messages, heldBytes: events.heldBytes };
}

Deno.test("EventFilter reads lines by each of their ends, however they are cut", async () => {
  for (const end of ["\n", "\r", "\r\n"]) {
    const lines = ["event: message", "id: 7", "data: {", "data:}", "", "data: é", "", ""];
    for (const step of [1, 2, 3, 1000]) {
      const { out, messages } = await filter(lines.join(end), step);
      assertEquals(out, "event: message\nid: 7\ndata: { }\n\ndata: é\n\n", JSON.stringify(end));
      assertEquals(messages, ["{\n}", "é"]);
    }
  }
});

Deno.test("EventFilter hands on what stands in place of a message, and no comment", async () => {
  const { out } = await filter(": hello\ndata: 1\n: x\n\n", 1000, () => "[]");
  assertEquals(out, "data: []\n\n");
});

Deno.test("EventFilter holds a message until it ends, and no longer than is allowed", async () => {
  const { out, heldBytes } = await filter("data: 12\ndata: 3");
  assertEquals([out, heldBytes], ["", 15]);
  await assertRejects(() => filter("data: 1234\n".repeat(101), 7), LineTooLongError);
  await assertRejects(() => filter("x".repeat(1001), 7), LineTooLongError);
  assertEquals((await filter("data: 1234\n\n".repeat(500), 7)).messages.length, 500);
});
