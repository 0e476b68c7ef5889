import { assertEquals } from "@std/assert";
import { findHeaderFault } from "../../../../src/downstream/transport/header_arguments.ts";

const header = (name: unknown, type: unknown = "string") => ({ type, "x-mcp-header": name });
const object = (properties: Record<string, unknown>) => ({ type: "object", properties });

const FINE: ReadonlyArray<[what: string, schema: Record<string, unknown>]> = [
  ["no header", object({ a: { type: "string" } })],
  ["each type", object({ a: header("A"), b: header("B", "integer"), c: header("C", "boolean") })],
  ["an inner argument", object({ a: object({ b: header("B") }) })],
  ["an argument of that name", object({ "x-mcp-header": { type: "object" } })],
  ["the word in data", object({ a: { default: { "x-mcp-header": 5 }, enum: [header(5)] } })],
];

const FAULTS: ReadonlyArray<[fault: string, schema: Record<string, unknown>]> = [
  ['x-mcp-header of "a" is no name of a header', object({ a: header("") })],
  ['x-mcp-header of "a" is no name of a header', object({ a: header("a b") })],
  ['x-mcp-header of "a" is no name of a header', object({ a: header("a\r\nb") })],
  ['x-mcp-header of "a" is no name of a header', object({ a: header(5) })],
  [
    'x-mcp-header of "a.b" needs the type string, integer or boolean',
    object({ a: object({ b: header("B", "number") }) }),
  ],
  [
    'x-mcp-header of "a" needs the type string, integer or boolean',
    object({ a: header("A", ["string", "null"]) }),
  ],
  [
    'x-mcp-header of "a" is the header of another argument, too',
    object({ a: header("Same"), b: header("SAME") }),
  ],
  ["x-mcp-header stands where no argument is", header("A")],
  ["x-mcp-header stands where no argument is", object({ a: { items: header("A") } })],
  ["x-mcp-header stands where no argument is", { anyOf: [object({ a: header("A") })] }],
  ["x-mcp-header stands where no argument is", { $defs: { d: object({ a: header("A") }) } }],
];

for (const [what, schema] of FINE) {
  Deno.test(`findHeaderFault() has nothing against ${what}`, () => {
    assertEquals(findHeaderFault(schema), undefined);
  });
}

for (const [fault, schema] of FAULTS) {
  Deno.test(`findHeaderFault() says "${fault}" of ${JSON.stringify(schema)}`, () => {
    assertEquals(findHeaderFault(schema), fault);
  });
}

Deno.test("findHeaderFault() reads a schema that is nested very deep", () => {
  let schema: Record<string, unknown> = header("A", "number");
  for (let depth = 0; depth < 100_000; depth++) schema = { not: schema };
  assertEquals(findHeaderFault(schema), "x-mcp-header stands where no argument is");
});
