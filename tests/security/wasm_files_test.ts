/** Files and environment of the host, seen from inside the embedded sandbox. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { toChildCommand } from "../../src/engine/wasm/child_process.ts";
import { engineCase } from "../contract/case.ts";
import { wasmTarget } from "../support/engines.ts";
import { blocked, permitted } from "./attempt.ts";

const secret = Deno.makeTempFileSync({ prefix: "mcp-bridge-secret-" });
Deno.writeTextFileSync(secret, "the secret of the host");
globalThis.addEventListener("unload", () => Deno.removeSync(secret));

blocked(
  "a run cannot open a file of the host",
  `open(${JSON.stringify(secret)})`,
  /FileNotFoundError/,
);
blocked(
  "a run cannot mount a folder of the host",
  "import pyodide_js as p\np.FS.mkdir('/m')\np.FS.mount(p.FS.filesystems.NODEFS, {'root': '/'}, '/m')",
  /JsException/,
);
permitted(
  "a run can write and read files of its own",
  "from pathlib import Path\nPath('/tmp/a').write_text('mine')\nprint(Path('/tmp/a').read_text())",
  "mine\n",
);

engineCase(
  wasmTarget,
  "a file that a run writes does not appear on the host",
  async ({ session }) => {
    const name = `/tmp/mcp-bridge-escape-${crypto.randomUUID()}`;
    const result = await session.run(`open(${JSON.stringify(name)}, "w").write("x")`);
    assertEquals(result.status, "success");
    assertEquals(await Deno.stat(name).then(() => "there", () => "not there"), "not there");
  },
);

engineCase(wasmTarget, "a run sees no variable of the host", async ({ session }) => {
  Deno.env.set("MCP_BRIDGE_TEST_TOKEN", "host-token");
  const { stdout } = await session.run("import os\nprint(dict(os.environ))");
  assertEquals(stdout.includes("host-token"), false);
  assertEquals(stdout.includes(Deno.env.get("HOME")!), false);
  assertStringIncludes(stdout, "MCP_AVAILABLE_SERVERS");
});

engineCase(wasmTarget, "an error in JavaScript names no path of the host", async ({ session }) => {
  const code = "import js\njs.eval('Error.stackTraceLimit = 50; null.x')";
  const { stderr, error } = await session.run(code);
  assertStringIncludes(stderr, "JsException");
  assertEquals(/file:|\/home|\/root|\.cache/.test(stderr + error), false, stderr);
});

permitted(
  "a run does not learn where the program lies",
  "import js\nprint(js.location.href)",
  "http://sandbox.invalid/\n",
);

Deno.test({
  name: "the child's process may write no file, not even through Deno's own Cache API",
  ignore: Deno.build.os === "windows",
  async fn() {
    const host = { execPath: Deno.execPath(), os: Deno.build.os, standalone: false };
    const { program, args } = toChildCommand({ mode: "plain", denoEnv: {} }, host);
    const script = 'await (await caches.open("x")).put("http://a/b", new Response("stored"))';
    const folder = await Deno.makeTempDir({ prefix: "mcp-bridge-deno-dir-" });
    const run = (command: string, list: string[]) =>
      new Deno.Command(command, {
        args: [...list, "eval", "--no-config", script],
        env: { DENO_DIR: folder },
      }).output();
    const limited = await run(program, args.slice(0, args.indexOf(host.execPath) + 1));
    assertEquals(limited.success, false);
    assertMatch(new TextDecoder().decode(limited.stderr), /disk I\/O error|File too large/);
    const free = await run(host.execPath, []);
    assertEquals(free.success, true, new TextDecoder().decode(free.stderr));
    await Deno.remove(folder, { recursive: true });
  },
});
