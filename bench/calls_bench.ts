/** Tool calls from Python, one after the other, beside a direct SDK client of the same server. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { quantile, type Row, time } from "./measure.ts";
import { StdioPeer } from "./stdio_peer.ts";

const CALLS = 1000;
const ROUNDS = 5;

const server = {
  command: Deno.execPath(),
  args: ["run", "--quiet", "-A", import.meta.resolve("./floors/sdk_echo_server.ts")],
};

const CODE = `
import time
for _ in range(100): await mcp_echo.echo(code="x")
start = time.perf_counter()
for _ in range(${CALLS}): await mcp_echo.echo(code="x")
print((time.perf_counter() - start) * 1000)`;

/** The rows of this machine. */
export async function callRows(): Promise<Row[]> {
  const config = await Deno.makeTempFile({ suffix: ".json" });
  await Deno.writeTextFile(config, JSON.stringify({ mcpServers: { echo: server } }));
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport(server));
  const main = import.meta.resolve("../main.ts");
  const env = { MCP_BRIDGE_ENGINE: "wasm", MCP_SERVERS_CONFIG: config };
  const ours: number[] = [];
  const direct: number[] = [];
  {
    await using bridge = new StdioPeer(["-P", main], env);
    await bridge.initialize();
    for (let round = 0; round < ROUNDS; round++) {
      const reply = await bridge.request("tools/call", {
        name: "run_python",
        arguments: { code: CODE, servers: ["echo"], timeout: 60 },
      });
      const { content } = reply.result as { content: Array<{ text: string }> };
      ours.push(Number(content[0]!.text) / CALLS);
      direct.push(
        await time(async () => {
          for (let at = 0; at < CALLS; at++) {
            await client.callTool({ name: "echo", arguments: { code: "x" } });
          }
        }) / CALLS,
      );
    }
  }
  await client.close();
  await Deno.remove(config);
  return [{
    what: "one tool call from Python (wasm)",
    ours: quantile(ours, 0.5),
    unit: "ms",
    floor: { what: "direct SDK client", value: quantile(direct, 0.5) },
    target: { times: 2 },
  }];
}
