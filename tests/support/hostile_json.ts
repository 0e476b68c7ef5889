/** Random JSON as a hostile server would send it: any key, any type in any place, any depth and size. */
import fc from "fast-check";
import { HOSTILE_WORDS } from "./hostile_words.ts";

/** Words of the protocol and of JSON Schema, where they do not belong. */
const WORDS: readonly string[] = [
  ...HOSTILE_WORDS,
  ..."$ref $defs properties required items anyOf allOf oneOf enum const default type title".split(
    " ",
  ),
  ..."description additionalProperties patternProperties prefixItems nullable x-mcp-header".split(
    " ",
  ),
  ..."content structuredContent isError _meta text data mimeType resource uri blob result".split(
    " ",
  ),
  ..."0 5 1e3 a a_b a-b A B class None 列 ﬁ".split(" "),
  "",
  "\ud800",
  "\0",
  "\u2028",
];

/** A key or a name. */
export const hostileKey: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);

const leaf: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 53, "", "#", "#/a") },
  { weight: 4, arbitrary: hostileKey },
  {
    weight: 3,
    arbitrary: fc.constantFrom("object", "array", "string", "integer", "null", "image", "resource"),
  },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(300), "9".repeat(400), "#/properties/a") },
);

/** An object whose members are what `entries` gives, `__proto__` among them. */
export function objectOf(
  key: fc.Arbitrary<string>,
  value: fc.Arbitrary<unknown>,
  maxLength = 5,
): fc.Arbitrary<Record<string, unknown>> {
  return fc.array(fc.tuple(key, value), { maxLength }).map((entries) =>
    Object.fromEntries(entries)
  );
}

/** Any value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.letrec((tie) => {
  const value = tie("value");
  return {
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { weight: 3, arbitrary: leaf },
      { weight: 1, arbitrary: fc.array(value, { maxLength: 4 }) },
      { weight: 3, arbitrary: objectOf(hostileKey, value) },
    ),
  };
}).value as fc.Arbitrary<unknown>;

/** How the text of a value is made worse: wrapped very often, or given very many members. */
const wrapper: fc.Arbitrary<(json: string) => string> = fc.oneof(
  { weight: 250, arbitrary: fc.constant((json: string) => json) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom(["[", "]"], ['{"a":', "}"], ['{"5":', "}"], ['{"toJSON":[', "]}"]),
      fc.constantFrom(50, 101, 1200, 20_000),
    ).map(([[open, close], count]) => (json: string) =>
      open!.repeat(count) + json + close!.repeat(count)
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(50, 2000).map((count) => (json: string) =>
      `{${Array.from({ length: count }, (_, at) => `"k${at}":${json}`).join(",")}}`
    ),
  },
);

/** The JSON of any value, now and then a very deep or a very wide one. */
export const hostileJson: fc.Arbitrary<string> = fc.tuple(hostileValue, wrapper).map((
  [value, wrap],
) => wrap(JSON.stringify(value)));
