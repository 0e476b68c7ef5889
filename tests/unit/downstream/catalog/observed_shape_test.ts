import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  mergeShapes,
  readShape,
  type Shape,
  shapeOfJson,
} from "../../../../src/downstream/catalog/observed_shape.ts";
import { toSignature } from "../../../../src/languages/python/signature.ts";

const toShape = (value: unknown) => shapeOfJson(JSON.stringify(value));

const type = (...values: unknown[]) =>
  toSignature({
    alias: "f",
    inputSchema: { type: "object", properties: {} },
    observed: values.map(toShape).reduce(mergeShapes),
  }).slice("f() -> ".length);

Deno.test("toShape() knows the types of values", () => {
  const cases: Array<[unknown, string]> = [
    ["text", "str"],
    [1, "int"],
    [1.5, "float"],
    [true, "bool"],
    [null, "None"],
    [[], "list"],
    [{}, "dict"],
    [[1, 2.5], "list[float]"],
    [["a", null], "list[str | None]"],
    [{ a: 1, b: { c: "x" } }, '{"a": int, "b": {"c": str}}'],
    [[{ a: 1 }, { a: 2, b: 3 }], 'list[{"a": int, "b": NotRequired[int]}]'],
    [{ result: 1 }, '{"result": int}'],
  ];
  for (const [value, expected] of cases) assertEquals(type(value), expected);
});

Deno.test("mergeShapes() keeps what results have in common", () => {
  assertEquals(type({ a: 1 }, { a: null, b: "x" }), '{"a": int | None, "b": NotRequired[str]}');
  assertEquals(type({ a: 1 }, "nothing found"), '{"a": int} | str');
  assertEquals(
    type({ ok: true }, { error: "x" }),
    '{"ok": NotRequired[bool], "error": NotRequired[str]}',
  );
  assertEquals(type([], [{ a: 1 }]), 'list[{"a": int}]');
  // Every object of JavaScript has such a member.
  assertEquals(
    type({ constructor: "Ferrari" }, { toString: 1 }),
    '{"constructor": NotRequired[str], "toString": NotRequired[int]}',
  );
});

Deno.test("toShape() takes keys that are data for data and keeps none of them", () => {
  const many = Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`key${at}`, at]));
  for (
    const data of [
      many,
      { "ada@example.com": 1 },
      { "2024-01-31": 1 },
      { "/etc/passwd": 1, a: 2 },
      { "1": 1 },
      { "9f86d081884c7d65": 1 },
      { "Ada Lovelace": 1 },
      { user_12345: 1 },
    ]
  ) {
    assertEquals(toShape(data), { type: ["object"], additionalProperties: { type: ["integer"] } });
  }
  const cities = (names: string) =>
    Object.fromEntries(names.split(" ").map((name) => [name, { celsius: 1 }]));
  assertEquals(
    type(cities("Oslo Lima Lagos Berlin"), cities("Paris Rome Bern Cairo")),
    'dict[str, {"celsius": int}]',
  );
});

Deno.test("shapes stay small, whatever is looked at", () => {
  const wide = { list: Array.from({ length: 100_000 }, (_, at) => ({ id: at })) };
  assertEquals(type(wide), '{"list": list[{"id": int}]}');
  const deep = `${'{"deep":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  assert(JSON.stringify(shapeOfJson(deep)).length < 1000);
  const bushy = (depth: number): unknown =>
    depth === 0 ? 1 : Object.fromEntries([..."abcdefgh"].map((key) => [key, bushy(depth - 1)]));
  let shape = toShape(bushy(5));
  for (let round = 0; round < 50; round++) {
    shape = mergeShapes(shape, toShape({ [`x${String.fromCharCode(97 + round % 26)}`]: bushy(4) }));
  }
  assert(JSON.stringify(shape).length < 100_000);
});

Deno.test("a shape has no value of what was looked at, fits it and survives its file", () => {
  const secret = "s3cr3t value";
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(secret, 1, 2.5, true, null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom("a", "b", "c"), fc.string()), tie("value"), {
        maxKeys: 5,
      }),
    ),
  })).value;
  fc.assert(fc.property(value, value, (a, b) => {
    const merged = mergeShapes(toShape(a), toShape(b));
    const text = JSON.stringify(merged);
    assert(!text.includes(secret));
    assertEquals(readShape(JSON.parse(text)), JSON.parse(text));
    assert(fits(a, merged) && fits(b, merged), text);
  }));
});

/** Whether a value is what a shape says, by the rules of JSON Schema. */
function fits(value: unknown, shape: Shape): boolean {
  if (value === null) return shape.type.includes("null");
  if (Array.isArray(value)) {
    return shape.type.includes("array") &&
      value.every((item) => shape.items === undefined || fits(item, shape.items));
  }
  if (typeof value === "object") {
    const { properties, required = [], additionalProperties: other } = shape;
    return shape.type.includes("object") && required.every((key) => Object.hasOwn(value, key)) &&
      Object.entries(value).every(([key, part]) => {
        const of = properties && Object.hasOwn(properties, key) ? properties[key] : other;
        return of !== undefined && fits(part, of);
      });
  }
  if (typeof value !== "number") return shape.type.includes(typeof value);
  return shape.type.includes("number") ||
    (Number.isInteger(value) && shape.type.includes("integer"));
}
