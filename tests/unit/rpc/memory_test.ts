import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { memoryHandlers } from "../../../src/rpc/memory.ts";
import { createRpcRouter } from "../../../src/rpc/router.ts";
import { rpcDeps } from "../../support/rpc_deps.ts";
import { rpcContext } from "../../support/rpc_context.ts";

const context = rpcContext();

type Ask = (payload: { type: string; [key: string]: unknown }) => Promise<Record<string, unknown>>;

async function withRouter(body: (ask: Ask, stateDir: string) => Promise<void>): Promise<void> {
  const stateDir = await Deno.makeTempDir({ prefix: "mcp-bridge-test-" });
  const router = createRpcRouter(rpcDeps(stateDir));
  try {
    await body((payload) => router(payload, context), stateDir);
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
}

Deno.test("a memory is kept as the very text it came as", () =>
  withRouter(async (ask) => {
    const value = '{"big":1180591620717411303424,"float":1.0}';
    await ask({ type: "save_memory", key: "a", value, metadata: '{"m":1.0}' });
    const { record } = await ask({ type: "load_memory", key: "a" }) as unknown as {
      record: { value: string; version: string };
    };
    assertEquals(record.value, value);
    const swap = (version: string | null) =>
      ask({ type: "update_memory", key: "a", value: "2", version });
    assertEquals(await swap(null), { success: true, saved: false, record });
    assertEquals(await swap(record.version), { success: true, saved: true });
    const reply = await ask({ type: "list_memories" });
    const [info] = (reply as unknown as { memories: Array<Record<string, unknown>> }).memories;
    assertEquals([info!.key, info!.bytes, info!.metadata], ["a", 1, '{"m":1.0}']);
    assertEquals(await ask({ type: "get_memory_info", key: "a" }), { success: true, info });
    assertEquals(await ask({ type: "delete_memory", key: "a" }), { success: true, deleted: true });
    assertEquals(await ask({ type: "load_memory", key: "a" }), { success: true, record: null });
    assertEquals(await ask({ type: "get_memory_info", key: "a" }), { success: true, info: null });
  }));

Deno.test("what is not JSON, or has no name, is refused", () =>
  withRouter(async (ask, stateDir) => {
    const refused = async (payload: { type: string; [key: string]: unknown }, reason: RegExp) =>
      assertMatch(JSON.stringify(await ask(payload)), reason);
    for (const value of ["{", "", "NaN", '"\ud800"', 5, null]) {
      await refused({ type: "save_memory", key: "a", value }, /"success":false.*value/);
    }
    await refused({ type: "save_memory", key: "a", value: "1", metadata: "{" }, /metadata/);
    await refused({ type: "save_memory", key: "", value: "1" }, /it is empty/);
    await refused({ type: "save_memory", value: "1" }, /key/);
    const tool = { signature: "", description: "", source: "" };
    for (const name of ["", "a b", "../x", "1a", "_x", "a".repeat(300)]) {
      await refused({ type: "save_tool", name, ...tool }, /"success":false/);
    }
    assertEquals(await Array.fromAsync(Deno.readDir(stateDir)), []);
  }));

Deno.test("saved tools are listed without their source", () =>
  withRouter(async (ask) => {
    const tool = { signature: "f()", description: "Does.", source: "def f(): pass" };
    await ask({ type: "save_tool", name: "f", ...tool });
    const reply = await ask({ type: "list_saved_tools" });
    const tools = (reply as unknown as { tools: Array<Record<string, unknown>> }).tools;
    assertEquals(tools.map(({ updated_at: _at, ...rest }) => rest), [
      { name: "f", signature: "f()", description: "Does." },
    ]);
    const gone = { success: true, deleted: true } as const;
    assertEquals(await ask({ type: "delete_saved_tool", name: "f" }), gone);
    assertEquals(await ask({ type: "list_saved_tools" }), { success: true, tools: [] });
  }));

Deno.test("any request about memory is answered, and nothing outside the folder is touched", () =>
  withRouter(async (ask, stateDir) => {
    const type = fc.constantFrom(...Object.keys(memoryHandlers));
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("..", "/", "\0", "1"));
    const fields = fc.record({
      key: fc.oneof(text, fc.jsonValue()),
      name: fc.oneof(text, fc.jsonValue()),
      value: fc.oneof(fc.json(), fc.jsonValue()),
      version: fc.oneof(text, fc.constant(null)),
    }, { requiredKeys: [] });
    await fc.assert(fc.asyncProperty(type, fields, async (type, fields) => {
      assertEquals(typeof (await ask({ ...fields, type })).success, "boolean");
    }));
    const names = (await Array.fromAsync(Deno.readDir(stateDir))).map(({ name }) => name);
    assertEquals(names.filter((name) => !["memory", "tools"].includes(name)), []);
  }));
