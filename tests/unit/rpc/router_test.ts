import { assert, assertEquals, assertNotMatch } from "@std/assert";
import fc from "fast-check";
import { createRpcRouter, type RpcContext, type RpcRouter } from "../../../src/rpc/router.ts";
import { formatHostMessage, parseSandboxMessage } from "../../../src/wire/messages.ts";
import { FakeDownstream } from "../../support/fake_downstream.ts";
import { rpcContext, runReach } from "../../support/rpc_context.ts";

const echo = {
  name: "echo",
  call: (args: Record<string, unknown>) => ({ kind: "value" as const, value: args }),
};

/** What the sandbox gets for what it asks. */
async function overWire(
  router: RpcRouter,
  context: RpcContext,
  payload: { type: string; [key: string]: unknown },
): Promise<Record<string, unknown>> {
  const asked = parseSandboxMessage(JSON.stringify({ type: "rpc_request", id: "q1", payload }));
  assert(asked.type === "rpc_request");
  const reply = await router(asked.payload, context);
  const line = formatHostMessage({ type: "rpc_response", id: "q1", payload: reply });
  return JSON.parse(line).payload;
}

function setUp(servers: readonly string[] = ["weather"]) {
  const downstream = new FakeDownstream({ weather: [echo], todo: [echo], broken: null });
  const [labels, notes]: [string[], string[]] = [[], []];
  const reach = runReach(downstream, { servers, onCall: (label) => void labels.push(label) });
  const context = rpcContext({ reach, onNote: (line) => notes.push(line) });
  const router = createRpcRouter({});
  const ask = (payload: { type: string; [key: string]: unknown }) =>
    overWire(router, context, payload);
  return { ask, downstream, labels, notes };
}

Deno.test("createRpcRouter() lists the servers of the run, sorted", async () => {
  const { ask } = setUp(["weather", "alpha"]);
  assertEquals(await ask({ type: "list_servers" }), {
    success: true,
    servers: ["alpha", "weather"],
  });
});

Deno.test("createRpcRouter() calls a tool of a server that the run was given", async () => {
  const { ask, labels } = setUp();
  const reply = await ask({
    type: "call_tool",
    server: "weather",
    tool: "echo",
    arguments: { a: 1 },
  });
  assertEquals(reply, { success: true, result: { a: 1 } });
  assertEquals(labels, ["weather.echo"]);
});

Deno.test("createRpcRouter() calls nothing on a server that the run was not given", async () => {
  const { ask, downstream } = setUp();
  assertEquals(await ask({ type: "call_tool", server: "todo", tool: "echo", arguments: {} }), {
    success: false,
    error: "Server 'todo' is not available: add it to the `servers` argument of run_python",
  });
  assertEquals(await ask({ type: "call_tool", server: "zz", tool: "echo", arguments: {} }), {
    success: false,
    error: "Server 'zz' is not available",
  });
  assertEquals(downstream.calls, []);
});

Deno.test("createRpcRouter() gives the whole result when it is asked for", async () => {
  const { ask } = setUp();
  const reply = await ask({ type: "call_tool", server: "weather", tool: "echo", raw: true });
  assertEquals(reply, { success: true, result: { raw: { kind: "value", value: {} } } });
});

Deno.test("createRpcRouter() passes on the words and the result of a failed tool", async () => {
  const failed = { kind: "failed" as const, message: "No such city", result: { isError: true } };
  const downstream = new FakeDownstream({ weather: [{ name: "get", call: () => failed }] });
  const reply = await overWire(
    createRpcRouter({}),
    rpcContext({ reach: runReach(downstream, { servers: ["weather"] }) }),
    { type: "call_tool", server: "weather", tool: "get" },
  );
  assertEquals(reply, { success: false, error: "No such city", result: { isError: true } });
});

Deno.test("createRpcRouter() lists tools of servers that the run was not given", async () => {
  const { ask } = setUp();
  assertEquals(await ask({ type: "list_tools", server: "todo" }), {
    success: true,
    tools: [{
      name: "echo",
      alias: "echo",
      description: "",
      input_schema: { type: "object" },
      signature: "echo(**arguments) -> Any",
    }],
  });
  assertEquals(await ask({ type: "list_tools", server: "broken" }), {
    success: false,
    error: 'Cannot start "broken": it exited with code 1',
  });
});

Deno.test("createRpcRouter() writes stubs of servers that the run was not given", async () => {
  const { ask } = setUp();
  assertEquals(await ask({ type: "stubs", server: "todo", tools: ["echo"] }), {
    success: true,
    stubs: "# todo: await mcp_todo.<tool>(...)\nasync def echo(**arguments) -> Any: ...\n",
  });
  assertEquals(await ask({ type: "stubs", server: "broken" }), {
    success: false,
    error: 'Cannot start "broken": it exited with code 1',
  });
});

