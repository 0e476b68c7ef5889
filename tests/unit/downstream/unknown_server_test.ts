import { assertEquals } from "@std/assert";
import type { SkippedEntry } from "../../../src/discovery/entry/server_entry.ts";
import { describeUnknownServers } from "../../../src/downstream/unknown_server.ts";

function known(names: readonly string[], skipped: readonly SkippedEntry[] = []) {
  return { names, skipped };
}

function skippedEntry(parts: Partial<SkippedEntry>): SkippedEntry {
  const source = { client: "Cursor", file: "/home/me/.cursor/mcp.json", line: 5 };
  return { status: "invalid", reason: "Cannot use it", source, ...parts };
}

Deno.test("describeUnknownServers() is silent when all names are known", () => {
  assertEquals(describeUnknownServers(["a"], known(["a", "b"])), undefined);
  assertEquals(describeUnknownServers([], known([])), undefined);
});

Deno.test("describeUnknownServers() says so when no servers are configured", () => {
  assertEquals(
    describeUnknownServers(["zz"], known([])),
    "Unknown MCP server: zz. No MCP servers are configured",
  );
});

Deno.test("describeUnknownServers() suggests the nearest name and lists the known ones", () => {
  assertEquals(
    describeUnknownServers(["wether", "github", "zz"], known(["weather", "github"])),
    "Unknown MCP server: wether (did you mean weather?), zz. Known servers: weather, github",
  );
});

Deno.test("describeUnknownServers() says why an entry is not used, without its folder", () => {
  const skipped = [
    skippedEntry({ name: "linear", status: "shadowed", reason: "Already defined" }),
    skippedEntry({ name: "linear", status: "disabled", reason: "Switched off in the file" }),
    skippedEntry({ name: "other" }),
  ];
  assertEquals(
    describeUnknownServers(["linear", "zz"], known(["linera"], skipped)),
    'Unknown MCP server: linear, zz. "linear" is configured but not used: Switched off in the ' +
      "file (Cursor: mcp.json, line 5). Known servers: linera",
  );
});

Deno.test("describeUnknownServers() names the files that may hold what nothing is known of", () => {
  const broken = skippedEntry({ reason: "Cannot read the file: no JSON" });
  const off = skippedEntry({ name: "linear", status: "disabled", reason: "Switched off" });
  assertEquals(
    describeUnknownServers(["zz"], known(["a"], [broken])),
    "Unknown MCP server: zz. Known servers: a. " +
      "Not read: Cursor: mcp.json, line 5: Cannot read the file: no JSON",
  );
  assertEquals(
    describeUnknownServers(["linear"], known(["a"], [broken, off]))!.includes("Not read"),
    false,
  );
});

Deno.test("describeUnknownServers() stays short whatever it is given", () => {
  const names = Array.from({ length: 500 }, (_, index) => `server-${index}`);
  const unknown = Array.from({ length: 500 }, (_, index) => `${index}${"x".repeat(10_000)}`);
  const skipped = Array.from({ length: 500 }, () => skippedEntry({}));
  const error = describeUnknownServers(unknown, known(names, skipped))!;
  assertEquals(error.includes("server-49 and 450 more. Not read: "), true);
  assertEquals(error.endsWith(" and 495 more"), true);
  assertEquals(error.length < 7000, true);
});
