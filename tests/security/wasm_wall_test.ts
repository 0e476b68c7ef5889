/**
 * The wall of the embedded engine, without what stands before it: JavaScript with its event loop, with `Deno`
 * and Node's modules, in a child that is started and confined as the real one. Each attempt has a neighbour:
 * the same act, done in a child with every permission.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { loadDenoEnvironment } from "../../src/config/load.ts";
import { type ChildCommand, toChildCommand } from "../../src/engine/wasm/child_process.ts";
import { files } from "./wall/files.js";
import { network } from "./wall/network.js";
import { system } from "./wall/system.js";
import { layOut, type World } from "./wall/world.ts";

interface Outcome {
  done: boolean;
  said?: string;
}

interface Outcomes {
  worker: Record<string, Outcome>;
  main: Outcome;
}

const WINDOWS = Deno.build.os === "windows";
const MIB = 1024 * 1024;

const here = new URL("./wall/", import.meta.url);

/** The real child's command, but for the program. */
function walledCommand(): ChildCommand {
  const { execPath, build } = { execPath: Deno.execPath(), build: Deno.build };
  const command = toChildCommand(
    { mode: "plain", memoryBytes: 128 * MIB, denoEnv: loadDenoEnvironment() },
    { execPath, os: build.os, standalone: false },
  );
  const args = command.args.slice(0, command.args.findIndex((arg) => arg.endsWith("/main.ts")))
    .map((arg) => arg.startsWith("--allow-read=") ? `--allow-read=${here.pathname}` : arg);
  return { ...command, args };
}

const freeCommand: ChildCommand = {
  program: Deno.execPath(),
  args: ["run", "--quiet", "--no-lock", "-A", "--unstable-worker-options"],
  env: Deno.env.toObject(),
};

async function attempt(mode: string, { program, args, env }: ChildCommand, world: World) {
  const { stdout, stderr } = await new Deno.Command(program, {
    args: [...args, new URL("main.ts", here).href, mode, JSON.stringify(world)],
    env,
    clearEnv: true,
    cwd: "/",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert(text !== "", new TextDecoder().decode(stderr));
  return JSON.parse(text) as Outcomes;
}

/** Both children, one after the other, with what they reached by the network. */
async function run() {
  await using laidOut = await layOut();
  const { world, reached } = laidOut;
  const walled = await attempt("walled", walledCommand(), world);
  const reachedByWalled = reached();
  const free = await attempt("free", freeCommand, world);
  return { walled, free, reachedByWalled, reachedByFree: reached() - reachedByWalled };
}

let running: ReturnType<typeof run> | undefined;
const outcomes = () => running ??= run();

function assertRefused(outcome: Outcome, refusal: RegExp): void {
  assertEquals(outcome.done, false);
  assertMatch(outcome.said!, refusal);
}

function wallTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `the wall: ${name}`, ignore: WINDOWS, fn });
}

wallTest("none of the attempts reaches the network, and the same acts do without it", async () => {
  const { reachedByWalled, reachedByFree } = await outcomes();
  assertEquals(reachedByWalled, 0);
  assert(reachedByFree > 5, `only ${reachedByFree}`);
});

wallTest("the thread that watches can read nothing, not even its own program", async () => {
  const { walled, free } = await outcomes();
  assertRefused(walled.main, /Requires read access to/);
  assertEquals(free.main, { done: true });
});

for (const [name, [, refusal]] of Object.entries({ ...network, ...system, ...files })) {
  wallTest(`hostile JavaScript cannot ${name}`, async () => {
    const { walled, free } = await outcomes();
    assertRefused(walled.worker[name]!, refusal as RegExp);
    assertEquals(free.worker[name], { done: true });
  });
}
