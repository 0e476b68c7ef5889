/** What a client learns when it connects, and which resources it finds. */
import { assertEquals, assertLessOrEqual } from "@std/assert";
import denoJson from "../../deno.json" with { type: "json" };
import { connectRaw, MODERN_META, serverDeps } from "../support/server_fixtures.ts";

const IDENTITY = { name: "mcp-server-code-execution-mode", version: denoJson.version };
const CAPABILITIES = { tools: { listChanged: false }, resources: { listChanged: false } };
const INSTRUCTIONS =
  "Use run_python to call the user's other MCP servers from code, and whenever loops, filters or " +
  "calculations beat reading raw data. Start with print(runtime.discovered_servers()) to see the " +
  'servers, or await runtime.search_tool_docs("words") to find a tool; then name the servers you ' +
  "need in `servers`. Handle large results in Python and print only what matters. Variables stay " +
  "between calls.";

for (
  const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
) {
  Deno.test(`initialize answers a ${version} client`, async () => {
    await using connection = connectRaw(serverDeps());
    assertEquals(await connection.initialize(version), {
      protocolVersion: version,
      capabilities: CAPABILITIES,
      serverInfo: IDENTITY,
      instructions: INSTRUCTIONS,
    });
  });
}

Deno.test("server/discover answers a 2026-07-28 client", async () => {
  await using connection = connectRaw(serverDeps());
  assertEquals(await connection.request("server/discover", { _meta: MODERN_META }), {
    supportedVersions: ["2026-07-28"],
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
    _meta: { "io.modelcontextprotocol/serverInfo": IDENTITY },
  });
});

Deno.test("instructions have at most 80 words", async () => {
  await using connection = connectRaw(serverDeps());
  const { instructions } = await connection.initialize() as { instructions: string };
  assertLessOrEqual(instructions.split(/\s+/).length, 80);
});

Deno.test("resources/list holds the manual", async () => {
  await using connection = connectRaw(serverDeps());
  await connection.initialize();
  const manual = await Deno.stat(
    new URL("../../runtime/python/sandbox_runtime/manual.md", import.meta.url),
  );
  assertEquals(await connection.request("resources/list", {}), {
    resources: [{
      uri: "resource://mcp-server-code-execution-mode/capabilities",
      name: "code-execution-capabilities",
      title: "Python sandbox manual",
      description: "The Python API inside run_python",
      mimeType: "text/markdown",
      size: manual.size,
    }],
  });
});

Deno.test("resources/templates/list holds the artifacts", async () => {
  await using connection = connectRaw(serverDeps());
  await connection.initialize();
  assertEquals(await connection.request("resources/templates/list", {}), {
    resourceTemplates: [{
      name: "run-artifacts",
      uriTemplate: "resource://mcp-server-code-execution-mode/runs/{run}/{name}{?offset,length}",
      description: "A file of a past run, read in pieces of at most 4 MiB",
    }],
  });
});

Deno.test("resources/read refuses an unknown URI as invalid params", async () => {
  await using connection = connectRaw(serverDeps());
  await connection.initialize();
  assertEquals(await connection.request("resources/read", { uri: "resource://x/y" }), {
    code: -32602,
    message: "Resource not found: resource://x/y",
    data: { uri: "resource://x/y" },
  });
});