Deno.test("createRpcRouter() says of each hit whether its server is loaded, and clamps the limit", async () => {
  const { ask, notes } = setUp();
  const reply = await ask({ type: "search_tool_docs", query: "echo", limit: 1e9 });
  const results = (reply as unknown as { results: Array<Record<string, unknown>> }).results;
  assertEquals(results.map(({ server, loaded }) => [server, loaded]), [
    ["weather", true],
    ["todo", false],
  ]);
  assertEquals(notes, [
    'search_tool_docs: failed: broken (Cannot start "broken": it exited with code 1)',
  ]);
});

for (const type of ["list_resources", "read_resource", "list_prompts", "get_prompt"]) {
  Deno.test(`createRpcRouter() refuses ${type} of a server that the run was not given`, async () => {
    const { ask } = setUp();
    const error = "Server 'todo' is not available: add it to the `servers` argument of run_python";
    assertEquals(await ask({ type, server: "todo", uri: "x", name: "x" }), {
      success: false,
      error,
    });
  });
}

// The last ones: code in the sandbox has no part in questions of servers, nor in their answers.
const UNKNOWN = ["constructor", "__proto__", "toString", "nothing"];
for (
  const type of [...UNKNOWN, "elicitation/create", "sampling/createMessage", "answer", "resume"]
) {
  Deno.test(`createRpcRouter() does not know "${type}"`, async () => {
    assertEquals(await setUp().ask({ type }), {
      success: false,
      error: `Unknown request type: "${type}"`,
    });
  });
}

const WRONG: ReadonlyArray<[payload: { type: string; [key: string]: unknown }, error: string]> = [
  [{ type: "call_tool", server: 5 }, "'server' must be a string, not 5; 'tool' is missing"],
  [
    { type: "call_tool", server: "a", tool: "b", arguments: [1] },
    "'arguments' must be a dict, not a list",
  ],
  [
    { type: "call_tool", server: null, tool: {}, raw: "yes" },
    "'server' must be a string, not None; 'tool' must be a string, not a dict; " +
    "'raw' must be True or False, not 'yes'",
  ],
  [{ type: "search_tool_docs", query: true }, "'query' must be a string, not True"],
  [{ type: "search_tool_docs", query: "a", limit: "5" }, "'limit' must be a number, not '5'"],
  [
    { type: "search_tool_docs", query: "a", detail: "all\n" },
    "'detail' must be 'summary' or 'full', not 'all\\n'",
  ],
  [
    { type: "search_tool_docs", query: "x".repeat(10_001) },
    "'query' must have at most 10000 characters, not 10001",
  ],
  [{ type: "stubs", server: "a", tools: ["b", 3] }, "'tools[1]' must be a string, not 3"],
  [
    { type: "stubs", server: "a", tools: Array(1001).fill("b") },
    "'tools' must have at most 1000 items, not 1001",
  ],
  [{ type: "save_memory", key: "k", value: "{" }, "'value' must be JSON text, not '{'"],
  [
    { type: "save_tool", name: "a b", signature: "", description: "", source: "" },
    "'name' must be an identifier, not 'a b'",
  ],
  [{ type: "read_output", run: 1 }, "'run' must be below 0, not 1"],
  [{ type: "read_output", run: -1.5 }, "'run' must be an integer, not -1.5"],
  [{ type: "read_output", run: -1, offset: -1 }, "'offset' must be at least 0, not -1"],
];

for (const [payload, error] of WRONG) {
  Deno.test(`createRpcRouter() names field, demand and value of ${payload.type}: ${error}`, async () => {
    const reply = { success: false, error: `Cannot answer ${payload.type}: ${error}` } as const;
    assertEquals(await setUp().ask(payload), reply);
  });
}

Deno.test("createRpcRouter() answers any payload, in its own words, and never throws", async () => {
  const { ask } = setUp();
  const type = fc.oneof(
    fc.constantFrom(
      "call_tool",
      "list_tools",
      "query_tool_docs",
      "search_tool_docs",
      "stubs",
      "read_resource",
      "get_prompt",
    ),
    fc.string({ minLength: 1, maxLength: 64 }),
  );
  const fields = fc.dictionary(fc.string(), fc.jsonValue());
  await fc.assert(fc.asyncProperty(type, fields, async (type, fields) => {
    const reply = await ask({ ...fields, type });
    assertEquals(typeof reply.success, "boolean");
    assertNotMatch(JSON.stringify(reply), /✖|Invalid input|Too (big|small)/);
  }));
});
