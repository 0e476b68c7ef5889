import { assertEquals, assertThrows } from "@std/assert";
import { batchOf, readMessage } from "../../../../src/downstream/transport/long_message.ts";

const MANY = `[${"[],".repeat(600_000)}[]]`;

function read(text: string): { short: string; text: string } {
  const steps = readMessage(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

Deno.test("readMessage() leaves structured content as text, however many values are in it", () => {
  const text = `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"a":${MANY}}}}`;
  const short = '{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{}}}';
  assertEquals(read(text), { short, text });
});

Deno.test("readMessage() gives an error in place of an answer that holds too many values", () => {
  for (const result of [`{"more":${MANY}}`, `{"structuredContent":${MANY}}`, MANY]) {
    const { short, text } = read(`{"jsonrpc":"2.0","id":7,"result":${result}}`);
    assertEquals(text, short);
    const { id, error } = JSON.parse(short);
    assertEquals(id, 7);
    assertEquals(
      error.message.replaceAll(/\d{6,}/g, "N"),
      "It sent an answer that is none: it holds N values; at most N are taken, " +
        'and N of them lists or objects, "structuredContent" apart',
    );
  }
});

Deno.test("readMessage() gives nothing in place of another message that holds too many values", () => {
  for (const rest of ['"method":"ping","id":1', '"method":"notifications/message"', '"id":[1]']) {
    assertEquals(read(`{"jsonrpc":"2.0",${rest},"params":{"a":${MANY}}}`).short, "[]");
  }
});

Deno.test("readMessage() takes long strings and deep lists as they are, and nothing that is no JSON", () => {
  const deep = `{"id":1,"result":{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`;
  for (const text of [`{"id":1,"result":{"a":"${"x".repeat(2_000_000)}"}}`, deep]) {
    assertEquals(read(text), { short: text, text });
  }
  assertThrows(() => read(`{"a":${MANY}`), SyntaxError);
});

Deno.test("batchOf() ends a batch that does not end by itself", () => {
  assertEquals(batchOf(' {"a":[1]}'), undefined);
  assertEquals([...batchOf(' [{"a":[1]} , 2]')!], ['{"a":[1]}', "2"]);
  assertEquals([...batchOf(MANY)!].length, 10_000);
});
