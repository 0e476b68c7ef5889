/**
 * The clock is set while the bridge works, by a day and by ten years, ahead and back: no time limit is shorter or
 * longer for it, no lock is taken from who holds it, and what comes later counts as later.
 */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, fixture, runWith } from "../support/bridge_servers.ts";
import { FakedClock, testWithClock } from "../support/faked_clock.ts";
import { StdioClient } from "../support/stdio_client.ts";

const JUMPS = ["+1d", "-1d", "+10y", "-10y"];

/** Later than its limit and this, an answer counts as lost. */
const LATE_MS = 5_000;

/** Longer than a call takes on a busy machine. */
const IDLE_MS = 3_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const began = performance.now();
  const value = await work;
  return { value, ms: performance.now() - began };
}

async function inYear(client: StdioClient, year: number): Promise<boolean> {
  const text = await client.text('print(get_memory_info("year")["updated_at"][:4])');
  return Math.abs(Number(text) - year) <= 1;
}

testWithClock("a run has its time and no more when the clock jumps", async () => {
  await using home = new BridgeHome();
  const clock = new FakedClock(home.folder);
  await using client = await StdioClient.connect(home, { env: clock.env });
  await client.run("1");
  for (const jump of JUMPS) {
    const late = timed(client.run("while True: pass", { timeout: 1 }));
    await pause(300);
    clock.set(jump);
    const { value, ms } = await late;
    assertEquals(value.structuredContent.status, "timeout", `${jump}: ${JSON.stringify(value)}`);
    assertGreater(ms, 900, jump);
    assertLess(ms, 1000 + LATE_MS, jump);
    clock.set("+0");
    const right = client.text("import time\ntime.sleep(0.4)\nprint('slept')", { timeout: 10 });
    await pause(100);
    clock.set(jump);
    assertEquals(await right, "slept", jump);
  }
});

testWithClock("memories and runs are in their order when the clock jumps", async () => {
  await using home = new BridgeHome();
  const clock = new FakedClock(home.folder);
  await using client = await StdioClient.connect(home, { env: clock.env });
  const thisYear = new Date().getFullYear();
  const names: string[] = [];
  for (const [jump, years] of [["+10y", 10], ["-10y", -10], ["+0", 0]] as const) {
    clock.set(jump);
    assertEquals(await client.text(`print("${jump}")`), jump);
    const said = await client.text(
      `print(runtime.output(-1), end="")\nsave_memory("year", "${jump}")\nprint(load_memory("year"))`,
    );
    assertEquals(said, `${jump}\n${jump}`);
    assert(await inYear(client, thisYear + years), jump);
    await client.run(`save_file("file${names.length}", "x")`);
    names.unshift(`file${names.length}`);
  }
  assertEquals(await filesOf(client), names);
  clock.set("-10y");
  await using other = await StdioClient.connect(home, { env: clock.env });
  await other.run('save_file("other", "x")');
  assertEquals(await filesOf(other), ["other", ...names]);
});

/** Names of files that runs have saved, the last one first. */
async function filesOf(client: StdioClient): Promise<string[]> {
  const { result } = await client.request("resources/list").reply;
  const names = (result!.resources as { name: string }[]).map(({ name }) => name);
  return names.filter((name) => /^(file\d|other)$/.test(name));
}

Deno.test("a program waits for as long as it says when the clock of its sandbox jumps", async () => {
  await using home = new BridgeHome();
  await using client = await StdioClient.connect(home);
  await client.run("1");
  for (const years of [10, -20]) {
    const { value, ms } = await timed(client.text(`
import asyncio, time
from pyodide.code import run_js
run_js("{ const now = Date.now; Date.now = () => now() + ${years} * 365 * 864e5 }")
time.sleep(0.2)
await asyncio.sleep(0.2)
try: await asyncio.wait_for(asyncio.sleep(60), 0.2)
except TimeoutError: print("in time")
`));
    assertEquals(value, "in time");
    assertGreater(ms, 600, String(years));
    assertLess(ms, LATE_MS, String(years));
  }
});

testWithClock(
  "a lock is waited for while another holds it, and no longer, when the clock jumps",
  async () => {
    await using home = new BridgeHome();
    const clock = new FakedClock(home.folder);
    await using client = await StdioClient.connect(home, { env: clock.env });
    await client.run('save_memory("a", 0)');
    for (const jump of JUMPS) {
      const lock = await Deno.open(`${home.stateDir}/memory/lock`, { read: true, write: true });
      await lock.lock(true);
      let isDone = false;
      const saved = client.text('save_memory("a", 1)\nprint("saved")').finally(() => isDone = true);
      await pause(200);
      clock.set(jump);
      await pause(300);
      assertEquals(isDone, false, `${jump}: the lock was taken from who holds it`);
      lock.close();
      const { value, ms } = await timed(saved);
      assertEquals(value, "saved", jump);
      assertLess(ms, LATE_MS, jump);
      clock.set("+0");
    }
  },
);

testWithClock(
  "a server is kept, ends when idle and is found again when the clock jumps",
  async () => {
    await using home = new BridgeHome();
    const clock = new FakedClock(home.folder);
    const env = {
      ...clock.env,
      MCP_BRIDGE_CACHE_DIR: `${home.folder}/cache`,
      MCP_BRIDGE_SERVER_IDLE_TIMEOUT: String(IDLE_MS / 1000),
    };
    const servers = { bench: fixture("workbench") };
    await using client = await connectWithServers(home, servers, { env });
    const pid = async () => {
      const answer = await runWith(client, ["bench"], "print(mcp_bench.pid())");
      assert(!answer.isError, JSON.stringify(answer));
      return Number((answer.structuredContent.stdout as string[])[0]);
    };
    let before = await pid();
    for (const jump of ["+10y", "-10y"]) {
      clock.set(jump);
      await pause(300);
      const began = performance.now();
      assertEquals(await pid(), before, `${jump}: the server was ended`);
      const lastUsed = performance.now();
      await untilGone(before);
      assertGreater(performance.now() - began, IDLE_MS - 100, jump);
      assertLess(performance.now() - lastUsed, IDLE_MS + LATE_MS, jump);
      // Its catalogue, and how it was reached, are of another time now.
      before = await pid();
    }
  },
);

async function untilGone(pid: number): Promise<void> {
  while (await Deno.stat(`/proc/${pid}/stat`).then(() => true, () => false)) await pause(50);
}
