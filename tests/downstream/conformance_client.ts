/**
 * The client under test of the conformance suite: makes the calls that a scenario asks for, or else calls
 * every tool of the server at the URL it is given.
 */
import type { ListedTool } from "../../src/downstream/catalog/list_tools.ts";
import { ableAsker, calling, createRig, never } from "./rig.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";

const url = Deno.args.at(-1)!;
await using rig = await createRig({ s: { kind: "auto", url, headers: {} } });
const asker = ableAsker(() => ({ action: "accept", content: {} }));
const { tools } = await rig.downstream.load("s", never(), asker);
const { toolCalls } = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}");
for (const { name, arguments: args } of toolCalls ?? tools.map(toCall)) {
  await rig.downstream.callTool("s", name, JsonText.of(args), { ...calling(), asker });
}

function toCall({ name, inputSchema }: ListedTool) {
  const properties = inputSchema["properties"] as Record<string, { type?: string }> ?? {};
  const args = Object.entries(properties).map(([key, { type }]) => [
    key,
    // One scenario wants the schema of its first tool back.
    type === "object" ? tools[0]!.inputSchema : type === "number" ? 1 : "x",
  ]);
  return { name, arguments: Object.fromEntries(args) };
}
