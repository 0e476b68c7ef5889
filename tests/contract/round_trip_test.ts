/** Random documents go through real servers, which record their bytes and give them back. */
import { assertEquals } from "@std/assert";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import { createRig } from "../downstream/rig.ts";
import { targets } from "../support/engines.ts";
import { python } from "../support/python.ts";
import { TestSession } from "../support/sessions.ts";

/** How many, on the first engine; the others show that they are no different with fewer. */
const COUNT = Number(Deno.env.get("MCP_BRIDGE_ROUND_TRIPS") ?? 10_000);
const SEED = Number(Deno.env.get("MCP_BRIDGE_RANDOM_SEED") ?? 15);

const script = await Deno.readTextFile(new URL("./round_trip.py", import.meta.url));
const server = new URL("../fixtures/servers/gives_back.py", import.meta.url).pathname;

for (const target of targets.filter(({ name }) => /^wasm|^podman, Python 3.14/.test(name))) {
  const { unavailable } = target;
  const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";
  const reason = unavailable === undefined ? python.skipped : ` (skipped: ${unavailable})`;
  const count = target.kind === "wasm" ? COUNT : COUNT / 10;
  Deno.test({
    name:
      `${target.name}: ${count} documents of seed ${SEED} come back unchanged over stdio and HTTP${reason}`,
    ignore: !required && reason !== "",
    async fn() {
      await using http = await startHttp();
      const stdio = { kind: "stdio" as const, command: python.command!, args: [server], env: {} };
      await using rig = await createRig({
        stdio,
        http: { kind: "http", url: http.url, headers: {} },
      });
      await using session = new TestSession(await target.create(), {
        rpc: createRpcRouter({}),
        forRun: forRun(rig.downstream),
      });
      const code = `${script}
async def raw(doc):
    return (await runtime.call_tool("http", "structured", {"doc": doc}, raw=True))["structuredContent"]
tools = [mcp_stdio.text, mcp_http.text, mcp_stdio.structured, mcp_http.structured, raw]
changed = await round_trips(tools, ${count}, ${SEED})
print(len(changed), changed[:3])`;
      const result = await session.run(code, { servers: ["stdio", "http"], timeoutSeconds: 120 });
      assertEquals(result.stdout, "0 []\n", result.stderr);
    },
  });
}

async function startHttp(): Promise<{ url: string } & AsyncDisposable> {
  const child = new Deno.Command(python.command!, { args: [server, "http"], stdout: "piped" })
    .spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  return {
    url: `http://127.0.0.1:${Number(value)}/mcp`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await reader.cancel();
      await child.status;
    },
  };
}
