/**
 * Servers that misbehave, beside one that does not. Whoever calls both gets the right value of the healthy
 * one, and of the other its value or an error that names it, in time; once it is good again it can be called.
 * All the while the bridge answers its client and stays small.
 */
import { assert, assertEquals, assertLessOrEqual, assertMatch } from "@std/assert";
import { MOMENTS } from "../fixtures/misbehaving/fault.ts";
import { findBridgeEngines } from "../support/bridge_engines.ts";
import { BridgeHome, type BridgeOptions } from "../support/bridge_home.ts";
import {
  connectWithServers,
  fixture,
  runWith,
  type ServerConfig,
  writeServers,
} from "../support/bridge_servers.ts";
import { listDescendants, openFiles, waitUntilGone } from "../support/processes.ts";
import type { RunAnswer, StdioClient } from "../support/stdio_client.ts";
import { BadServer, faultsOf, type Way, WAYS } from "./bad_server.ts";
import { BridgeWatch } from "./bridge_watch.ts";
import { Chance, SEED, soak } from "./chance.ts";

const LIMIT_SECONDS = 4;
/** No answer comes later than its limit and this. */
const LATE_MS = 5000;

/** After so long a bridge looks at its configuration again. */
const LOOK_MS = 200;

/** Most calls that may fail once a server is good again. */
const MAX_TRIES = 2;

const bench: ServerConfig = fixture("workbench");

/** What one server does wrong, and when. */
interface Case {
  kind: string;
  moment: typeof MOMENTS[number];
  /** Seconds for each call, as its entry says; without it the run's own limit ends them. */
  timeout: number | undefined;
}

/** Draws `count` cases; no fault comes again before all have come. */
function draw(way: Way, count: number, chance: Chance): Case[] {
  let kinds: string[] = [];
  return Array.from({ length: count }, () => {
    if (kinds.length === 0) kinds = faultsOf(way);
    const [kind] = kinds.splice(chance.below(kinds.length), 1);
    return {
      kind: kind!,
      moment: chance.pick(MOMENTS),
      timeout: chance.pick([1, 1, undefined]),
    };
  });
}

/** Calls both at the same time, twice; prints a line for each as it comes. */
function programFor(name: string, n: number): string {
  return `import asyncio
async def call(name, server):
    try:
        print(name, (await server.echo(value=${n}))["value"])
    except Exception as error:
        print(name, type(error).__name__, " ".join(str(error).split()))
for _ in range(2):
    calls = call("bench", mcp_bench), call("${name}", mcp_${name})
    await asyncio.gather(*calls, return_exceptions=True)
`;
}

/** What was printed for a server, without its name. */
function linesOf({ structuredContent }: RunAnswer, name: string): string[] {
  const lines = structuredContent["stdout"] as string[] | undefined ?? [];
  return lines.flatMap((line) => line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []);
}

