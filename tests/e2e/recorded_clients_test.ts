/**
 * What real clients send, as it was recorded from their start to one call of `run_python`, sent again: who is in
 * the table of `tool_result.ts` gets no `structuredContent`, whichever era and words it speaks in. For the
 * clients themselves see `model_clients_test.ts`.
 */
import { assertEquals } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { type Message, StdioClient } from "../support/stdio_client.ts";

/** Name of the recording, and whether the answer has `structuredContent`. */
const RECORDED: Readonly<Record<string, boolean>> = {
  "claude-code": false,
  "codex-mcp-client": false,
  "copilot-cli": false,
  "gemini-cli-mcp-client": true,
  "mcporter": false,
  "opencode": true,
  "qwen-cli-mcp-client": true,
};

const FOLDER = new URL("../fixtures/client_requests/", import.meta.url);

for (const [name, isGiven] of Object.entries(RECORDED)) {
  Deno.test(`${name} gets the text${isGiven ? " and the data" : ", and the data only in _meta"}`, async () => {
    await using home = new BridgeHome();
    await using client = new StdioClient(home);
    let last: Message | undefined;
    const recorded = await Deno.readTextFile(new URL(`${name}.jsonl`, FOLDER));
    for (const line of recorded.trim().split("\n")) {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) await client.notify(method, params);
      else last = await client.request(method, params).reply;
      assertEquals(last?.error, undefined, `${method}: ${client.stderr}`);
    }
    const { content, structuredContent, _meta } = last!.result as Record<string, unknown>;
    const data = { stdout: ["alpha"] };
    assertEquals(content, [{ type: "text", text: "alpha" }]);
    assertEquals(structuredContent, isGiven ? data : undefined);
    assertEquals((_meta as Record<string, unknown>)["mcp-bridge/result"], data);
  });
}

Deno.test("every recording is sent", async () => {
  const names = (await Array.fromAsync(Deno.readDir(FOLDER))).map(({ name }) => name);
  assertEquals(names.sort(), Object.keys(RECORDED).sort().map((name) => `${name}.jsonl`));
});
