import { assert, assertEquals } from "@std/assert";
import { toCallSpec } from "../../../../src/languages/python/call_spec.ts";

const text = { type: "string" };
const spec = (inputSchema: Record<string, unknown>, maxChars?: number) =>
  toCallSpec({ alias: "f", inputSchema }, maxChars).call;

Deno.test("toCallSpec() has all that a call is taken by", () => {
  const call = spec({
    type: "object",
    properties: {
      city: { ...text, description: "Where" },
      from: { type: "integer", default: null },
      "x-y": { ...text, default: "z" },
    },
    required: ["city"],
    additionalProperties: true,
  });
  assertEquals(call, {
    parameters: [
      { name: "city", type: "str", required: true, positional: true },
      { name: "from", label: "from_", type: "int", default: null },
      { name: "x-y", label: null, default: "z" },
    ],
    open: true,
    rest: 'arguments: Unpack[{"x-y": NotRequired[str]}]',
    notes: ["city: Where"],
  });
});

Deno.test("toCallSpec() takes everything where a schema says nothing", () => {
  for (const schema of [{ properties: [] }, { required: 5 }, { $ref: "#" }, { allOf: 1 }, {}]) {
    assertEquals(spec(schema), { parameters: [], open: true, rest: "arguments", notes: [] });
  }
});

Deno.test("toCallSpec() is bounded where a few lines unfold to much", () => {
  const names = (count: number, part: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`name_${at}`, part]));
  const big = {
    type: "object",
    properties: names(20, { enum: Array.from({ length: 12 }, (_, at) => `${at}`.repeat(20)) }),
    default: "x".repeat(3000),
    description: "d".repeat(500),
  };
  const schema = { properties: names(200, { $ref: "#/$defs/big" }), $defs: { big } };
  const { signature, call, chars } = toCallSpec({ alias: "f", inputSchema: schema });
  assertEquals(call.parameters.length, 200);
  assert(signature.length <= 1000 && chars <= 10_000, `${signature.length} and ${chars}`);
  assert(JSON.stringify(call).length < 30_000);
  const poor = toCallSpec({ alias: "f", inputSchema: schema }, 0);
  assertEquals([poor.chars, poor.call.notes, poor.call.parameters[3]], [0, [], { name: "name_3" }]);
});

Deno.test("toCallSpec() notes what a reference says beside a default of its own", () => {
  const city = { ...text, description: "Where" };
  const properties = { city: { $ref: "#/$defs/city", default: "Oslo" } };
  assertEquals(spec({ properties, $defs: { city } }).notes, ["city: Where"]);
});
