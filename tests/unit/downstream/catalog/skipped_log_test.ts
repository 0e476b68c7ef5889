import { assertEquals } from "@std/assert";
import type { SkippedEntry } from "../../../../src/discovery/entry/server_entry.ts";
import { SkippedLog } from "../../../../src/downstream/catalog/server_registry.ts";
import { createLogger } from "../../../../src/shared/log.ts";

function skippedEntry(name: string, status: SkippedEntry["status"] = "invalid"): SkippedEntry {
  return {
    name,
    status,
    reason: "Why",
    source: { client: "Cursor", file: "/h/mcp.json", line: 5 },
  };
}

function setUp() {
  const lines: string[] = [];
  const log = new SkippedLog(createLogger("debug", (line) => lines.push(line)));
  return { note: log.note.bind(log), take: () => lines.splice(0) };
}

Deno.test("SkippedLog tells each entry once, by how much it matters", () => {
  const { note, take } = setUp();
  const statuses = ["invalid", "untrusted", "disabled", "shadowed", "self"] as const;
  const entries = statuses.map((status) => skippedEntry(status, status));
  note(entries);
  assertEquals(take(), [
    'mcp-bridge warn: Not used: the MCP server "invalid" of Cursor: Why (/h/mcp.json, line 5)',
    'mcp-bridge warn: Not used: the MCP server "untrusted" of Cursor: Why (/h/mcp.json, line 5)',
    'mcp-bridge info: Not used: the MCP server "disabled" of Cursor: Why (/h/mcp.json, line 5)',
    'mcp-bridge debug: Not used: the MCP server "shadowed" of Cursor: Why (/h/mcp.json, line 5)',
    'mcp-bridge debug: Not used: the MCP server "self" of Cursor: Why (/h/mcp.json, line 5)',
  ]);
  note(entries);
  note([...entries]);
  assertEquals(take(), []);
});

Deno.test("SkippedLog tells again what was mended and broke once more", () => {
  const { note, take } = setUp();
  note([skippedEntry("a"), skippedEntry("a")]);
  note([skippedEntry("a"), skippedEntry("b")]);
  assertEquals(take().length, 2);
  note([]);
  note([skippedEntry("a")]);
  assertEquals(take().length, 1);
});
