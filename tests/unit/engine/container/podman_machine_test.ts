import { assertEquals, assertRejects } from "@std/assert";
import {
  parseMachines,
  PodmanMachine,
  toNextStep,
} from "../../../../src/engine/container/podman_machine.ts";
import { AppError } from "../../../../src/shared/errors.ts";
import { type Answer, exited, FakeCli, hangs } from "./fake_cli.ts";

/** A podman whose machine comes and goes as it is told. */
function fakePodman(
  state: "absent" | "stopped" | "running",
  more: Record<string, Answer> = {},
): FakeCli {
  const to = (next: typeof state) => () => {
    state = next;
    return exited(0);
  };
  return new FakeCli({
    "machine list": () =>
      exited(
        0,
        JSON.stringify(
          state === "absent"
            ? []
            : [{ Name: "podman-machine-default", Default: true, Running: state === "running" }],
        ),
      ),
    "machine init": to("stopped"),
    "machine start": to("running"),
    "machine stop": to("stopped"),
    ...more,
  });
}

const LIST = "machine list --format json";
const START = "machine start podman-machine-default";
const STOP = "machine stop podman-machine-default";

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

Deno.test("PodmanMachine leaves a running machine alone, also at the end", async () => {
  const cli = fakePodman("running");
  const machine = new PodmanMachine(cli, { idleTimeoutMs: 1 });
  await machine.ensureRunning();
  await machine.use()[Symbol.asyncDispose]();
  await machine[Symbol.asyncDispose]();
  assertEquals(cli.calls, [LIST]);
});

Deno.test("PodmanMachine starts a stopped one and stops it when idle", async () => {
  const cli = fakePodman("stopped");
  const machine = new PodmanMachine(cli, { idleTimeoutMs: 20 });
  const progress: string[] = [];
  const use = machine.use();
  await machine.ensureRunning({ onProgress: (line) => progress.push(line) });
  await new Promise((resolve) => setTimeout(resolve, 100));
  assertEquals(cli.calls, [LIST, START]);
  await use[Symbol.asyncDispose]();
  await use[Symbol.asyncDispose]();
  await until(() => cli.calls.length === 4);
  assertEquals(cli.calls, [LIST, START, "ps --quiet", STOP]);
  assertEquals(progress, ['Starting the podman machine "podman-machine-default"']);
});

Deno.test("PodmanMachine makes one if there is none, never rootful", async () => {
  const cli = fakePodman("absent");
  await using machine = new PodmanMachine(cli, { idleTimeoutMs: 60_000 });
  await machine.ensureRunning();
  assertEquals(cli.calls, [LIST, "machine init", LIST, START]);
  assertEquals(cli.calls.some((call) => /rootful|machine set/.test(call)), false);
});

Deno.test("PodmanMachine starts once for two sandboxes at a time, and again after a stop", async () => {
  const cli = fakePodman("stopped");
  const machine = new PodmanMachine(cli, { idleTimeoutMs: 60_000 });
  await Promise.all([machine.ensureRunning(), machine.ensureRunning()]);
  assertEquals(cli.calls.filter((call) => call === START).length, 1);
  await machine[Symbol.asyncDispose]();
  assertEquals(cli.calls.at(-1), STOP);
  await machine.ensureRunning();
  assertEquals(cli.calls.at(-1), START);
  await machine[Symbol.asyncDispose]();
});

Deno.test("PodmanMachine does not stop a machine in which others run containers", async () => {
  const cli = fakePodman("stopped", { "ps": exited(0, "abc\n") });
  const machine = new PodmanMachine(cli, { idleTimeoutMs: 60_000 });
  await machine.ensureRunning();
  await machine[Symbol.asyncDispose]();
  assertEquals(cli.calls.includes(STOP), false);
});

Deno.test("PodmanMachine takes a machine that another bridge started meanwhile as not ours", async () => {
  const cli = fakePodman("stopped", {
    "machine start": exited(125, "", "Error: podman-machine-default: already running"),
  });
  const machine = new PodmanMachine(cli, { idleTimeoutMs: 1 });
  await machine.ensureRunning();
  await machine[Symbol.asyncDispose]();
  assertEquals(cli.calls, [LIST, START]);
});

Deno.test("PodmanMachine says which command to run by hand", async () => {
  const cli = fakePodman("absent", { "machine init": exited(125, "", "Error: no space left") });
  const machine = new PodmanMachine(cli, { idleTimeoutMs: 1 });
  const error = await assertRejects(() => machine.ensureRunning(), AppError, "no space left");
  assertEquals(error.hint?.includes('"podman machine init"'), true);
});

for (
  const [what, state, calls] of [
    ["machine list", "stopped", [LIST]],
    ["machine init", "absent", [LIST, "machine init"]],
    ["machine start", "stopped", [LIST, START, "ps --quiet", STOP]],
  ] as const
) {
  Deno.test(`PodmanMachine gives up "${what}" when it is told to, and leaves nothing running`, async () => {
    const cli = fakePodman(state, { [what]: hangs });
    const machine = new PodmanMachine(cli, { idleTimeoutMs: 60_000 });
    const abort = new AbortController();
    const starting = machine.ensureRunning({ signal: abort.signal });
    await until(() =>
      cli.calls.length === calls.filter((call) => /list|init|start/.test(call)).length
    );
    abort.abort();
    const error = await assertRejects(() => starting, AppError);
    assertEquals(error.message, "The start of the sandbox was cancelled");
    await machine[Symbol.asyncDispose]();
    assertEquals(cli.calls, [...calls]);
  });
}

Deno.test("PodmanMachine does not let one who gives up wait for the start of another", async () => {
  const cli = fakePodman("stopped", { "machine start": hangs });
  const machine = new PodmanMachine(cli, { idleTimeoutMs: 60_000 });
  const [first, second] = [new AbortController(), new AbortController()];
  const starting = machine.ensureRunning({ signal: first.signal });
  const waiting = machine.ensureRunning({ signal: second.signal });
  second.abort();
  assertEquals(
    (await assertRejects(() => waiting, AppError)).message,
    "The start of the sandbox was cancelled",
  );
  first.abort();
  await assertRejects(() => starting, AppError);
  await machine[Symbol.asyncDispose]();
});

Deno.test("toNextStep() prefers the default machine", () => {
  const machines = parseMachines(JSON.stringify([
    { Name: "other", Default: false, Running: true },
    { Name: "main*", Default: true, Running: false },
  ]));
  assertEquals(toNextStep(machines), { do: "start", name: "main" });
  assertEquals(toNextStep([]), { do: "init" });
});
