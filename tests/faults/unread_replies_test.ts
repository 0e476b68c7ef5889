/** Large replies, all at once: to a program that reads them, to one that does not yet, to a sandbox that never does. */
import { assertEquals, assertLessOrEqual, assertMatch } from "@std/assert";
import { createApp } from "../../src/app.ts";
import { loadConfig, loadDenoEnvironment, loadSystem } from "../../src/config/load.ts";
import { createLogger } from "../../src/shared/log.ts";
import { BridgeHome } from "../support/bridge_home.ts";
import { hostileEngine } from "../support/hostile_engine.ts";
import { HostProbe } from "../support/host_probe.ts";
import { StdioClient } from "../support/stdio_client.ts";
import { inFolder } from "../support/temp_folder.ts";

/** A correct program: no more than one reply is held at a time. */
const READS = `
import asyncio
async def one():
    return (await mcp_big.big()).count("x")
print(sum(await asyncio.gather(*[one() for _ in range(64)])))`;

/** It holds all of them, after a time in which it takes none. */
const STALLS = `
import asyncio, time
calls = [asyncio.create_task(mcp_big.big()) for _ in range(64)]
await asyncio.sleep(0)
time.sleep(5)
print(sum([r.count("x") for r in await asyncio.gather(*calls)]))`;

/** The first run does nothing, so that the server is up; the second asks and reads no more. */
const NEVER_READS = `
  const first = await runId();
  done(first);
  heard = "";
  await runId();
  for (let at = 0; at < 64; at++) {
    write(request('{"type":"call_tool","server":"big","tool":"big"}', "q" + at));
  }
  await new Promise(() => setInterval(() => {}, 1000));`;

/** Most memory of the bridge's process. */
const MAX_MIB = 600;

/** The same for a process that holds the tests as well: what 64 replies may add to it. */
const RISE_MIB = 500;

/** Once they are answered, memory comes back to within so much of the start. */
const KEPT_MIB = 400;

const MAX_DELAY_MS = 250;

const FIXTURES = new URL("../fixtures/servers/", import.meta.url).pathname;
const DENO_RUN = ["run", "--quiet", "--no-config", "--no-lock"];

async function startHttp(): Promise<{ port: number } & AsyncDisposable> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...DENO_RUN, "--allow-net", `${FIXTURES}big_http.ts`],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  return {
    port: Number(new TextDecoder().decode(value)),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    },
  };
}

async function memoryMiB(pid: number, what: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}

const KINDS = { JSON: "/json", "an event stream": "/sse", "lines over stdio": undefined };

for (const [form, path] of Object.entries(KINDS)) {
  const toEntry = (port: number) =>
    path === undefined
      ? { command: Deno.execPath(), args: [...DENO_RUN, `${FIXTURES}big_stdio.ts`] }
      : { type: "http", url: `http://127.0.0.1:${port}${path}` };

  Deno.test({
    name: `64 replies of 8 MB as ${form} reach a program, and cost the bridge a bounded amount`,
    ignore: Deno.build.os !== "linux",
    async fn() {
      await using server = await startHttp();
      await using home = new BridgeHome();
      const config = `${home.folder}/servers.json`;
      await Deno.writeTextFile(
        config,
        JSON.stringify({ mcpServers: { big: toEntry(server.port) } }),
      );
      const probe = new URL("../support/loop_probe.ts", import.meta.url).pathname;
      await using client = await StdioClient.connect(home, {
        env: { MCP_SERVERS_CONFIG: config },
        denoArgs: ["-A", `--preload=${probe}`],
        lifeMs: 300_000,
      });
      const run = async (code: string) => {
        const args = { code, servers: ["big"], timeout: 120 };
        const { reply } = client.request("tools/call", { name: "run_python", arguments: args });
        const { content } = (await reply).result as { content: Array<{ text: string }> };
        return content[0]!.text;
      };
      assertEquals(await run("print(1)"), "1");
      const before = await memoryMiB(client.pid, "VmRSS");
      const logged = client.stderr.length;
      assertMatch(await run(READS), /512000000/);
      // All of them are as much as its sandbox may hold.
      assertMatch(await run(STALLS), /512000000|MemoryError|memory limit|ask for fewer at once/);
      const most = await memoryMiB(client.pid, "VmHWM");
      await new Promise((resolve) => setTimeout(resolve, 3000));
      const after = await memoryMiB(client.pid, "VmRSS");
      const delays = [...client.stderr.slice(logged).matchAll(/stood still: (\d+)/g)];
      const delayMs = Math.max(0, ...delays.map(([, ms]) => Number(ms)));
      // deno-lint-ignore no-console
      console.log(
        `64 replies as ${form}: memory of the bridge rose from ${before} to ${most} MiB (bound ` +
          `${MAX_MIB}), ${after} after it; its event loop stood still for at most ` +
          `${delayMs} ms (bound ${MAX_DELAY_MS})`,
      );
      assertLessOrEqual(most, MAX_MIB);
      assertLessOrEqual(after, before + KEPT_MIB);
      assertLessOrEqual(delayMs, MAX_DELAY_MS);
    },
  });

  Deno.test(`64 replies of 8 MB as ${form} to a sandbox that does not read cost the host a bounded amount`, () =>
    inFolder(async (folder) => {
      await using server = await startHttp();
      const serversConfig = `${folder}/servers.json`;
      const big = toEntry(server.port);
      await Deno.writeTextFile(serversConfig, JSON.stringify({ mcpServers: { big } }));
      const folders = { stateDir: folder, cacheDir: folder, serversConfig };
      await using app = createApp({ ...loadConfig({}), ...folders }, {
        log: createLogger("error"),
        denoEnv: loadDenoEnvironment(),
        system: loadSystem(),
        readVariable: () => undefined,
        engine: () => Promise.resolve(hostileEngine(NEVER_READS)),
      });
      const { session } = app.sessions.open();
      const run = () => session.run({ code: "x", servers: ["big"], timeoutSeconds: 5 });
      assertEquals((await run()).status, "success");
      using probe = new HostProbe();
      const { status } = await run();
      probe.assertWithin(`64 replies as ${form}, not read`, { riseMiB: RISE_MIB });
      assertEquals(status, "timeout");
    }));
}
