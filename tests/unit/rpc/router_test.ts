import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { createRpcRouter } from "../../../src/rpc/router.ts";

const context = { servers: ["weather", "alpha"], signal: new AbortController().signal };

Deno.test("createRpcRouter() lists the servers of the run, sorted", async () => {
  const reply = await createRpcRouter()({ type: "list_servers" }, context);
  assertEquals(reply, { success: true, servers: ["alpha", "weather"] });
});

Deno.test("createRpcRouter() refuses a server", async () => {
  const payload = { type: "call_tool", server: "todo", tool: "add", arguments: {} };
  const reply = await createRpcRouter()(payload, context);
  assertEquals(reply, { success: false, error: "Server 'todo' is not available" });
});

for (const type of ["constructor", "__proto__", "toString", "nothing"]) {
  Deno.test(`createRpcRouter() does not know "${type}"`, async () => {
    const reply = await createRpcRouter()({ type }, context);
    assertEquals(reply, { success: false, error: `Unknown request type: "${type}"` });
  });
}

Deno.test("createRpcRouter() names the field that is wrong", async () => {
  const reply = await createRpcRouter()({ type: "call_tool", server: 5 }, context);
  assertMatch(JSON.stringify(reply), /Cannot answer call_tool: .*server/);
});

Deno.test("createRpcRouter() answers any payload and never throws", async () => {
  const router = createRpcRouter();
  const type = fc.oneof(fc.constantFrom("call_tool", "list_tools", "query_tool_docs"), fc.string());
  await fc.assert(
    fc.asyncProperty(type, fc.dictionary(fc.string(), fc.jsonValue()), async (type, fields) => {
      const reply = await router({ ...fields, type }, context);
      assertEquals(typeof reply.success, "boolean");
    }),
  );
});
