import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  checkJson,
  type JsonCheck,
  type JsonCheckOptions,
} from "../../../../src/shared/json/json_check.ts";
import { findMember } from "../../../../src/shared/json/json_span.ts";

function check(text: string, options: Partial<JsonCheckOptions> = {}): JsonCheck {
  const steps = checkJson(text, { maxDepth: 1000, ...options });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Whether a text is JSON, by whom everybody asks. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isTaken(text: string): boolean {
  try {
    check(text);
    return true;
  } catch (error) {
    assert(error instanceof SyntaxError, String(error));
    return false;
  }
}

function count(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, part) => sum + count(part), 1 + own);
}

Deno.test("checkJson() takes what JSON.parse takes and nothing else, whatever the text is", () => {
  const piece = fc.constantFrom(
    ...'{}[]",:\\ \n\t\r\u0000\u001f\u2028\u00a0\ufeff',
    ...["1", "0", "-", "+", ".", "e", "E", "01", "1.5", "-0", "1e5", "tru", "true", "null", "nul"],
    ...[
      '"a":',
      '"\\"',
      "\\u12",
      "\\u12aF",
      "\\x",
      '"\\n"',
      "é",
      "\ud800",
      "false",
      "Infinity",
      "NaN",
    ],
  );
  const pieces = fc.array(piece, { maxLength: 8 }).map((all) => all.join(""));
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof(pieces, fc.json(), fc.string({ unit: "binary" })), pieces, (one, two) => {
      for (const text of [one, one + two, `[${one}]`, `{"a":${one}}`, `"${one}"`]) {
        const expected = isJson(text);
        if (expected) taken++;
        assertEquals(isTaken(text), expected, JSON.stringify(text));
      }
    }),
    { numRuns: 2000 },
  );
  assert(taken > 1500, `Only ${taken} texts were JSON`);
});

Deno.test("checkJson() counts the values and finds the last of several members", () => {
  const names = fc.constantFrom("a", "b", "\\u0061", "aa", "\\u0062");
  const value = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("1", '"a"', "[]", "{}"),
      fc.array(tie("value"), { maxLength: 3 }).map((all) => `[ ${all.join(" ,")}]`),
      fc.array(fc.tuple(names, tie("value")), { maxLength: 4 })
        .map((all) => `{${all.map(([name, part]) => `"${name}" : ${part}`).join(",")} }`),
    ),
  })).value;
  let found = 0;
  fc.assert(
    fc.property(value, (text) => {
      const outer = findMember(text, "a");
      const inner = outer && findMember(text, "b", outer.start);
      const checked = check(text, { path: ["a", "b"] });
      assertEquals([checked.found?.start, checked.found?.end], [inner?.start, inner?.end], text);
      if (inner === undefined) return;
      found++;
      const part = text.slice(inner.start, inner.end);
      assertEquals(checked.found?.values, check(part).values);
    }),
    { numRuns: 2000 },
  );
  assert(found > 40, `Only ${found} were there`);
  fc.assert(fc.property(fc.json(), (text) => {
    assertEquals(check(text).values, count(JSON.parse(text)));
  }));
});

Deno.test("checkJson() passes over long strings, and sees what is wrong in them", () => {
  const long = "x".repeat(1000);
  for (const middle of ["", '\\"', "\\\\", "\\u1234", "\n", "\\", "\\q", '"', "\\ud8"]) {
    const text = `["${long}${middle}${long}"]`;
    assertEquals(isTaken(text), isJson(text), JSON.stringify(middle));
  }
});

Deno.test("checkJson() takes as many levels as are allowed, in memory of its own", () => {
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  assertEquals(check(deep(100_000), { maxDepth: 100_000 }).values, 100_000);
  assertThrows(() => check(deep(101), { maxDepth: 100 }), SyntaxError, "More than 100 levels");
});

Deno.test("checkJson() stops between values of a long text", () => {
  const text = `[${"[],".repeat(2_000_000)}[]]`;
  assertEquals([...checkJson(text, { maxDepth: 2 })].length >= 4, true);
});
