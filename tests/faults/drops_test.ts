/** Sandboxes are opened and dropped in any state; nothing of them is left, and the host is what it was. */
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { DEFAULT_POLICY } from "../../src/engine/policy.ts";
import type { Engine, Sandbox } from "../../src/engine/engine.ts";
import { execute, listOwnContainers } from "../support/container_case.ts";
import { findContainerTargets } from "../support/container_targets.ts";
import { type EngineTarget, wasmTarget } from "../support/engines.ts";
import { listDescendants, openFiles, waitUntilGone } from "../support/processes.ts";
import { Chance, SEED, soak } from "./chance.ts";

/** How many are open at a time. */
const LANES = 2;
const MIB = 1024 * 1024;

/** What a sandbox is at when it is dropped; undefined for a start that is given up. */
const STATES: Readonly<Record<string, string | undefined>> = {
  starting: undefined,
  idle: "print(1)",
  busy: "print(1)\nwhile True: pass",
  writing: "while True: print('x' * 10_000)",
  asleep: "import time\ntime.sleep(100)",
};

async function drop(engine: Engine, chance: Chance): Promise<string> {
  const state = chance.pick(Object.keys(STATES));
  const delayMs = chance.below(150);
  const code = STATES[state];
  const given = new AbortController();
  const timer = setTimeout(() => code === undefined && given.abort(), delayMs * 4);
  let sandbox: Sandbox;
  try {
    sandbox = await engine.start(DEFAULT_POLICY, { signal: given.signal });
  } catch (error) {
    if (given.signal.aborted) return state;
    throw error;
  } finally {
    clearTimeout(timer);
  }
  if (state === "idle") assertEquals((await execute(sandbox, code!)).stdout, "1\n");
  else if (code !== undefined) {
    sandbox.channel.listen(() => {});
    sandbox.channel.send({ type: "execute", id: "1", code, servers: [], discovered: {} });
    await new Promise((resolve) => setTimeout(resolve, delayMs));
  }
  await sandbox[Symbol.asyncDispose]();
  assertEquals((await sandbox.exited).reason, "closed");
  return state;
}

async function dropMany(engine: Engine, chance: Chance, count: number) {
  const states: Record<string, number> = {};
  const lane = async () => {
    while (count-- > 0) {
      const state = await drop(engine, chance);
      states[state] = (states[state] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return states;
}

const required = Deno.env.get("MCP_BRIDGE_REQUIRE_ENGINES") === "1";
const podman = (await findContainerTargets()).find(({ name }) => name === "podman, Python 3.14")!;

for (const [target, count] of [[wasmTarget, soak(24)], [podman, soak(6)]] as const) {
  const { name, unavailable }: EngineTarget = target;
  Deno.test({
    name: `${name}: ${count} sandboxes opened and dropped leave nothing${
      unavailable === undefined ? "" : ` (skipped: ${unavailable})`
    }`,
    ignore: Deno.build.os !== "linux" || (unavailable !== undefined && !required),
    async fn() {
      const chance = new Chance(SEED);
      const engine = await target.create();
      await dropMany(engine, chance, 4);
      const [files, rss] = [await openFiles(Deno.pid), Deno.memoryUsage().rss];
      const states = await dropMany(engine, chance, count);
      const [filesAfter, rssAfter] = [await openFiles(Deno.pid), Deno.memoryUsage().rss];
      // deno-lint-ignore no-console
      console.log(
        `${name}, seed ${SEED}: ${
          JSON.stringify(states)
        }, descriptors ${files} to ${filesAfter}, ` +
          `memory ${Math.round(rss / MIB)} to ${Math.round(rssAfter / MIB)} MiB`,
      );
      const left = await listDescendants(Deno.pid);
      const sandboxes = left.filter(({ args }) => /engine\/wasm\/child|mcp-sandbox-/.test(args));
      assert(await waitUntilGone(sandboxes, 2_000) !== undefined, "Processes are left");
      if (target === podman) assertEquals(await listOwnContainers(podman), []);
      assertLessOrEqual(filesAfter, files + 4, "Descriptors are left");
      // The tests' own process starts small, and its collector takes its time.
      assertLessOrEqual(rssAfter, rss * 1.2 + 64 * MIB, "The host has grown");
    },
  });
}
