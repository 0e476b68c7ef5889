/**
 * Processes of a bridge are killed at random moments. Each answer is right or says that it failed, comes in
 * time, the next one is right, and in the end nothing is left and the bridge is what it was.
 */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { type BridgeEngine, findBridgeEngines } from "../support/bridge_engines.ts";
import { BridgeHome } from "../support/bridge_home.ts";
import { connectWithServers, fixture, runWith } from "../support/bridge_servers.ts";
import {
  listDescendants,
  listProcesses,
  openFiles,
  type Process,
  residentBytes,
  waitUntilGone,
} from "../support/processes.ts";
import type { RunAnswer, StdioClient } from "../support/stdio_client.ts";
import { Chance, SEED, soak } from "./chance.ts";

const LIMIT_SECONDS = 10;
/** No answer comes later than its limit and this. */
const LATE_MS = 5_000;
const WARM_UP = 5;
/** What the collector may leave for later, whatever the number of runs. */
const NOISE_BYTES = 40 * 1024 * 1024;

/** Programs that print a number which they were given, each in a way of its own. */
const PROGRAMS: readonly ((n: number) => string)[] = [
  (n) => `print(${n})`,
  (n) => `x = 0\nfor i in range(300_000): x += 1\nprint(x - 300_000 + ${n})`,
  (n) => `import time\ntime.sleep(0.1)\nprint(${n})`,
  (n) => `import asyncio\nawait asyncio.sleep(0.1)\nprint(${n})`,
  (n) => `print((await mcp_bench.echo(value=${n}))["value"])`,
  (n) => `await mcp_bench.sleep(ms=100)\nprint(mcp_bench.echo(value=${n})["value"])`,
  (n) => `print(len("x" * ${n}))`,
];

/** The one that needs the sandbox and the server. */
const CALL = 4;

/** What dies, as the processes to kill. */
const VICTIMS: Readonly<Record<string, (all: Process[], inside: Process[]) => Process[]>> = {
  nobody: () => [],
  sandbox: (all, inside) =>
    inside.length > 0 ? inside : all.filter(({ args }) => args.includes("/engine/wasm/child/")),
  "container CLI": (all) => all.filter(({ args }) => / run --rm --name mcp-sandbox-/.test(args)),
  server: (all) => all.filter(({ args }) => args.endsWith("workbench.ts")),
};

function connect(home: BridgeHome, { options }: BridgeEngine): Promise<StdioClient> {
  const lifeMs = soak(300_000);
  return connectWithServers(home, { bench: fixture("workbench") }, { ...options, lifeMs });
}

function numbers(answer: RunAnswer): string {
  return (answer.structuredContent.stdout as string[] | undefined ?? []).join();
}

