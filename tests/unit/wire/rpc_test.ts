/**
 * Every kind of request, with the examples that `tests/runtime/wire/test_rpc_fixtures.py` runs as well. That
 * replies fit their types is for the compiler to say, of the examples as of what the host answers in truth.
 */
import { assert, assertEquals } from "@std/assert";
import type { CallOutcome, ServerContent } from "../../../src/downstream/downstream.ts";
import { createRpcRouter } from "../../../src/rpc/router.ts";
import { JsonText } from "../../../src/shared/json/json_text.ts";
import { RunHistory } from "../../../src/store/runs/run_history.ts";
import { RunStore } from "../../../src/store/runs/run_store.ts";
import {
  formatHostMessage,
  parseSandboxMessage,
  type RpcPayload,
} from "../../../src/wire/messages.ts";
import { RPC, type RpcKind } from "../../../src/wire/rpc.ts";
import { FakeDownstream } from "../../support/fake_downstream.ts";
import { rpcContext, runReach } from "../../support/rpc_context.ts";
import { rpcDeps } from "../../support/rpc_deps.ts";
import { inFolder } from "../../support/temp_folder.ts";

type Json = Record<string, unknown>;

/** A request as Python sends it, and an answer to it. */
interface Ask {
  request: Json & { type: string };
  reply: Json & { success: boolean };
}

const FIXTURES = new URL("../../fixtures/rpc/", import.meta.url);

const asks: Ask[] = [];
for await (const { name } of Deno.readDir(FIXTURES)) {
  const examples = JSON.parse(await Deno.readTextFile(new URL(name, FIXTURES)));
  asks.push(...examples.flatMap((example: { asks: Ask[] }) => example.asks));
}

/** The payload of a request, as the host has it. */
function overWire(payload: Ask["request"]): RpcPayload {
  const message = parseSandboxMessage(JSON.stringify({ type: "rpc_request", id: "q1", payload }));
  assert(message.type === "rpc_request");
  return message.payload;
}

Deno.test("tests/fixtures/rpc has an answer and a refusal for each kind, and no other kind", () => {
  const kinds = Object.keys(RPC).sort();
  for (const success of [true, false]) {
    const some = asks.filter(({ reply }) => reply.success === success);
    assertEquals([...new Set(some.map(({ request }) => request.type))].sort(), kinds);
  }
});

Deno.test("RPC takes every request of Python's, and each of its fields", () => {
  for (const { request } of asks) {
    const parsed: Json = RPC[request.type as RpcKind].request.parse(overWire(request));
    for (const [name, value] of Object.entries(request)) {
      if (name === "type") continue;
      assert(name in parsed, `${request.type} does not know "${name}"`);
      const got = parsed[name];
      assertEquals(got instanceof JsonText ? got.parse() : got, value);
    }
  }
});

Deno.test("RpcReply is the type of each example's reply, and of each that the host gives", async () => {
  const given = await hostReplies();
  for (const kind of Object.keys(RPC)) {
    assert(given.some(({ request, reply }) => request.type === kind && reply.success), kind);
  }
  const lines = [...asks, ...given].map(({ request, reply }) => statement(request.type, reply));
  const wrong = [
    statement("load_memory", { success: true }),
    statement("delete_memory", { success: true, deleted: "yes" }),
    statement("read_output", { success: true, data: "", size: 1, more: 1 }),
    statement("call_tool", { success: false }),
  ];
  const imports = Object.entries({
    JsonText: "shared/json/json_text.ts",
    RpcReply: "wire/rpc.ts",
  }).map(([name, path]) =>
    `import type { ${name} } from ${JSON.stringify(import.meta.resolve(`../../../src/${path}`))};`
  );
  const refused = wrong.flatMap((line) => ["// @ts-expect-error It does not fit.", line]);
  await inFolder(async (folder) => {
    const file = `${folder}/replies.ts`;
    const text = [...imports, "declare const json: JsonText;", ...lines, ...refused, ""].join("\n");
    await Deno.writeTextFile(file, text);
    const config = new URL(import.meta.resolve("../../../deno.json")).pathname;
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", config, file],
      env: { NO_COLOR: "1" },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  });
});

/** A reply as a statement that compiles if it fits; a result that is no string is one that the host has as text. */
function statement(kind: string, reply: Json): string {
  const json = JSON.stringify(reply, (key, value) => {
    return key === "result" && typeof value !== "string" ? "json" : value;
  });
  return `(${json.replace('"result":"json"', '"result":json')} satisfies RpcReply<"${kind}">);`;
}

/** What the host answers to the requests of all examples, one after the other. */
async function hostReplies(): Promise<Ask[]> {
  const outcomes: CallOutcome[] = [
    { kind: "value", value: JsonText.of({ degrees: 5 }) },
    { kind: "text", text: '{"degrees":5}', mayBeJson: true },
    { kind: "text", text: "warm", mayBeJson: false },
    { kind: "content", content: [{ type: "blob", mime_type: "image/png", data: "iVBORw==" }] },
    { kind: "failed", message: "No such city", result: JsonText.of({ isError: true }) },
  ];
  let called = 0;
  const downstream = new ServerWithContent({
    weather: [{
      name: "get-forecast",
      alias: "get_forecast",
      description: "Forecast for a city.",
      outputSchema: { type: "object" },
      call: () => outcomes[called++ % outcomes.length]!,
    }],
    todo: null,
  });
  const given: Ask[] = [];
  await inFolder(async (folder) => {
    const store = new RunStore(folder);
    using files = store.newRun();
    const history = new RunHistory(store);
    for (const stdout of ["first", "second"]) {
      using past = store.newRun();
      store.keep(past, { code: "", stdout, stderr: "" });
      history.add(past.run);
    }
    const router = createRpcRouter(rpcDeps(folder));
    const reach = runReach(downstream, { servers: ["weather"] });
    const context = rpcContext({ reach, files, history });
    for (const { request } of asks) {
      const payload = await router(overWire(request), context);
      const line = formatHostMessage({ type: "rpc_response", id: "q1", payload });
      given.push({ request, reply: JSON.parse(line).payload });
    }
    await store.settled();
  });
  return given;
}

/** Servers that have resources and prompts as well. */
class ServerWithContent extends FakeDownstream {
  override content(): Promise<ServerContent> {
    return Promise.resolve({
      listResources: () =>
        Promise.resolve([
          { uri: "weather://oslo", mime_type: "text/plain" },
          { uri_template: "weather://{city}", name: "city" },
        ]),
      readResource: () => Promise.resolve({ kind: "text", text: "5", mayBeJson: false }),
      listPrompts: () => Promise.resolve([{ name: "plan", arguments: [{ name: "city" }] }]),
      getPrompt: () => Promise.resolve([{ role: "user", content: { type: "text", text: "Plan" } }]),
    });
  }
}
