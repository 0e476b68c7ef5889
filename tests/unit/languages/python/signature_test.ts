import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { toSignature } from "../../../../src/languages/python/signature.ts";

type Json = Record<string, unknown>;

const object = (properties: Json, required: string[] = [], more: Json = {}): Json => ({
  type: "object",
  properties,
  required,
  ...more,
});

/** The text between the parentheses. */
function parameters(inputSchema: Json): string {
  const text = toSignature({ alias: "f", inputSchema });
  assert(text.startsWith("f(") && text.endsWith(") -> Any"), text);
  return text.slice(2, -") -> Any".length);
}

const typeOf = (schema: unknown, more: Json = {}) =>
  parameters(object({ x: schema }, ["x"], more)).replace(/^x: /, "");

Deno.test("toSignature() writes what a model can call", () => {
  const signature = toSignature({
    alias: "get_weather",
    inputSchema: object({
      city: { type: "string" },
      units: { type: "string", enum: ["c", "f"], default: "c" },
    }, ["city"]),
    outputSchema: { type: "object" },
  });
  assertEquals(
    signature,
    'get_weather(city: str, *, units: Literal["c", "f"] = "c") -> dict',
  );
});

Deno.test("toSignature() knows the types of JSON Schema", () => {
  const cases: Array<[unknown, string]> = [
    [{ type: "string" }, "str"],
    [{ type: "integer" }, "int"],
    [{ type: "number" }, "float"],
    [{ type: "boolean" }, "bool"],
    [{ type: "null" }, "None"],
    [{ type: "array" }, "list"],
    [{ type: "array", items: { type: "integer" } }, "list[int]"],
    [{ items: { type: "array", items: { type: "string" } } }, "list[list[str]]"],
    [{ type: "object" }, "dict"],
    [{ type: "object", additionalProperties: { type: "integer" } }, "dict[str, int]"],
    [{ type: ["string", "null"] }, "str | None"],
    [{ type: ["null", "integer", "string"] }, "int | str | None"],
    [{ anyOf: [{ type: "null" }, { type: "string" }] }, "str | None"],
    [
      { oneOf: [{ type: "integer" }, { type: "array", items: { type: "integer" } }] },
      "int | list[int]",
    ],
    [
      { anyOf: [{ anyOf: [{ type: "string" }, { type: "null" }] }, { type: "null" }] },
      "str | None",
    ],
    [{ type: "array", items: { type: ["integer", "null"] } }, "list[int | None]"],
    [{ allOf: [{ description: "x" }, { type: "string" }] }, "str"],
    [{ const: 3 }, "Literal[3]"],
    [{ enum: ["a", null] }, 'Literal["a"] | None'],
    [{ enum: [true, 1.5] }, "Literal[True, 1.5]"],
    [{ oneOf: [{ const: "a" }, { const: "b" }, { type: "null" }] }, 'Literal["a", "b"] | None'],
    [{ type: "string", enum: ["x".repeat(100)] }, "str"],
    [{ type: "string", nullable: true }, "str | None"],
    [{ prefixItems: [{ type: "number" }, { type: "string" }] }, "tuple[float, str]"],
    [{ type: "array", items: [{ type: "number" }, { type: "number" }] }, "tuple[float, float]"],
    [{ patternProperties: { "^x-": { type: "integer" } } }, "Any"],
    [{ type: "object", patternProperties: { "^x-": { type: "integer" } } }, "dict[str, int]"],
    [
      { allOf: [{ properties: { a: { type: "integer" } } }, { required: ["a"] }] },
      '{"a": int}',
    ],
    [
      { enum: [..."abcdefghijklmn"] },
      'Literal["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", ...]',
    ],
    [true, "Any"],
    [{}, "Any"],
    [{ type: "date" }, "Any"],
    [{ anyOf: [] }, "Any"],
    [{ enum: [] }, "Any"],
  ];
  for (const [schema, type] of cases) assertEquals(typeOf(schema), type, JSON.stringify(schema));
});

Deno.test("toSignature() spells out nested objects", () => {
  const point = object({ x: { type: "number" }, label: { type: "string" } }, ["x"]);
  assertEquals(typeOf(point), '{"x": float, "label": NotRequired[str]}');
  assertEquals(
    typeOf({ type: "array", items: point }),
    'list[{"x": float, "label": NotRequired[str]}]',
  );
  const deep = object({ a: object({ b: object({ c: { type: "string" } }) }) });
  assertEquals(typeOf(deep), '{"a": NotRequired[{"b": NotRequired[dict]}]}');
});

Deno.test("toSignature() follows references, also those that lead nowhere or back", () => {
  const definitions = { $defs: { city: { type: "string" }, "a/b": { type: "integer" } } };
  assertEquals(typeOf({ $ref: "#/$defs/city" }, definitions), "str");
  assertEquals(typeOf({ $ref: "#/$defs/a~1b" }, definitions), "int");
  assertEquals(typeOf({ $ref: "#/$defs/none" }, definitions), "Any");
  assertEquals(typeOf({ $ref: "https://example.com/schema" }), "Any");
  assertEquals(typeOf({ $ref: "#/properties/x" }), "Any");
  const node = object({ next: { $ref: "#/$defs/node" } });
  assertEquals(
    typeOf({ $ref: "#/$defs/node" }, { $defs: { node } }),
    '{"next": NotRequired[{"next": NotRequired[dict]}]}',
  );
});

