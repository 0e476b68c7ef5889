/** What real clients hand their models of an answer: the reason for the table in `tool_result.ts`. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import {
  isOnPath,
  MODEL_CLIENTS,
  type ModelClient,
  runModelClient,
} from "../support/model_clients.ts";
import { StandInModel } from "../support/stand_in_model.ts";

const CODE = 'print("alpha")\nprint("beta")\nrender_chart({"tea": 3}, "bar", name="cups")';
const TEXT = "alpha\nbeta\n<Chart cups.png, cups.svg>";

/** What the model of a client is given of one run, as JSON. */
async function seenBy(client: ModelClient, structured: "auto" | "always"): Promise<string> {
  await using home = new BridgeHome();
  const { hiddenName } = client;
  await using model = new StandInModel({
    tool: "run_python",
    ...(hiddenName !== undefined && { hiddenName }),
    arguments: { code: CODE },
  });
  const server = home.command({ env: { MCP_BRIDGE_STRUCTURED: structured } });
  const printed = await runModelClient(client, home, server, model.url);
  assert(model.results.length > 0, `The client called no tool; it printed:\n${printed}`);
  return JSON.stringify(model.results);
}

for (const client of MODEL_CLIENTS) {
  const { command, showsStructured, showsImages } = client;
  const ignore = !await isOnPath(command);
  const reason = ignore ? `, which is not on PATH` : "";
  const test = (name: string, fn: () => Promise<void>) =>
    Deno.test({ name: `${name} of ${command}${reason}`, ignore, fn });

  test("text and images reach the model, and no JSON of the same,", async () => {
    const seen = await seenBy(client, "auto");
    assertStringIncludes(seen, JSON.stringify(TEXT).slice(1, -1));
    assert(!seen.includes("stdout"), seen.slice(0, 2000));
    assertEquals(seen.includes("iVBORw0KGgo"), showsImages);
  });

  test("structuredContent goes where the table says", async () => {
    // A client that does otherwise by now belongs into the table, or out of it.
    assertEquals((await seenBy(client, "always")).includes("stdout"), showsStructured);
  });
}
