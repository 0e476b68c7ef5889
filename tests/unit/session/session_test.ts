import { forRun } from "../../../src/downstream/for_run.ts";
import { FakeDownstream } from "../../support/fake_downstream.ts";
import { assertEquals, assertMatch } from "@std/assert";
import type { SandboxExit } from "../../../src/engine/engine.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { VARIABLES_GONE } from "../../../src/session/run_result.ts";
import { FakeEngine, type FakeSandbox, TOO_LONG } from "../../support/fake_engine.ts";
import { TestSession } from "../../support/sessions.ts";

const KILLED: SandboxExit = {
  reason: "crashed",
  detail: "the sandbox ended unexpectedly (SIGKILL)",
};

Deno.test("Session starts nothing before the first run", async () => {
  const engine = new FakeEngine();
  await using _session = new TestSession(engine);
  assertEquals(engine.started.length, 0);
});

Deno.test("Session uses one sandbox for all its runs", async () => {
  const engine = new FakeEngine();
  await using session = new TestSession(engine);
  for (let at = 0; at < 5; at++) await session.run('print("x")');
  assertEquals(engine.started.length, 1);
});

Deno.test("Session tells of a sandbox that died in the middle of a run", async () => {
  const engine = new FakeEngine();
  await using session = new TestSession(engine);
  const running = session.run('print("before")\nwhile True: pass');
  await new Promise((resolve) => setTimeout(resolve, 20));
  engine.started[0]!.crash({ reason: "memory", detail: "the memory limit of 512 MB was exceeded" });
  const result = await running;
  assertEquals(result.status, "error");
  assertEquals(result.stdout, "before\n");
  assertEquals(result.error, "The interpreter is gone: the memory limit of 512 MB was exceeded");
  assertEquals(result.notes, [VARIABLES_GONE]);
  assertEquals((await session.run('print("next")')).stdout, "next\n");
});

Deno.test("Session tells of variables that were lost between two runs, once", async () => {
  const engine = new FakeEngine();
  await using session = new TestSession(engine);
  await session.run("x = 1");
  engine.started[0]!.crash({
    reason: "crashed",
    detail: "the sandbox ended unexpectedly (SIGKILL)",
  });
  await new Promise((resolve) => setTimeout(resolve));
  const result = await session.run('print("next")');
  assertEquals(result.notes, [
    `${VARIABLES_GONE}: between two runs the sandbox ended unexpectedly (SIGKILL)`,
  ]);
  assertEquals((await session.run('print("next")')).notes, []);
});

Deno.test("Session answers with the reason when no engine can be had, and tries again", async () => {
  const engine = new FakeEngine();
  let asked = 0;
  await using session = new TestSession(engine, {
    engine: () =>
      ++asked === 1
        ? Promise.reject(new AppError("Cannot start", { hint: "Install it" }))
        : Promise.resolve(engine),
  });
  const result = await session.run('print("x")');
  assertEquals([result.status, result.error], ["error", "Cannot start"]);
  assertEquals(result.notes, ["hint: Install it"]);
  assertEquals((await session.run('print("x")')).status, "success");
});

Deno.test("Session answers a run that is cancelled while the sandbox starts, and keeps the sandbox", async () => {
  const engine = new FakeEngine();
  const { promise, resolve } = Promise.withResolvers<FakeEngine>();
  await using session = new TestSession(engine, { engine: () => promise });
  const client = new AbortController();
  const running = session.run('print("x")', { signal: client.signal });
  client.abort();
  assertEquals((await running).status, "cancelled");
  resolve(engine);
  assertEquals((await session.run('print("y")')).stdout, "y\n");
  assertEquals(engine.started.length, 1);
});

Deno.test("Session reports progress with the last line printed", async () => {
  await using session = new TestSession(new FakeEngine());
  const seen: string[] = [];
  await session.run('print("step 1")\nwhile True: pass', {
    timeoutSeconds: 3,
    onProgress: ({ message }) => seen.push(message),
  });
  assertEquals(seen, ["step 1"]);
});

Deno.test("Session ends its sandbox when it is closed", async () => {
  const engine = new FakeEngine();
  const session = new TestSession(engine);
  const running = session.run("while True: pass");
  await new Promise((resolve) => setTimeout(resolve, 20));
  await session[Symbol.asyncDispose]();
  assertEquals((await engine.started[0]!.exited).reason, "closed");
  assertMatch((await running).error!, /the sandbox was closed/);
});

const SAVED = [{ name: "f", source: "def f(): pass" }];

for (
  const [what, code] of [
    ["that is too long to be sent", TOO_LONG],
    ["that is refused", "1/0"],
    ["that is cancelled before it does anything", "while True: pass"],
  ] as const
) {
  Deno.test(`Session sends saved tools again after a first run ${what}`, async () => {
    const engine = new FakeEngine();
    const savedTools = () => Promise.resolve(SAVED);
    await using session = new TestSession(engine, { savedTools });
    const client = new AbortController();
    const first = session.run(code, { signal: client.signal });
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.abort();
    await first;
    for (let at = 0; at < 2; at++) await session.run('print("x")');
    assertEquals(engine.started.length, 1);
    assertEquals(engine.started[0]!.savedTools.slice(-2), [["f"], []]);
  });
}

for (
  const [what, die] of [
    ["dies", (sandbox: FakeSandbox) => sandbox.crash(KILLED)],
    ["closes its side, about to end,", (sandbox: FakeSandbox) => sandbox.closeChannel()],
  ] as const
) {
  Deno.test(`Session starts another sandbox for a run whose sandbox ${what} while servers load`, async () => {
    const engine = new FakeEngine();
    const loading = Promise.withResolvers<void>();
    const downstream = new FakeDownstream({ slow: [] });
    const load = downstream.load.bind(downstream);
    downstream.load = async (name) => (await loading.promise, await load(name));
    await using session = new TestSession(engine, { forRun: forRun(downstream) });
    await session.run("x = 1");
    const running = session.run('print("ran")', { servers: ["slow"] });
    await new Promise((resolve) => setTimeout(resolve));
    die(engine.started[0]!);
    await new Promise((resolve) => setTimeout(resolve));
    loading.resolve();
    await new Promise((resolve) => setTimeout(resolve, 20));
    engine.started[0]!.crash(KILLED);
    const { status, stdout, notes } = await running;
    assertEquals([status, stdout], ["success", "ran\n"]);
    assertEquals(notes, [`${VARIABLES_GONE}: between two runs ${KILLED.detail}`]);
    assertEquals(engine.started.length, 2);
  });
}

Deno.test("Session tells of lost variables in the next answer that somebody reads", async () => {
  const engine = new FakeEngine();
  await using session = new TestSession(engine);
  await session.run("x = 1");
  engine.started[0]!.crash(KILLED);
  await new Promise((resolve) => setTimeout(resolve));
  const client = new AbortController();
  const cancelled = session.run("while True: pass", { signal: client.signal });
  await new Promise((resolve) => setTimeout(resolve, 20));
  client.abort();
  assertEquals((await cancelled).status, "cancelled");
  const { notes } = await session.run('print("next")');
  assertEquals(notes, [`${VARIABLES_GONE}: between two runs ${KILLED.detail}`]);
});