Deno.test("toSignature() shows defaults as Python writes them", () => {
  const cases: Array<[unknown, string]> = [
    [{ type: "boolean", default: true }, "bool = True"],
    [{ anyOf: [{ type: "string" }, { type: "null" }], default: null }, "str | None = None"],
    [{ type: "array", default: [1, "a"] }, 'list = [1, "a"]'],
    [{ type: "object", default: { a: null } }, 'dict = {"a": None}'],
    [{ type: "string" }, "str = ..."],
    [{ type: "string", default: "x".repeat(500) }, "str = ..."],
  ];
  for (const [schema, text] of cases) {
    assertEquals(parameters(object({ x: schema })), `x: ${text}`, JSON.stringify(schema));
  }
  const $defs = { u: { type: "string", default: "a" } };
  assertEquals(parameters(object({ x: { $ref: "#/$defs/u" } }, [], { $defs })), 'x: str = "a"');
  assertEquals(
    parameters(object({ x: { $ref: "#/$defs/u", default: "b" } }, [], { $defs })),
    'x: str = "b"',
  );
});

Deno.test("toSignature() asks for names where the schema's order would mislead", () => {
  const schema = object({ limit: { type: "integer" }, query: { type: "string" } }, ["query"]);
  assertEquals(parameters(schema), "*, query: str, limit: int = ...");
});

Deno.test("toSignature() gives every argument a name of its own", () => {
  const text = { type: "string" };
  assertEquals(
    parameters(object({ from: text, from_: text, arguments: text, "x-y": text }, ["from"])),
    "*, from_: str = ..., arguments: str = ..., " +
      '**arguments_: Unpack[{"from": str, "x-y": NotRequired[str]}]',
  );
});

Deno.test("toSignature() finds arguments behind references, parts and choices", () => {
  const args = object({ a: { type: "integer" } }, ["a"]);
  assertEquals(parameters({ $ref: "#/$defs/args", $defs: { args } }), "a: int");
  assertEquals(
    parameters({ allOf: [args, object({ b: { type: "string" } })] }),
    "a: int, *, b: str = ...",
  );
  const either = [object({ k: { const: 1 }, x: {} }, ["k", "x"]), object({ k: {}, y: {} }, ["k"])];
  assertEquals(
    parameters({ oneOf: either }),
    "k: Literal[1], *, x: Any = ..., y: Any = ...",
  );
  assertEquals(
    parameters({ ...args, anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
    "a: int, *, b: Any = ...",
  );
});

Deno.test("toSignature() shows how to pass names that Python cannot write", () => {
  const text = { type: "string" };
  assertEquals(parameters(object({ from: text }, ["from"])), "from_: str");
  assertEquals(
    parameters(object({ to: text, "user-id": { type: "integer", default: 3 } }, ["to"])),
    'to: str, **arguments: Unpack[{"user-id": NotRequired[int]}]',
  );
});

Deno.test("toSignature() tells tools without arguments from those that take any", () => {
  assertEquals(parameters({ type: "object", properties: {} }), "");
  assertEquals(parameters({ type: "object" }), "**arguments");
  assertEquals(parameters({ type: "object", additionalProperties: false }), "");
  assertEquals(
    parameters(object({ a: { type: "string" } }, ["a"], { additionalProperties: true })),
    "a: str, **arguments",
  );
});

Deno.test("toSignature() opens a declared result", () => {
  const sign = (outputSchema: Json) =>
    toSignature({ alias: "f", inputSchema: { type: "object", properties: {} }, outputSchema });
  assertEquals(sign(object({ result: { type: "integer" } }, ["result"])), "f() -> int");
  assertEquals(
    sign(object({ result: { type: "integer" }, more: { type: "string" } }, ["result", "more"])),
    'f() -> {"result": int, "more": str}',
  );
});

Deno.test("toSignature() knows where the promised content arrives as bytes", () => {
  const sign = (items: Json) =>
    toSignature({
      alias: "f",
      inputSchema: { type: "object", properties: {} },
      outputSchema: object({ content: { type: "array", items } }, ["content"]),
    });
  const block = (type: Json) => object({ type }, ["type"]);
  assertEquals(sign(block({ enum: ["image", "audio"] })), "f() -> Blob | list");
  assertEquals(
    sign({ anyOf: [block({ const: "text" }), block({ const: "resource" })] }),
    "f() -> Blob | list",
  );
  assertEquals(
    sign(block({ const: "text" })),
    'f() -> {"content": list[{"type": Literal["text"]}]}',
  );
});

Deno.test("toSignature() stays short and quick for schemas that unfold without end", () => {
  const many = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [`parameter_${index}`, { type: "string" }]),
  );
  const long = toSignature({ alias: "f", inputSchema: object(many) });
  assert(long.length <= 1000 && long.endsWith(", **arguments) -> Any"), long.slice(-40));
  const bomb = {
    anyOf: Array.from({ length: 6 }, () => ({ type: "array", items: { $ref: "#" } })),
  };
  const startedAt = performance.now();
  toSignature({ alias: "f", inputSchema: { ...object({ x: { $ref: "#" } }), ...bomb } });
  assert(performance.now() - startedAt < 500);
});

Deno.test("toSignature() never throws", () => {
  const keyword = fc.constantFrom(
    "type",
    "properties",
    "items",
    "anyOf",
    "oneOf",
    "allOf",
    "$ref",
    "$defs",
    "enum",
    "const",
    "required",
    "default",
    "additionalProperties",
    "__proto__",
    "constructor",
  );
  const leaf = fc.oneof(
    fc.constantFrom("object", "array", "string", "null", "#", "#/properties/x", "#/%E0%A4%A", ""),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.array(tie("schema"), { maxLength: 4 }),
      fc.dictionary(keyword, tie("schema"), { maxKeys: 5 }),
    ),
  }));
  const root = fc.dictionary(keyword, schema, { maxKeys: 6 });
  fc.assert(
    fc.property(root, root, (inputSchema, outputSchema) => {
      const text = toSignature({ alias: "f", inputSchema, outputSchema });
      assert(text.length <= 1000);
    }),
    { numRuns: 500 },
  );
});