/** Runs on one bridge with `count` misbehaving servers, one after the other. */
async function runLane(way: Way, count: number, options: BridgeOptions): Promise<string[]> {
  const cases = draw(way, count, new Chance(SEED + WAYS.indexOf(way)));
  await using home = new BridgeHome();
  await using server = await BadServer.start(way, `${home.folder}/fault.json`);
  const client = await connectWithServers(home, { bench }, {
    ...options,
    lifeMs: soak(300_000),
    env: { ...options.env, MCP_BRIDGE_SERVER_START_TIMEOUT: "2" },
  });
  await using _client = client;
  assertEquals(await callAlone(client, "bench", 1), "1");
  const files = await openFiles(client.pid);
  const figures: string[] = [];
  const errors: unknown[] = [];
  for (const [index, one] of cases.entries()) {
    const what = `${way}, ${one.kind} at ${one.moment} (timeout ${one.timeout})`;
    try {
      figures.push(`${what}: ${await runCase({ home, client, server }, index, one)}`);
    } catch (error) {
      errors.push(new Error(what, { cause: error }));
      await server.mend().catch(() => {});
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `Seed ${SEED}, log: ${client.stderr}`);
  await configure(home, { bench });
  assertEquals(await callAlone(client, "bench", 2), "2");
  await assertOnlyBench(client, files);
  const all = await listDescendants(client.pid);
  await client.closeStdin();
  await client.ended;
  assert(await waitUntilGone(all, 10_000) !== undefined, "Processes are left");
  return figures;
}

interface Rig {
  home: BridgeHome;
  client: StdioClient;
  server: BadServer;
}

async function runCase(rig: Rig, n: number, one: Case): Promise<string> {
  const watch = new BridgeWatch(rig.client);
  const outcome = await misbehave(rig, n, one).finally(() => watch.end());
  return `${outcome}, ${watch.assertWithin()}`;
}

async function misbehave({ home, client, server }: Rig, n: number, one: Case): Promise<string> {
  const name = `bad${n}`;
  await server.misbehave(one.kind, one.moment);
  await configure(home, { bench, [name]: server.config(name, one.timeout) });
  const began = performance.now();
  const answer = await runWith(client, ["bench", name], programFor(name, n), LIMIT_SECONDS);
  const ms = performance.now() - began;
  const text = JSON.stringify(answer);
  assertLessOrEqual(ms, LIMIT_SECONDS * 1000 + LATE_MS, text);
  const [good, bad] = [linesOf(answer, "bench"), linesOf(answer, name)];
  // A call that may take as long as the run ends with it.
  const isOver = answer.structuredContent["status"] === "timeout";
  assert(good.length >= (isOver ? 1 : 2), text);
  assertEquals(good.filter((value) => value !== `${n}`), [], text);
  if (one.timeout !== undefined) assert(bad.length >= (isOver ? 1 : 2), text);
  const errors = bad.filter((value) => value !== `${n}`);
  for (const error of errors) assertMatch(error, new RegExp(`["']${name}\\b`));
  assertEquals(await callAlone(client, "bench", -n), `${-n}`);
  await server.mend();
  const tries: string[] = [];
  while (tries.at(-1) !== `${n}`) {
    assertLessOrEqual(tries.length, MAX_TRIES, tries.join("\n"));
    tries.push(await callAlone(client, name, n));
  }
  return `${bad.length - errors.length} right, ${errors.length} failed, ${
    Math.round(ms)
  } ms, good again at call ${tries.length}`;
}

/** For a moment what a bridge saw last counts as what is there. */
async function configure(home: BridgeHome, servers: Record<string, ServerConfig>): Promise<void> {
  await writeServers(home, servers);
  await pause(LOOK_MS);
}

async function callAlone(client: StdioClient, name: string, n: number): Promise<string> {
  const code = `print((await mcp_${name}.echo(value=${n}))["value"])`;
  return (await runWith(client, [name], code)).content[0]?.text ?? "";
}

/** Of all servers only the healthy one is left, and the bridge has no more open than at the start. */
async function assertOnlyBench(client: StdioClient, files: number): Promise<void> {
  const all = await listDescendants(client.pid);
  const bad = all.filter(({ args }) => args.includes("/misbehaving/"));
  assert(await waitUntilGone(bad, 10_000) !== undefined, "Servers are left");
  for (let tries = 0; tries < 50 && await openFiles(client.pid) > files + 4; tries++) {
    await pause(100);
  }
  assertLessOrEqual(await openFiles(client.pid), files + 4, "The bridge keeps files open");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

for (const engine of await findBridgeEngines(["wasm"])) {
  const count = soak(8);

  engine.test(`${count * WAYS.length} servers that misbehave cost nobody else anything`, async () => {
    const lanes = await Promise.all(WAYS.map((way) => runLane(way, count, engine.options)));
    // deno-lint-ignore no-console
    console.log([`seed ${SEED}`, ...lanes.flat()].join("\n  "));
  });
}
