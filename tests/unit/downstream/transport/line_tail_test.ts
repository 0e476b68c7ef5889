import { assertEquals } from "@std/assert";
import { LineTail } from "../../../../src/downstream/transport/line_tail.ts";

const push = (tail: LineTail, text: string) => tail.push(new TextEncoder().encode(text));

Deno.test("LineTail keeps the last lines, whole ones and the one that is open", () => {
  const tail = new LineTail({ maxLines: 3 });
  push(tail, "a\nb\nc\nd");
  assertEquals(tail.lines(), ["b", "c", "d"]);
  push(tail, "d\ne\n");
  assertEquals(tail.lines(), ["c", "dd", "e"]);
});

Deno.test("LineTail leaves out blank lines, colours and control characters", () => {
  const tail = new LineTail();
  push(tail, "\x1b[31mred\x1b[0m\r\n\n  \n\x07bell\n");
  assertEquals(tail.lines(), ["red", "\ufffdbell"]);
});

Deno.test("LineTail puts letters together that arrive in two chunks", () => {
  const tail = new LineTail();
  const bytes = new TextEncoder().encode("é");
  tail.push(bytes.subarray(0, 1));
  tail.push(bytes.subarray(1));
  assertEquals(tail.lines(), ["é"]);
});

Deno.test("LineTail holds little of a line without end, and of very many lines", () => {
  const tail = new LineTail({ maxLines: 2, maxLineChars: 10 });
  for (let times = 0; times < 1000; times++) push(tail, "x".repeat(1000));
  assertEquals(tail.lines(), ["x".repeat(10)]);
  push(tail, "\n" + "y\n".repeat(100_000));
  assertEquals(tail.lines(), ["y", "y"]);
});
