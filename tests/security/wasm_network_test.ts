/** Network and processes, seen from inside the embedded sandbox. */
import { assertEquals } from "@std/assert";
import { engineCase } from "../contract/case.ts";
import { wasmTarget } from "../support/engines.ts";
import { blocked, js, NEVER_KEPT, permitted } from "./attempt.ts";

/** A server that really answers, so that a refusal is the sandbox's and not the network's. */
let requests = 0;
const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
  requests++;
  return new Response("reached");
});
const { port } = server.addr as Deno.NetAddr;
globalThis.addEventListener("unload", () => void server.shutdown());

Deno.test("the server the attempts aim at can be reached from the host", async () => {
  assertEquals(await (await fetch(`http://127.0.0.1:${port}/`)).text(), "reached");
});

blocked(
  "a run cannot fetch",
  js(`return await (await fetch("http://127.0.0.1:${port}/")).text()`),
  NEVER_KEPT,
);
blocked(
  "a run cannot open a web socket",
  js(`return await new Promise((resolve, reject) => {
    const socket = new WebSocket("ws://127.0.0.1:${port}/");
    socket.onopen = () => resolve("open");
    socket.onerror = (event) => reject(event.error ?? new Error(event.message));
  })`),
  NEVER_KEPT,
);
blocked(
  "a run cannot open a socket",
  `import socket\nsocket.create_connection(("127.0.0.1", ${port}), 2)`,
  /OSError/,
);
blocked(
  "a run cannot use urllib",
  `import urllib.request\nurllib.request.urlopen("http://127.0.0.1:${port}/")`,
  /URLError/,
);
blocked(
  "a run cannot import code from the network",
  js(`return await import("http://127.0.0.1:${port}/x.js")`),
  NEVER_KEPT,
);
Deno.test("none of the attempts reached the server", () => assertEquals(requests, 1));

blocked("a run cannot fork", "import os\nos.fork()", /OSError/);
blocked("a run cannot start a process", "import subprocess\nsubprocess.run(['id'])", /OSError/);
blocked(
  "a run cannot start a process through Node's modules",
  js('const c = await import("node:child_process"); return String(c.execSync("id"))'),
  NEVER_KEPT,
);
blocked(
  "a run cannot signal another process",
  js('const p = await import("node:process"); return p.kill(1, 0)'),
  NEVER_KEPT,
);
permitted(
  "a run can wait and work with tasks",
  "import asyncio\nprint(await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2)))",
  "[1, 2]\n",
);

engineCase(wasmTarget, "os.system starts nothing", async ({ session }) => {
  assertEquals((await session.run("import os\nos.system('echo started')")).stdout, "-1\n");
});
blocked("a run does not find Deno through js", "import js\njs.Deno", /AttributeError: Deno/);
blocked(
  "a run does not find Deno through a constructor",
  js('return globalThis.constructor.constructor("return Deno")()'),
  NEVER_KEPT,
);
blocked(
  "a run cannot make a worker of its own",
  js(
    'const { Worker } = await import("node:worker_threads"); return new Worker("1", { eval: true })',
  ),
  NEVER_KEPT,
);
permitted("a run can use JavaScript itself", "import js\nprint(js.eval('6 * 7'))", "42\n");
