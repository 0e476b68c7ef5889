/** Stubs and signatures of any schema, as Python sees them: they run, and the runtime shows what the host said. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { DownstreamTool } from "../../../src/downstream/downstream.ts";
import { toSignature } from "../../../src/languages/python/signature.ts";
import { toStubs } from "../../../src/languages/python/stub_text.ts";
import { toServerMetadata } from "../../../src/rpc/run_servers.ts";
import { checkWithPython, python } from "../../support/python.ts";

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("city", "units", "from", "from_", "x-id", "arguments") },
  { weight: 2, arbitrary: fc.constantFrom("__proto__", "__secret", "Any", "str", "ﬁ", "1", "") },
  fc.string({ maxLength: 8 }),
  // Letters that every version of Python knows, and some that it takes for others.
  fc.string({ unit: fc.constantFrom(..."aZ_9 -$ßéд列ωª·٣ﬁ𝒜😀"), maxLength: 6 }),
);

const text = fc.oneof(
  fc.constantFrom('"""', 'ends with "', "\\", "a\nb\r\tc", "\0", "\ud800", "#", "Forecast", "Any"),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);

const kind = fc.constantFrom(
  "string",
  "integer",
  "number",
  "boolean",
  "null",
  "array",
  "object",
  "date",
);

const ref = fc.constantFrom(
  "#",
  "#/$defs/Node",
  "#/$defs/a~1b",
  "#/$defs/%4eode",
  "#/%E0%A4%A",
  "#/properties/city",
  "#/anyOf/0",
  "#/nowhere",
  "https://example.com/x",
);

/** Schemas that are mostly right, with every keyword that is read. */
const { schema } = fc.letrec((tie) => {
  const part = tie("schema");
  const parts = fc.array(part, { maxLength: 4, depthIdentifier: "schema" });
  const named = fc.dictionary(name, part, {
    maxKeys: 5,
    noNullPrototype: true,
    depthIdentifier: "schema",
  });
  const keywords = {
    type: fc.oneof(kind, kind, kind, fc.array(kind, { maxLength: 3 })),
    properties: named,
    required: fc.array(name, { maxLength: 3 }),
    items: fc.oneof(part, parts, fc.boolean()),
    prefixItems: parts,
    additionalProperties: fc.oneof(fc.boolean(), part),
    patternProperties: named,
    anyOf: parts,
    oneOf: parts,
    allOf: parts,
    $ref: ref,
    enum: fc.array(fc.oneof(text, fc.integer(), fc.double({ noNaN: true }), fc.constant(null)), {
      maxLength: 14,
    }),
    const: fc.jsonValue({ maxDepth: 1 }),
    default: fc.jsonValue({ maxDepth: 2 }),
    nullable: fc.boolean(),
    title: text,
    description: text,
  };
  const leaf = fc.oneof(
    kind.map((type) => ({ type })),
    ref.map(($ref) => ({ $ref })),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const some = fc.subarray(Object.keys(keywords) as Array<keyof typeof keywords>, { maxLength: 4 })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, keywords[key]]))));
  const object = fc.record({ properties: named, required: keywords.required });
  return { schema: fc.oneof({ maxDepth: 3, depthIdentifier: "schema" }, leaf, some, object) };
});

const root = fc.tuple(schema, schema, schema).map(([one, node, other]) => ({
  ...(typeof one === "object" && !Array.isArray(one) ? one as Record<string, unknown> : {}),
  $defs: { Node: node, "a/b": other },
}));

/** Schemas of results that say their content again, and what only looks like one. */
const contentKind = fc.constantFrom("text", "image", "audio", "resource", 5, null);
const block = fc.record({
  properties: fc.record({
    type: fc.oneof(
      fc.record({ enum: fc.oneof(fc.array(contentKind, { maxLength: 3 }), contentKind) }),
      fc.record({ const: contentKind }),
      contentKind,
    ),
  }),
});
const contentRoot = fc.record({
  properties: fc.record({
    content: fc.record({
      type: fc.constant("array"),
      items: fc.oneof(block, fc.record({ anyOf: fc.array(block, { maxLength: 3 }) }), contentKind),
    }),
  }),
});

const tool = fc.record({
  name: fc.string({ maxLength: 10 }),
  description: text,
  inputSchema: root,
  outputSchema: fc.option(
    fc.oneof({ weight: 8, arbitrary: root }, { weight: 1, arbitrary: contentRoot }),
    { nil: undefined },
  ),
}).map(({ outputSchema, ...tool }): DownstreamTool =>
  // As it comes from a server: through JSON.
  JSON.parse(JSON.stringify({ ...tool, alias: "f", ...(outputSchema && { outputSchema }) }))
);

async function toItem(tools: readonly DownstreamTool[]) {
  const server = { name: 'a "server"\n', alias: "s", description: "", tools };
  const { tools: [tool] = [] } = await toServerMetadata(server);
  return { stubs: toStubs(server, tools), tool, signature: toSignature(tools[0]!) };
}

Deno.test({
  name: `stubs of any schema run as Python, and the runtime agrees${python.skipped}`,
  ignore: python.command === undefined,
  async fn() {
    const lists = fc.sample(fc.array(tool, { minLength: 1, maxLength: 3 }), { numRuns: 1500 });
    const items = await Promise.all(
      lists.map((tools) =>
        toItem(tools.map((one, index) => ({ ...one, alias: `f${index || ""}` })))
      ),
    );
    for (const { stubs, signature } of items) {
      assert(signature.length <= 1000, signature);
      assert(stubs.length < 50_000, stubs.slice(0, 500));
    }
    assertEquals(await checkWithPython(items), { checked: items.length, problems: [] });
  },
});
