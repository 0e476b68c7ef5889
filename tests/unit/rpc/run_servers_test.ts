/** What a sandbox is told of servers. The Python tests of `tests/runtime` take the same examples. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { DownstreamTool } from "../../../src/downstream/downstream.ts";
import { toServerMetadata, toToolMetadata } from "../../../src/rpc/run_servers.ts";
import told from "../../fixtures/told_tools.json" with { type: "json" };

const server = (tools: readonly DownstreamTool[]) => ({
  name: "My server",
  alias: "my_server",
  description: "",
  tools,
});

const ping = (alias: string): DownstreamTool => ({
  name: "ping",
  alias,
  description: "Pings",
  inputSchema: { type: "object", properties: {} },
});

/** To add an example, write its schemas and then run this with `-- --update`. */
Deno.test("told_tools.json is what a sandbox is told", async () => {
  const examples = (told as Record<string, unknown>[]).map((tool) => ({
    name: tool.name,
    alias: tool.alias,
    description: tool.description,
    inputSchema: tool.input_schema,
    outputSchema: tool.output_schema,
  } as DownstreamTool));
  const { tools } = await toServerMetadata(server(examples));
  if (Deno.args.includes("--update")) {
    const file = new URL("../../fixtures/told_tools.json", import.meta.url);
    await Deno.writeTextFile(file, `${JSON.stringify(tools, null, 2)}\n`);
  } else assertEquals<unknown>(tools, told);
});

Deno.test("toServerMetadata() gives a list of tools one revision, and another list another", async () => {
  const tools = [ping("ping")];
  const first = await toServerMetadata(server(tools));
  const { revision, ...again } = await toServerMetadata({ ...server(tools), alias: "other" });
  assertEquals(revision, first.revision);
  assert(again.tools === first.tools);
  assertNotEquals((await toServerMetadata(server([ping("ping")]))).revision, revision);
});

Deno.test("toServerMetadata() has the error of a server that could not be started", async () => {
  const failed = { name: "a", alias: "a", error: "it exited" };
  assertEquals(await toServerMetadata(failed), { ...failed, tools: [] });
});

Deno.test("toToolMetadata() has what a program sees and the signature", async () => {
  assertEquals(await toToolMetadata([ping("ping_2")]), [{
    name: "ping",
    alias: "ping_2",
    description: "Pings",
    input_schema: { type: "object", properties: {} },
    signature: "ping_2() -> Any",
  }]);
});
