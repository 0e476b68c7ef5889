/** What `tools/list` says: every client pays for it in each conversation, and models learn from it. */
import { forRun } from "../../src/downstream/for_run.ts";
import { FakeDownstream } from "../support/fake_downstream.ts";
import { FakeEngine } from "../support/fake_engine.ts";
import { TestSession } from "../support/sessions.ts";
import { assertEquals, assertLessOrEqual } from "@std/assert";
import denoJson from "../../deno.json" with { type: "json" };
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { connectRaw, ERAS, MODERN_META, serverDeps } from "../support/server_fixtures.ts";

const TOOL = {
  name: "run_python",
  title: "Run Python",
  description:
    "Run Python in a sandbox without network or host files. Variables, imports and functions stay " +
    "between calls. To use MCP servers, name them in `servers` and call " +
    "`await mcp_<alias>.<tool>(key=value)`. Print what you want to see; the last expression is " +
    "echoed. Find servers with `runtime.discovered_servers()` and tools with " +
    '`await runtime.search_tool_docs("words")`. `runtime.capability_summary()` is the manual.',
  inputSchema: {
    type: "object",
    properties: {
      code: { type: "string", description: "Python source; top-level await works" },
      servers: {
        type: "array",
        items: { type: "string" },
        description: "MCP servers this run may use",
      },
      timeout: {
        type: "integer",
        minimum: 1,
        maximum: 120,
        default: 30,
        description: "Time limit in seconds",
      },
    },
    required: ["code"],
  },
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  _meta: { "anthropic/alwaysLoad": true, "anthropic/maxResultSizeChars": 60000 },
};

async function listTools(era: typeof ERAS[number], deps = serverDeps()): Promise<unknown> {
  await using connection = connectRaw(deps);
  if (era === "auto") return await connection.request("tools/list", { _meta: MODERN_META });
  await connection.initialize();
  return await connection.request("tools/list", {});
}

Deno.test("tools/list is one constant tool for a 2025 client", async () => {
  assertEquals(JSON.stringify(await listTools("legacy")), JSON.stringify({ tools: [TOOL] }));
});

Deno.test("tools/list is one constant tool for a 2026 client, with leave to keep it", async () => {
  assertEquals(await listTools("auto"), {
    tools: [TOOL],
    resultType: "complete",
    ttlMs: 3_600_000,
    cacheScope: "public",
    _meta: {
      "io.modelcontextprotocol/serverInfo": {
        name: "mcp-server-code-execution-mode",
        version: denoJson.version,
      },
    },
  });
});

Deno.test("tools/list is the same with 500 servers as with none", async () => {
  const servers = Array.from({ length: 500 }, (_, index) => [`server-${index}`, []]);
  await using session = new TestSession(new FakeEngine(), {
    forRun: forRun(new FakeDownstream(Object.fromEntries(servers))),
  });
  const deps = serverDeps(undefined, { runner: session.runner });
  assertEquals(JSON.stringify(await listTools("legacy", deps)), JSON.stringify({ tools: [TOOL] }));
});

for (const era of ERAS) {
  Deno.test(`tools/list costs at most 350 tokens (${era})`, async () => {
    assertLessOrEqual(encode(JSON.stringify(await listTools(era))).length, 350);
  });
}
