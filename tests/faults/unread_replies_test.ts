/** Large replies of a remote server, all at once, to a sandbox that reads none of them. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../src/app.ts";
import { loadConfig, loadDenoEnvironment, loadSystem } from "../../src/config/load.ts";
import { createLogger } from "../../src/shared/log.ts";
import { hostileEngine } from "../support/hostile_engine.ts";
import { HostProbe } from "../support/host_probe.ts";
import { inFolder } from "../support/temp_folder.ts";

/** The first run does nothing, so that the server is up; the second asks and reads no more. */
const PROGRAM = `
  const first = await runId();
  done(first);
  heard = "";
  await runId();
  for (let at = 0; at < 64; at++) {
    write(request('{"type":"call_tool","server":"big","tool":"big"}', "q" + at));
  }
  await new Promise(() => setInterval(() => {}, 1000));`;

/** What 64 replies of 8 MB may add: 256 MiB may be held, and V8 collects what they were made of late. */
const RISE_MIB = 1000;

async function startServer(): Promise<{ port: number } & AsyncDisposable> {
  const path = new URL("../fixtures/servers/big_http.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-config", "--no-lock", "--allow-net", path],
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

for (const [form, path] of [["JSON", "/json"], ["an event stream", "/sse"]] as const) {
  Deno.test(`64 replies of 8 MB as ${form} to a sandbox that does not read cost the host a bounded amount`, () =>
    inFolder(async (folder) => {
      await using server = await startServer();
      const serversConfig = `${folder}/servers.json`;
      const big = { type: "http", url: `http://127.0.0.1:${server.port}${path}` };
      await Deno.writeTextFile(serversConfig, JSON.stringify({ mcpServers: { big } }));
      const folders = { stateDir: folder, cacheDir: folder, serversConfig };
      await using app = createApp({ ...loadConfig({}), ...folders }, {
        log: createLogger("error"),
        denoEnv: loadDenoEnvironment(),
        system: loadSystem(),
        readVariable: () => undefined,
        engine: () => Promise.resolve(hostileEngine(PROGRAM)),
      });
      const { session } = app.sessions.open();
      const run = () => session.run({ code: "x", servers: ["big"], timeoutSeconds: 20 });
      assertEquals((await run()).status, "success");
      using probe = new HostProbe();
      const { status, error } = await run();
      probe.assertWithin(`64 replies as ${form}`, { riseMiB: RISE_MIB });
      assertEquals([status, error], [
        "error",
        "The interpreter is gone: The sandbox does not read its replies: " +
        "more than 268435456 bytes are waiting",
      ]);
    }));
}
