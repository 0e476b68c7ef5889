import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  findMember,
  items,
  members,
  type Span,
  valueSpan,
} from "../../../../src/shared/json/json_span.ts";

const part = (text: string, span: Span | undefined) =>
  span === undefined ? undefined : text.slice(span.start, span.end);

/** Any JSON text, with white space where it may stand, names twice and characters escaped or not. */
const json = fc.letrec<{ value: string; string: string }>((tie) => {
  const space = fc.constantFrom("", "", " ", "\n\t ", "\r\n");
  const char = fc.oneof(
    fc.constantFrom('\\"', "\\\\", "\\n", "\\u0041", "\\ud83d", "{", "}", "[", "]", ",", ":", "'"),
    fc.string({ unit: "binary", maxLength: 30 }).map((text) => JSON.stringify(text).slice(1, -1)),
  );
  const list = (one: fc.Arbitrary<string>) =>
    fc.array(fc.tuple(space, one, space).map((all) => all.join("")), { maxLength: 5 });
  const string = fc.array(char, { maxLength: 12 }).map((chars) => `"${chars.join("")}"`);
  return {
    string,
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom("null", "true", "1.0", "-0.0", "1e400", "9007199254740993", "-12E-3"),
      tie("string"),
      list(tie("value")).map((all) => `[${all.join(",") || " "}]`),
      list(
        fc.tuple(fc.oneof(fc.constant('"a"'), tie("string")), space, space, tie("value"))
          .map(([name, before, after, value]) => `${name}${before}:${after}${value}`),
      ).map((all) => `{${all.join(",")}}`),
    ),
  };
}).value;

Deno.test("members() and items() find each value that JSON.parse finds, with its text", () => {
  fc.assert(
    fc.property(json, fc.constantFrom("", " \n"), (value, space) => {
      const text = space + value + space;
      const parsed = JSON.parse(text);
      assertEquals(part(text, valueSpan(text)), value);
      if (Array.isArray(parsed)) {
        assertEquals([...items(text)].map((span) => JSON.parse(part(text, span)!)), parsed);
        assertEquals([...members(text)], []);
      } else if (typeof parsed === "object" && parsed !== null) {
        const found = [...members(text)].map((span) => [span.name, JSON.parse(part(text, span)!)]);
        assertEquals(Object.fromEntries(found), parsed);
        for (const [name, expected] of Object.entries(parsed)) {
          assertEquals(JSON.parse(part(text, findMember(text, name))!), expected);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

Deno.test("a part of any text closes what it opens and no more", () => {
  const piece = fc.constantFrom(...'{}[]",:\\ \n1a', '"a":', '"\\"', "true");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }).map((all) => all.join("")), (text) => {
      const value = valueSpan(text);
      const found = [...members(text), ...items(text), ...(value ? [value] : [])];
      for (const span of found) {
        assert(0 <= span.start && span.start < span.end && span.end <= text.length);
        assert(isClosed(part(text, span)!), JSON.stringify(part(text, span)));
      }
    }),
    { numRuns: 5000 },
  );
});

/** Whether strings end and brackets close, told by another way than the one that is tested. */
function isClosed(text: string): boolean {
  const outside = text.replaceAll(/"(?:[^"\\]|\\[^])*"/g, "");
  let depth = 0;
  for (const char of outside) {
    if (char === '"') return false;
    if ("{[".includes(char)) depth++;
    else if ("}]".includes(char) && --depth < 0) return false;
    else if (depth === 0 && ",:".includes(char)) return false;
  }
  return depth === 0;
}

Deno.test("findMember() takes the last of several names, however they are written", () => {
  const text = '{"a":1,"\\u0061":2, "b" : {"a":3}}';
  assertEquals(part(text, findMember(text, "a")), "2");
  const inner = findMember(text, "b")!;
  assertEquals(part(text, findMember(text, "a", inner.start)), "3");
  assertEquals(findMember(text, "c"), undefined);
  assertEquals(findMember('["a", 1]', "a"), undefined);
});

Deno.test("valueSpan() takes 100,000 levels and a million backslashes in linear time", () => {
  const deep = `${"[".repeat(100_000)}1${"]".repeat(100_000)}`;
  assertEquals(valueSpan(deep)?.end, deep.length);
  assertEquals(valueSpan(deep.slice(1)), { start: 0, end: deep.length - 2 });
  assertEquals(valueSpan(deep.slice(0, -1)), undefined);
  const slashes = `"${"\\".repeat(1_000_000)}"`;
  assertEquals(valueSpan(slashes)?.end, slashes.length);
  const quotes = `"${'\\"'.repeat(1_000_000)}"`;
  assertEquals(valueSpan(quotes)?.end, quotes.length);
  assertEquals(valueSpan(quotes.slice(0, -1)), undefined);
});
