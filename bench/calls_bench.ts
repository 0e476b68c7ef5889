/** Tool calls from Python, one after the other, beside a direct SDK client of the same server. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createApp } from "../src/app.ts";
import { loadConfig, loadDenoEnvironment, loadSystem } from "../src/config/load.ts";
import { createLogger } from "../src/shared/log.ts";
import { plainProcessEngine } from "./floors/plain_process_engine.ts";
import { quantile, type Row, time } from "./measure.ts";
import { StdioPeer } from "./stdio_peer.ts";

const CALLS = 1000;
const ROUNDS = 7;

const server = {
  command: Deno.execPath(),
  args: ["run", "--quiet", "-A", import.meta.resolve("./floors/sdk_echo_server.ts")],
};

const CODE = `
import time
for _ in range(200): await mcp_echo.echo(code="x")
start = time.perf_counter()
for _ in range(${CALLS}): await mcp_echo.echo(code="x")
print((time.perf_counter() - start) * 1000)`;

/** Milliseconds of one call, measured inside the sandbox. */
type Measure = () => Promise<number>;

/** The rows of this machine. */
export async function callRows(): Promise<Row[]> {
  const config = await Deno.makeTempFile({ suffix: ".json" });
  await Deno.writeTextFile(config, JSON.stringify({ mcpServers: { echo: server } }));
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport(server));
  const direct: Measure = async () =>
    await time(async () => {
      for (let at = 0; at < CALLS; at++) {
        await client.callTool({ name: "echo", arguments: { code: "x" } });
      }
    }) / CALLS;
  const rows = [
    await withBridge(config, (wasm) => row("one tool call from Python (wasm)", wasm, direct)),
    await withProcess(
      config,
      (plain) => row("one tool call from Python (plain process)", plain, direct),
    ),
  ];
  await client.close();
  await Deno.remove(config);
  // The embedded engine's is the promise; the plain process shows what of it is the engine's.
  return [{ ...rows[0]!, target: { times: 2 } }, rows[1]!];
}

async function row(what: string, ours: Measure, direct: Measure): Promise<Row> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    times[0].push(await ours());
    times[1].push(await direct());
  }
  const floor = { what: "direct SDK client", value: quantile(times[1], 0.5) };
  return { what, ours: quantile(times[0], 0.5), unit: "ms", floor };
}

async function withBridge(config: string, use: (measure: Measure) => Promise<Row>): Promise<Row> {
  const env = { MCP_BRIDGE_ENGINE: "wasm", MCP_SERVERS_CONFIG: config };
  await using bridge = new StdioPeer(["-P", import.meta.resolve("../main.ts")], env);
  await bridge.initialize();
  return await use(async () => {
    const reply = await bridge.request("tools/call", {
      name: "run_python",
      arguments: { code: CODE, servers: ["echo"], timeout: 60 },
    });
    const { content } = reply.result as { content: Array<{ text: string }> };
    return Number(content[0]!.text) / CALLS;
  });
}

async function withProcess(config: string, use: (measure: Measure) => Promise<Row>): Promise<Row> {
  await using app = createApp({ ...loadConfig({}), serversConfig: config }, {
    log: createLogger("error"),
    denoEnv: loadDenoEnvironment(),
    system: loadSystem(),
    readVariable: (name) => Deno.env.get(name),
    engine: () => Promise.resolve(plainProcessEngine),
  });
  const { session } = app.sessions.open();
  return await use(async () => {
    const result = await session.run({ code: CODE, servers: ["echo"], timeoutSeconds: 60 });
    return Number(result.stdout) / CALLS;
  });
}
