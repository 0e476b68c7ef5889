/** The client under test of the conformance suite: calls every tool of the server at the URL it is given. */
import { ableAsker, calling, createRig, never } from "./rig.ts";
import { JsonText } from "../../src/shared/json_text.ts";

const url = Deno.args.at(-1)!;
await using rig = await createRig({ s: { kind: "auto", url, headers: {} } });
const asker = ableAsker(() => ({ action: "accept", content: {} }));
const { tools } = await rig.downstream.load("s", never(), asker);
for (const { name, inputSchema } of tools) {
  const properties = inputSchema["properties"] as Record<string, { type?: string }> ?? {};
  const args = Object.fromEntries(
    Object.entries(properties).map(([key, { type }]) => [key, type === "number" ? 1 : "x"]),
  );
  await rig.downstream.callTool("s", name, JsonText.of(args), { ...calling(), asker });
}
