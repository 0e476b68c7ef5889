import { assertEquals, assertLess, assertThrows } from "@std/assert";
import fc from "fast-check";
import { LineSplitter, MAX_LINE_BYTES } from "../../../src/shared/framing.ts";

const NO_LIMIT = MAX_LINE_BYTES;

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The lines that a chunk completes. */
function push(splitter: LineSplitter, chunk: Uint8Array): string[] {
  return [...splitter.lines(chunk)];
}

/** All lines of a byte stream that comes in these chunks. */
function split(chunks: Iterable<Uint8Array>, maxLineBytes = NO_LIMIT): string[] {
  const splitter = new LineSplitter(maxLineBytes);
  return Array.from(chunks).flatMap((chunk) => push(splitter, chunk));
}

/** Cuts bytes at the given places, in any order and with repetitions. */
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  const bounds = [0, ...sorted, bytes.length];
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index]!, end));
}

const anyLine = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", ""));

Deno.test("LineSplitter gives the same lines however the bytes are cut", () => {
  fc.assert(fc.property(fc.array(anyLine), fc.array(fc.nat()), (lines, places) => {
    const bytes = toBytes(lines.map((line) => `${line}\n`).join(""));
    assertEquals(split(cutAt(bytes, places)), lines);
  }));
});

Deno.test("LineSplitter gives the same lines when every byte comes alone", () => {
  fc.assert(fc.property(fc.array(anyLine), (lines) => {
    const bytes = toBytes(lines.map((line) => `${line}\n`).join(""));
    assertEquals(split(Array.from(bytes, (byte) => Uint8Array.of(byte))), lines);
  }));
});

Deno.test("LineSplitter joins a character whose bytes come in different chunks", () => {
  const bytes = toBytes("a😀b\n");
  assertEquals(split([bytes.subarray(0, 3), bytes.subarray(3, 4), bytes.subarray(4)]), ["a😀b"]);
});

Deno.test("LineSplitter keeps a byte order mark and a carriage return", () => {
  assertEquals(split([toBytes("\uFEFFa\r\n")]), ["\uFEFFa\r"]);
});

Deno.test("LineSplitter gives an empty line for two newlines in a row", () => {
  assertEquals(split([toBytes("a\n\nb\n")]), ["a", "", "b"]);
});

Deno.test("LineSplitter holds an unfinished line back, and rest() gives it once", () => {
  const splitter = new LineSplitter(NO_LIMIT);
  assertEquals(push(splitter, toBytes("a\nunfini")), ["a"]);
  assertEquals(push(splitter, toBytes("shed")), []);
  assertEquals(splitter.rest(), "unfinished");
  assertEquals(splitter.rest(), "");
});

Deno.test("LineSplitter does not care what happens to a chunk after lines()", () => {
  const splitter = new LineSplitter(NO_LIMIT);
  const reused = toBytes("abc");
  assertEquals(push(splitter, reused), []);
  reused.fill(0);
  assertEquals(push(splitter, toBytes("d\n")), ["abcd"]);
});

Deno.test("LineSplitter takes a line of exactly the limit, in one chunk and in many", () => {
  const bytes = toBytes("12345678\n12345678\n");
  assertEquals(split([bytes], 8), ["12345678", "12345678"]);
  assertEquals(split(Array.from(bytes, (byte) => Uint8Array.of(byte)), 8), [
    "12345678",
    "12345678",
  ]);
});

Deno.test("LineSplitter throws on a line one byte over the limit, in one chunk and in many", () => {
  const bytes = toBytes("123456789\n");
  assertThrows(() => split([bytes], 8), Error, "A line is longer than 8 bytes");
  const alone = Array.from(bytes, (byte) => Uint8Array.of(byte));
  assertThrows(() => split(alone, 8), Error, "A line is longer than 8 bytes");
});

Deno.test("LineSplitter throws on an over-long line before its newline comes", () => {
  assertThrows(() => split([toBytes("12345"), toBytes("6789")], 8), Error, "longer than 8 bytes");
});

Deno.test("LineSplitter counts the limit in bytes, not in characters", () => {
  assertThrows(() => split([toBytes("😀😀😀\n")], 8), Error, "longer than 8 bytes");
});

Deno.test("LineSplitter takes a replacement character that was sent as one", () => {
  assertEquals(split([toBytes("a\uFFFDb\n")]), ["a\uFFFDb"]);
});

Deno.test("LineSplitter throws on bytes that are not UTF-8", () => {
  const invalid = {
    "a continuation byte alone": [0x80],
    "a character cut short": [0xf0, 0x9f, 0x98],
    "an overlong form": [0xc0, 0xaf],
    "a surrogate": [0xed, 0xa0, 0x80],
    "a byte that never occurs": [0xff],
  };
  for (const [name, bytes] of Object.entries(invalid)) {
    assertThrows(() => split([Uint8Array.of(...bytes, 10)]), TypeError, undefined, name);
  }
});

Deno.test("LineSplitter leaves out a line that cannot be had and tells of it once, where that is wanted", () => {
  const faults: string[] = [];
  const onFault = (error: unknown) => faults.push((error as Error).name);
  const sent = [
    ...["a\n123456789\nb\n", "12345", "6789", "0".repeat(1000), "1\nc", "\n"].map(toBytes),
    Uint8Array.of(0xff, 10, 100, 10, 0xff),
    toBytes("\n12345678"),
    toBytes("9\ne\n123456789"),
  ];
  for (const [name, chunks] of [["as sent", sent], ["byte by byte", bytewise(sent)]] as const) {
    faults.length = 0;
    const splitter = new LineSplitter(8, { onFault });
    const lines = chunks.flatMap((chunk) => push(splitter, chunk));
    assertEquals([...lines, splitter.rest()], ["a", "b", "c", "d", "e", ""], name);
    const long = "LineTooLongError";
    assertEquals(faults, [long, long, "TypeError", "TypeError", long, long], name);
  }
});

function bytewise(chunks: readonly Uint8Array[]): Uint8Array[] {
  return chunks.flatMap((chunk) => Array.from(chunk, (byte) => Uint8Array.of(byte)));
}

/** Time of the quickest of three calls, in milliseconds. */
function quickest(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

Deno.test("LineSplitter takes a 20 MB line in 1 KB chunks in linear time", () => {
  const chunk = new Uint8Array(1024).fill(97);
  const chunks = 20 * 1024;
  // What nobody can do without: find the newline, copy the bytes once, decode them.
  const floorMs = quickest(() => {
    const whole = new Uint8Array(chunks * chunk.length);
    for (let index = 0; index < chunks; index++) {
      if (chunk.indexOf(10) === -1) whole.set(chunk, index * chunk.length);
    }
    return new TextDecoder().decode(whole);
  });
  const takenMs = quickest(() => {
    const splitter = new LineSplitter(NO_LIMIT);
    for (let index = 0; index < chunks; index++) push(splitter, chunk);
    return push(splitter, Uint8Array.of(10));
  });
  // Copying all that came before with each chunk would take about 10,000 times the floor.
  assertLess(takenMs, 50 * floorMs + 50);
});

Deno.test("LineSplitter takes a line byte by byte in memory linear to its length", () => {
  const splitter = new LineSplitter(NO_LIMIT);
  const byte = Uint8Array.of(97);
  const used = () => {
    const { heapUsed, external } = Deno.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  for (let count = 0; count < 2_000_000; count++) push(splitter, byte);
  // An object for each byte would be 200 MB and more; the slack is for garbage not yet collected.
  assertLess(used() - before, 100_000_000);
  assertEquals(splitter.rest().length, 2_000_000);
});
