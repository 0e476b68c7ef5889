import { assert, assertEquals } from "@std/assert";
import type { DownstreamTool } from "../../../../src/downstream/downstream.ts";
import { findTool, toUnknownTool } from "../../../../src/downstream/catalog/catalog.ts";
import { toToolDoc } from "../../../../src/downstream/docs/tool_docs.ts";

const tool: DownstreamTool = {
  name: "get-weather",
  alias: "get_weather",
  description: "The weather of a city.\n\nLong explanation.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  outputSchema: { type: "object" },
};

Deno.test("toToolDoc() gives the pinned keys of a summary and of a full doc", () => {
  const server = { name: "Weather", alias: "weather" };
  assertEquals(toToolDoc(server, tool, "summary"), {
    server: "Weather",
    serverAlias: "weather",
    tool: "get-weather",
    toolAlias: "get_weather",
    signature: "get_weather(city: str) -> dict",
    description: "The weather of a city.",
  });
  assertEquals(toToolDoc(server, tool, "full"), {
    server: "Weather",
    serverAlias: "weather",
    tool: "get-weather",
    toolAlias: "get_weather",
    signature: "get_weather(city: str) -> dict",
    description: "The weather of a city.\n\nLong explanation.",
    inputSchema: tool.inputSchema,
    outputSchema: { type: "object" },
  });
});

Deno.test("toToolDoc() cuts a long summary at a word", () => {
  const long = { ...tool, description: "word ".repeat(1000) };
  const { description } = toToolDoc({ name: "s", alias: "s" }, long, "summary");
  assert(description!.length <= 402 && description!.endsWith("word …"), description);
});

Deno.test("findTool() prefers an exact raw name to an alias", () => {
  const tools = [
    { ...tool, name: "A", alias: "b" },
    { ...tool, name: "b", alias: "b_2" },
  ];
  assertEquals(findTool(tools, "b")?.name, "b");
  assertEquals(findTool(tools, "b_2")?.name, "b");
  assertEquals(findTool(tools, "a"), undefined);
  assertEquals(findTool(tools, "a", { anyCase: true })?.name, "A");
});

Deno.test("toUnknownTool() names what was meant, or what there is", () => {
  const server = { name: "s", alias: "s", description: "", tools: [tool] };
  assertEquals(
    toUnknownTool(server, "get_wether").describe(),
    'Server "s" has no tool "get_wether"\n  hint: Did you mean "get_weather"?',
  );
  assertEquals(
    toUnknownTool(server, "x").describe(),
    'Server "s" has no tool "x"\n  hint: Its tools: get-weather',
  );
  assertEquals(toUnknownTool({ ...server, tools: [] }, "x").hint, "It has no tools");
});
