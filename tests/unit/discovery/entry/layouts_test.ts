import { assertEquals, assertThrows } from "@std/assert";
import { parseConfig } from "../../../../src/discovery/formats/config_document.ts";
import { ConfigProblem } from "../../../../src/discovery/config_problem.ts";
import type { Os } from "../../../../src/discovery/os_path.ts";
import { findEntries, type Layout } from "../../../../src/discovery/entry/layouts.ts";
import { fixture } from "../support.ts";

function find(
  layout: Layout,
  data: unknown,
  options: { file?: string; os?: Os; cwd?: string } = {},
) {
  const { file = "/d/single.json", os = "linux", cwd = "/w" } = options;
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const document = parseConfig(file, new TextEncoder().encode(text));
  return findEntries(document, layout, { os, cwd, file });
}

function found(layout: Layout, data: unknown, options = {}): string[] {
  return find(layout, data, options).entries.map((entry) => entry.path.join(".") || entry.name);
}

const S = { command: "x" };

const LAYOUTS: [layout: Layout, data: unknown, expected: string[]][] = [
  ["mcpServers", { mcpServers: { a: S, b: S }, servers: { c: S } }, [
    "mcpServers.a",
    "mcpServers.b",
  ]],
  ["mcpServers", { other: 1 }, []],
  ["mcpServers", { mcpServers: null }, []],
  ["servers", { inputs: [], servers: { a: S } }, ["servers.a"]],
  ["vscodeSettings", { mcp: { servers: { a: S } }, "mcp.servers": { b: S } }, [
    "mcp.servers.a",
    "mcp.servers.b",
  ]],
  ["zed", { context_servers: { a: S } }, ["context_servers.a"]],
  ["codex", { mcp_servers: { a: S } }, ["mcp_servers.a"]],
  ["opencode", { mcp: { a: S } }, ["mcp.a"]],
  ["opencode", { mcp: { servers: { a: S }, timeout: {} } }, ["mcp.servers.a"]],
  ["opencode", { mcp: { servers: { command: ["x"] }, b: S } }, ["mcp.servers", "mcp.b"]],
  ["opencode", { mcpServers: { a: S } }, ["mcpServers.a"]],
  ["goose", { extensions: { a: { type: "builtin" }, b: { type: "stdio" } } }, ["extensions.b"]],
  ["editor", { mcpServers: { a: S } }, ["mcpServers.a"]],
  ["any", { mcpServers: { a: S } }, ["mcpServers.a"]],
  ["any", { servers: { a: S } }, ["servers.a"]],
  ["any", { mcp: { servers: { a: S } } }, ["mcp.servers.a"]],
  ["any", { context_servers: { a: S } }, ["context_servers.a"]],
  ["any", { mcp_servers: { a: S } }, ["mcp_servers.a"]],
  ["any", { mcp: { a: S } }, ["mcp.a"]],
  ["any", { extensions: { a: S } }, ["extensions.a"]],
  ["any", S, ["single"]],
  ["any", { ...S, name: "own" }, ["own"]],
  ["any", { httpUrl: "https://x" }, ["single"]],
  ["any", {}, []],
  ["any", "", []],
];

for (const [layout, data, expected] of LAYOUTS) {
  Deno.test(`findEntries() as ${layout} in ${JSON.stringify(data)}`, () => {
    assertEquals(found(layout, data), expected);
  });
}

Deno.test("findEntries() takes Claude Code's entry of this project first, in any spelling", () => {
  const data = fixture("claude-code.claude.json");
  const top = ["mcpServers.weather", "mcpServers.linear", "mcpServers.old"];
  const own = "projects./home/dev/shop.mcpServers.notes";
  assertEquals(found("claudeCode", data, { cwd: "/home/dev/shop" }), [own, ...top]);
  assertEquals(found("claudeCode", data, { cwd: "/home/dev" }), top);

  const windows = { projects: { "c:/Dev/Shop": { mcpServers: { a: S } } } };
  assertEquals(found("claudeCode", windows, { os: "windows", cwd: "C:\\dev\\shop\\" }), [
    "projects.c:/Dev/Shop.mcpServers.a",
  ]);
});

Deno.test("findEntries() reports a place that holds no map, and goes on", () => {
  const { entries, problems } = find("any", { mcpServers: [S], servers: { a: S } });
  assertEquals(entries.map((entry) => entry.name), ["a"]);
  assertEquals(problems.map(({ message, path }) => [message, ...path]), [
    ['Cannot use "mcpServers": expected an object', "mcpServers"],
  ]);
});

Deno.test("findEntries() refuses a file whose top is no object", () => {
  for (const data of [[], 1, '"text"', true]) {
    const error = assertThrows(() => find("mcpServers", data), ConfigProblem);
    assertEquals(error.message, "Cannot read the file: expected an object at the top");
  }
});

Deno.test("findEntries() refuses a file of servers that has none of the known keys", () => {
  const error = assertThrows(() => find("any", { tools: [] }), ConfigProblem);
  assertEquals(
    error.message,
    'Cannot find a server in the file: expected "mcpServers", "servers", or one server with ' +
      '"command" or "url"',
  );
});
