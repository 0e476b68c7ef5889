/** The server ends when it should, and nothing of it stays behind. `ps` and signals: not for Windows. */
import { assertEquals, assertGreater, assertStringIncludes, fail } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, fixture, textWith } from "../support/bridge_servers.ts";
import { assertWithin, measure, pause } from "../support/figures.ts";
import { listDescendants, type Process, waitUntilGone } from "../support/processes.ts";
import { StdioClient } from "../support/stdio_client.ts";

/** No child is left this long after the server was killed. */
const ORPHAN_MS = 2000;

/** A server that refuses has 0.5 s to end by itself and 1.5 s after SIGTERM; the rest is for a busy machine. */
const STUBBORN_MS = 10_000;

/** The end of stdin ends the server within 1 s; twice that allows for a busy machine. */
const END_MS = 2000;

/** What a server can be busy with when its end comes. */
const BUSY = [
  ["idle", undefined],
  ["in a busy loop", "while True: pass"],
  ["in time.sleep", "import time\ntime.sleep(60)"],
  ["in an await", "import asyncio\nawait asyncio.sleep(60)"],
  ["in a flood of output", "while True: print('x' * 1000)"],
  [
    "in a program that wants to stay",
    "import js, os, pyodide_js\npyodide_js._module.Py_EmscriptenSignalBuffer.fill(1)\n" +
    "js.self.postMessage = js.Atomics.load = js.Atomics.wait = js.eval('() => 1')\n" +
    "while True: pass",
  ],
  [
    "in an attack on the thread that watches it",
    `import js\njs.eval("""
      let many = [1];
      for (let i = 0; i < 27; i++) many = [many, many];
      self.postMessage({ kind: 'interrupt', run: many });
      const map = new Map();
      for (let i = 0; i < 1e5; i++) map.set({ i }, [{ i }]);
      const { port1, port2 } = new MessageChannel();
      port2.postMessage(map);
      self.postMessage(port1, [port1]);
      new BroadcastChannel('all').postMessage(map);
      Promise.reject(new Error('x'.repeat(1e7)));
      for (;;) Atomics.notify(new Int32Array(new SharedArrayBuffer(4)), 0);
    """)`,
  ],
] as const;

for (const [what, code] of BUSY) {
  Deno.test(`killing the server while it is ${what} leaves no process behind`, async () => {
    await using home = new BridgeHome();
    const { client, children } = await startBusy(home, code);
    await using _client = client;
    const ms = await measure(async () => {
      client.kill("SIGKILL");
      await assertGone(children, ORPHAN_MS);
    });
    assertWithin(`SIGKILL ${what} to no process`, ms, ORPHAN_MS);
  });

  Deno.test(`the end of stdin ends a server that is ${what}`, async () => {
    await using home = new BridgeHome();
    const { client, children } = await startBusy(home, code);
    await using _client = client;
    const ms = await measure(async () => {
      await client.closeStdin();
      const { code } = await client.ended;
      assertEquals(code, 0, client.stderr);
    });
    assertWithin(`end of stdin ${what} to exit`, ms, END_MS);
    await assertGone(children, ORPHAN_MS);
  });
}

Deno.test("servers that refuse to end outlive neither the bridge nor its being killed", async () => {
  await using home = new BridgeHome();
  for (const end of ["SIGKILL", "SIGTERM"] as const) {
    await using client = await connectWithServers(home, { s: fixture("stays") });
    assertEquals(await textWith(client, ["s"], "print(mcp_s.hello())"), "hello");
    const children = await listDescendants(client.pid);
    // The server, its own child and what that waits for.
    assertGreater(children.filter(({ args }) => /stays|sleep 60/.test(args)).length, 2);
    const ms = await measure(async () => {
      client.kill(end);
      await assertGone(children, STUBBORN_MS);
    });
    assertWithin(`${end} to no stubborn server`, ms, STUBBORN_MS);
  }
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.test(`${signal} ends a server in the middle of a run`, async () => {
    await using home = new BridgeHome();
    const { client, children } = await startBusy(home, "while True: pass");
    await using _client = client;
    const ms = await measure(async () => {
      client.kill(signal);
      const { code } = await client.ended;
      assertEquals(code, 0, client.stderr);
    });
    assertWithin(`${signal} to exit`, ms, END_MS);
    await assertGone(children, ORPHAN_MS);
  });
}

Deno.test("the end of stdin ends a server that prepares its first start", async () => {
  await using home = new BridgeHome();
  const { client, children } = await startBuilding(home);
  await using _client = client;
  const ms = await measure(async () => {
    await client.closeStdin();
    const { code } = await client.ended;
    assertEquals(code, 0, client.stderr);
  });
  assertWithin("end of stdin in the first start to exit", ms, END_MS);
  await assertGone(children, ORPHAN_MS);
  assertEquals(await filesIn(`${home.folder}/cache/wasm`), []);
});

Deno.test("killing a server that prepares its first start leaves no process behind", async () => {
  await using home = new BridgeHome();
  const { client, children } = await startBuilding(home);
  await using _client = client;
  const ms = await measure(async () => {
    client.kill("SIGKILL");
    await assertGone(children, ORPHAN_MS);
  });
  assertWithin("SIGKILL in the first start to no process", ms, ORPHAN_MS);
  assertEquals(await filesIn(`${home.folder}/cache/wasm`), []);
});

Deno.test("a server that is not used starts no process", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  await client.request("tools/list").reply;
  await client.request("resources/list").reply;
  assertEquals(await listDescendants(client.pid), []);
});