async function runContainerCli({ name }: BridgeEngine, ...args: string[]): Promise<string[]> {
  if (name === "wasm") return [];
  const { stdout } = await new Deno.Command(name, { args }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

function containersOf(engine: BridgeEngine, pid: number, what: string): Promise<string[]> {
  const filter = `label=mcp-bridge.pid=${pid}`;
  return runContainerCli(engine, "ps", "--all", "--filter", filter, "--format", what);
}

/** The interpreters of the bridge's containers: they are nobody's descendants. */
async function insideOf(engine: BridgeEngine, pid: number): Promise<Process[]> {
  const inits = engine.name === "podman" ? await containersOf(engine, pid, "{{.Pid}}") : [];
  const inside = await Promise.all(inits.map((init) => listDescendants(Number(init))));
  return inside.flat().filter(({ args }) => args.includes("python3"));
}

function kill({ pid }: Process): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function assertNothingLeft(engine: BridgeEngine, pid: number, all: Process[]) {
  assert(await waitUntilGone(all, 10_000) !== undefined, "Processes are left");
  for (let tries = 0; tries < 50; tries++) {
    if ((await containersOf(engine, pid, "{{.Names}}")).length === 0) return;
    await pause(200);
  }
  assertEquals(await containersOf(engine, pid, "{{.Names}}"), []);
}

/** A run in which something may be killed, and the next one, in which nothing is. */
async function runWithFault(engine: BridgeEngine, client: StdioClient, chance: Chance, n: number) {
  const inside = await insideOf(engine, client.pid);
  const all = await listDescendants(client.pid);
  const victims = Object.keys(VICTIMS).filter((name) =>
    name === "nobody" || VICTIMS[name]!(all, inside).length > 0
  );
  const victim = chance.pick(victims);
  const code = chance.pick(PROGRAMS)(n);
  const delayMs = chance.below(200);
  const what = `run ${n}, ${victim} killed after ${delayMs} ms of ${JSON.stringify(code)}`;
  const began = performance.now();
  const answer = runWith(client, ["bench"], code, LIMIT_SECONDS);
  await pause(delayMs);
  for (const process of VICTIMS[victim]!(all, inside)) kill(process);
  const result = await answer;
  const ms = performance.now() - began;
  assertLessOrEqual(ms, LIMIT_SECONDS * 1000 + LATE_MS, `${what}: ${Math.round(ms)} ms`);
  if (!result.isError || victim === "nobody") {
    assertEquals(numbers(result), String(n), `${what}: ${JSON.stringify(result)}`);
  } else {
    const error = String(result.structuredContent.error);
    assert(!error.includes(Deno.cwd()) && error !== "", `${what}: ${error}`);
  }
  const after = () => runWith(client, ["bench"], PROGRAMS[CALL]!(-n), LIMIT_SECONDS);
  let next = await after();
  // The answer was quicker than the kill, and the next run quicker than the news of it.
  const late = !result.isError && next.isError && victim !== "nobody";
  if (late) next = await after();
  assertEquals(numbers(next), `-${n}`, `after ${what}: ${JSON.stringify(next)}`);
  return { victim, outcome: late ? "late" : result.isError ? "failed" : "right", ms };
}

/** Bytes and descriptors of the bridge, at rest. */
async function measureAtRest(pid: number): Promise<{ rss: number; files: number }> {
  let rss = Infinity;
  for (let tries = 0; tries < 10; tries++) {
    rss = Math.min(rss, await residentBytes(pid));
    await pause(50);
  }
  return { rss, files: await openFiles(pid) };
}

const COUNTS: Readonly<Record<string, number>> = { wasm: soak(30), podman: soak(8) };
const BRIDGES: Readonly<Record<string, number>> = { wasm: soak(4), podman: soak(2) };

for (const engine of await findBridgeEngines()) {
  const count = COUNTS[engine.name]!;

  engine.test(`${count} runs with kills at random moments are right or say that they failed`, async () => {
    const chance = new Chance(SEED);
    await using home = new BridgeHome();
    const client = await connect(home, engine);
    await using _client = client;
    const figures: Record<string, number> = {};
    let slowestMs = 0;
    let start = await measureAtRest(client.pid);
    for (let n = 1; n <= count + WARM_UP; n++) {
      const { victim, outcome, ms } = await runWithFault(engine, client, chance, n);
      const key = `${victim} ${outcome}`;
      figures[key] = (figures[key] ?? 0) + 1;
      slowestMs = Math.max(slowestMs, ms);
      if (n === WARM_UP) start = await measureAtRest(client.pid);
    }
    const end = await measureAtRest(client.pid);
    // deno-lint-ignore no-console
    console.log(
      `${engine.name}, seed ${SEED}: ${JSON.stringify(figures)}, slowest ${
        Math.round(slowestMs)
      } ms, ` +
        `memory ${mebi(start.rss)} to ${
          mebi(end.rss)
        } MiB, descriptors ${start.files} to ${end.files}`,
    );
    assertLessOrEqual(end.rss, start.rss * 1.2 + NOISE_BYTES, "The bridge has grown");
    assertLessOrEqual(end.files, start.files + 4, "The bridge keeps files open");
    const all = [...await listDescendants(client.pid), ...await insideOf(engine, client.pid)];
    await client.closeStdin();
    await client.ended;
    await assertNothingLeft(engine, client.pid, all);
    assertEquals((await listProcesses()).filter(({ parent }) => parent === client.pid), []);
  });

  const bridges = BRIDGES[engine.name]!;

  engine.test(`${bridges} bridges killed at random moments leave nothing, and the next one works`, async () => {
    const chance = new Chance(SEED);
    await using home = new BridgeHome();
    for (let n = 1; n <= bridges; n++) {
      const client = await connect(home, engine);
      await using _client = client;
      const first = await runWith(client, ["bench"], `print(${n})`, LIMIT_SECONDS);
      assertEquals(numbers(first), String(n), JSON.stringify(first));
      const code = chance.pick([...PROGRAMS, () => "while True: pass"])(n);
      const answer = runWith(client, ["bench"], code, LIMIT_SECONDS).catch(() => undefined);
      await pause(chance.below(300));
      const all = [...await listDescendants(client.pid), ...await insideOf(engine, client.pid)];
      client.kill("SIGKILL");
      await client.ended;
      await answer;
      await assertNothingLeft(engine, client.pid, all);
    }
  });
}

function mebi(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
