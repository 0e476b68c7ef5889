/** Network and processes, seen from inside the embedded sandbox. */
import { assertEquals } from "@std/assert";
import { engineCase } from "../contract/case.ts";
import { wasmTarget } from "../support/engines.ts";
import { blocked, permitted } from "./attempt.ts";

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
  "a run cannot open a web socket",
  `import js\njs.WebSocket.new("ws://127.0.0.1:${port}/")`,
  /NotCapable: Requires net access to "127.0.0.1:/,
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
Deno.test("none of the attempts reached the server", () => assertEquals(requests, 1));

blocked("a run cannot fork", "import os\nos.fork()", /OSError/);
blocked("a run cannot start a process", "import subprocess\nsubprocess.run(['id'])", /OSError/);
permitted(
  "a run can wait and work with tasks",
  "import asyncio\nprint(await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2)))",
  "[1, 2]\n",
);

engineCase(wasmTarget, "os.system starts nothing", async ({ session }) => {
  assertEquals((await session.run("import os\nos.system('echo started')")).stdout, "-1\n");
});