Deno.test("a server whose working folder is removed goes on, also with its first run", async () => {
  await using home = new BridgeHome();
  const env = { MCP_BRIDGE_CACHE_DIR: `${home.folder}/cache` };
  await using client = await StdioClient.connect(home, { env });
  await Deno.remove(home.cwd);
  assertEquals(
    await client.text("print(runtime.discovered_servers())", { timeout: 60 }),
    "()",
    client.stderr,
  );
  await client.closeStdin();
  assertEquals((await client.ended).code, 0);
});

Deno.test("two servers at once do not disturb each other", async () => {
  await using home = new BridgeHome();
  await using first = await StdioClient.connect(home);
  await using second = await StdioClient.connect(home);
  await Promise.all([first.run("x = 'first'"), second.run("x = 'second'")]);
  assertEquals(await Promise.all([first.text("x"), second.text("x")]), ["'first'", "'second'"]);
  first.start("while True: pass");
  await pause(300);
  assertEquals(await second.text("x"), "'second'");
  first.kill("SIGKILL");
  await first.ended;
  assertEquals(await second.text("x"), "'second'");
});

Deno.test("a run over its time answers with what it printed, and variables stay", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  await client.run("x = 41");
  let text = "";
  const ms = await measure(async () => {
    text = await client.text("print('partial')\nwhile True: pass", { timeout: 1 });
  });
  assertEquals(
    text,
    "status: timeout\npartial\nerror: Execution timed out after 1s\n" +
      "The program was at line 2: while True: pass\n" +
      "hint: Give run_python a higher timeout (at most 120), or do less per call\n" +
      "Variables of this session are kept",
  );
  // The answer is to come within 1.5 s: half a second beyond the limit, here twice that.
  assertWithin("timeout of 1 s to its answer", ms, 2000);
  assertEquals(await client.text("print(x)"), "41");
});

Deno.test("a user whose interpreter was killed between two runs is told so", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  await client.run("x = 41");
  const [child] = await listDescendants(client.pid);
  Deno.kill(child!.pid, "SIGKILL");
  await waitUntilGone([child!], ORPHAN_MS);
  await pause(200);
  const text = await client.text("print('x' in globals())");
  assertStringIncludes(text, "False\nVariables of this session are gone: between two runs ");
});

async function startBusy(home: BridgeHome, code: string | undefined) {
  const client = await StdioClient.connect(home);
  await client.run("x = 41");
  if (code !== undefined) client.start(code);
  await pause(300);
  const children = await listDescendants(client.pid);
  assertGreater(children.length, 0);
  return { client, children };
}

async function startBuilding(home: BridgeHome) {
  const client = await StdioClient.connect(home, {
    env: { MCP_BRIDGE_CACHE_DIR: `${home.folder}/cache` },
  });
  client.start("print(1)");
  await client.waitForLog("Building the Python snapshot");
  let children: Process[] = [];
  while (children.length === 0) children = await listDescendants(client.pid);
  return { client, children };
}

async function filesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
}

async function assertGone(children: readonly Process[], maxMs: number): Promise<void> {
  if (await waitUntilGone(children, maxMs) !== undefined) return;
  for (const { pid } of children) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // This one is gone.
    }
  }
  fail(`left behind after ${maxMs} ms: ${children.map(({ args }) => args.slice(-80)).join("; ")}`);
}
