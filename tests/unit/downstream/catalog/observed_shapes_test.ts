import { assert, assertEquals } from "@std/assert";
import { CatalogCache } from "../../../../src/downstream/catalog/catalog_cache.ts";
import type { CallOutcome, DownstreamTool } from "../../../../src/downstream/downstream.ts";
import { ObservedShapes } from "../../../../src/downstream/catalog/observed_shapes.ts";
import { JsonText } from "../../../../src/shared/json/json_text.ts";
import { createLogger } from "../../../../src/shared/log.ts";
import { writeJsonFile } from "../../../../src/store/json_file.ts";

const tool = (name: string, outputSchema?: Record<string, unknown>): DownstreamTool => ({
  name,
  alias: name,
  description: "",
  inputSchema: {},
  ...(outputSchema && { outputSchema }),
});

/** A result, as JSON where it is no string. */
const gave = (value: unknown): CallOutcome =>
  typeof value === "string"
    ? { kind: "text", text: value, mayBeJson: false }
    : { kind: "value", value: JsonText.of(value) };

const faults: string[] = [];
const log = createLogger("error", (line) => faults.push(line));

async function withFolder(body: (create: () => ObservedShapes, folder: string) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "mcp-bridge-observed-" });
  try {
    await body(() => new ObservedShapes(new CatalogCache(folder, log), log), folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const files = async (folder: string) =>
  (await Array.fromAsync(Deno.readDir(`${folder}/catalogs`)).catch(() => [])).map((one) =>
    one.name
  );

Deno.test("ObservedShapes looks at the first few results of a tool and at no more", () =>
  withFolder(async (create) => {
    const shapes = create();
    const get = tool("get");
    for (let at = 0; at < 5; at++) shapes.note("d", get, gave({ a: at }));
    shapes.note("d", get, gave({ b: 1 }));
    const big = gave(Array.from({ length: 1000 }, () => ({ a: 1 })));
    const startedAt = performance.now();
    for (let at = 0; at < 100_000; at++) shapes.note("d", get, big);
    assert(performance.now() - startedAt < 500);
    const { properties } = (await shapes.find("d")).get("get")!;
    assertEquals(Object.keys(properties!), ["a"]);
    await shapes.flush();
  }));

Deno.test("ObservedShapes tell numbers apart as Python's json does, in text as well", () =>
  withFolder(async (create) => {
    const shapes = create();
    const json = '{"id": 12345678901234567890, "whole": 1.0, "exp": 1e5}';
    const types = { id: ["integer"], whole: ["number"], exp: ["number"] };
    shapes.note("d", tool("value"), { kind: "value", value: new JsonText(json) });
    shapes.note("d", tool("text"), { kind: "text", text: json, mayBeJson: true });
    shapes.note("d", tool("broken"), { kind: "text", text: "{no", mayBeJson: true });
    const found = await shapes.find("d");
    for (const name of ["value", "text"]) {
      const properties = Object.entries(found.get(name)?.properties ?? {});
      assertEquals(Object.fromEntries(properties.map(([key, { type }]) => [key, type])), types);
    }
    assertEquals(found.get("broken"), { type: ["string"] });
    await shapes.flush();
  }));

Deno.test("ObservedShapes does not look at what a tool promises", () =>
  withFolder(async (create) => {
    const shapes = create();
    const text = { type: "string" };
    shapes.note("d", tool("told", { type: "object", properties: { a: text } }), gave({ b: 1 }));
    shapes.note("d", tool("wrapped", { type: "object", properties: { result: text } }), gave("x"));
    shapes.note("d", tool("dict", { type: "object", additionalProperties: true }), gave({ b: 1 }));
    assertEquals([...(await shapes.find("d")).keys()], ["dict"]);
    await shapes.flush();
  }));

Deno.test("ObservedShapes are written after the call, merged with what is there, and only if new", () =>
  withFolder(async (create, folder) => {
    const [one, other] = [create(), create()];
    one.note("d", tool("get"), gave({ a: 1 }));
    other.note("d", tool("get"), gave({ a: 1, b: 2 }));
    other.note("d", tool("list"), gave([1]));
    assertEquals(await files(folder), []);
    await one.flush();
    await other.flush();
    assertEquals(await files(folder), ["d.observed.json"]);
    const path = `${folder}/catalogs/d.observed.json`;
    const again = create();
    const known = await again.find("d");
    assertEquals(known.get("get")?.required, ["a"]);
    assertEquals([...known.keys()], ["get", "list"]);
    const { ino } = await Deno.stat(path);
    again.note("d", tool("get"), gave({ a: 1 }));
    again.note("d", tool("list"), gave([1]));
    await again.flush();
    assertEquals((await Deno.stat(path)).ino, ino);
    assertEquals(await create().find("other"), new Map());
  }));

Deno.test("ObservedShapes take a damaged file for none", () =>
  withFolder(async (create, folder) => {
    await Deno.mkdir(`${folder}/catalogs`);
    const path = `${folder}/catalogs/d.observed.json`;
    for (const text of ["", "[]"]) {
      await Deno.writeTextFile(path, text);
      assertEquals(await create().find("d"), new Map());
    }
    await writeJsonFile(path, { format: 1, observed: { get: { type: 5 } } });
    assertEquals(await create().find("d"), new Map());
  }));

Deno.test("ObservedShapes outlives a stored file that was made to break it, and replaces it", () =>
  withFolder(async (create, folder) => {
    const nested = (depth: number): unknown => depth === 0 ? {} : { items: nested(depth - 1) };
    const shape = (properties: unknown) => ({ type: ["object"], properties, required: [] });
    const text = { type: ["string"] };
    const poisons: unknown[] = [
      nested(2000),
      { type: ["object"], properties: "x" },
      { type: 5 },
      null,
      shape({ constructor: text, toString: text, valueOf: text }),
      shape(JSON.parse('{"__proto__":{"type":["string"]},"a":{"type":["string"]}}')),
      shape(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, text]))),
    ];
    for (const poison of poisons) {
      const observed = JSON.parse('{"__proto__":{"type":["null"]}}');
      const path = `${folder}/catalogs/d.observed.json`;
      const poisoned = { ...observed, get: poison, constructor: poison };
      await writeJsonFile(path, { format: 1, observed: poisoned });
      const shapes = create();
      for (const value of [{ constructor: 1 }, { valueOf: 2 }, { a: 3 }]) {
        shapes.note("d", tool("get"), gave(value));
        shapes.note("d", tool("constructor"), gave(value));
      }
      const before = await shapes.find("d");
      assert(before.get("get")?.type.includes("object"));
      await shapes.flush();
      assertEquals(await create().find("d"), before);
    }
    assertEquals(faults, []);
  }));
