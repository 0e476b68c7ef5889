import { assertEquals } from "@std/assert";
import { SHOWN_TO_THE_MODEL } from "../../../../src/server/answer/tool_result.ts";
import { connectClient, ERAS, runResult, serverDeps } from "../../../support/server_fixtures.ts";

const DATA = { stdout: ["alpha"] };

async function answerFor(
  client: string,
  structured: "auto" | "always" | "never",
  era: typeof ERAS[number] = "legacy",
) {
  const deps = serverDeps(() => runResult({ stdout: "alpha\n" }));
  const config = { ...deps.config, structured };
  await using connection = await connectClient({ ...deps, config }, era, client);
  return await connection.client.callTool({ name: "run_python", arguments: { code: "1" } });
}

for (const era of ERAS) {
  for (const client of Object.keys(SHOWN_TO_THE_MODEL)) {
    Deno.test(`fitToClient() leaves structuredContent out for ${client} (${era})`, async () => {
      const { content, structuredContent, _meta } = await answerFor(client, "auto", era);
      assertEquals([content, structuredContent], [[{ type: "text", text: "alpha" }], undefined]);
      assertEquals(_meta?.["mcp-bridge/result"], DATA);
    });
  }

  Deno.test(`fitToClient() gives everything to a client that is not known (${era})`, async () => {
    for (const client of ["mcp", "inspector-client", "Claude-Code", "toString", ""]) {
      const { structuredContent, _meta } = await answerFor(client, "auto", era);
      assertEquals([structuredContent, _meta?.["mcp-bridge/result"]], [DATA, DATA]);
    }
  });
}

Deno.test("fitToClient() goes by the setting where it says always or never", async () => {
  assertEquals((await answerFor("codex-mcp-client", "always")).structuredContent, DATA);
  const { structuredContent, _meta } = await answerFor("test", "never");
  assertEquals([structuredContent, _meta?.["mcp-bridge/result"]], [undefined, DATA]);
});
