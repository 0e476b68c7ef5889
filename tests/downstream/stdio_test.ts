/** Stdio servers that keep the rules, by real processes. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../src/shared/errors.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import { calling, createRig, entry, isRunning, never, stub, until, valueOf } from "./rig.ts";

Deno.test("a server is started by its first use and shared by all who call it at once", async () => {
  await using rig = await createRig({ bench: stub("workbench") });
  const [first] = await rig.downstream.servers();
  assertEquals(first, { name: "bench", alias: "bench", description: "" });
  const pids = await Promise.all(Array.from({ length: 20 }, () => valueOf(rig, "bench", "pid")));
  assertEquals(new Set(pids).size, 1);
});

Deno.test("50 calls of 200 ms run side by side", async () => {
  await using rig = await createRig({ bench: stub("workbench") });
  await rig.downstream.load("bench", never());
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 50 }, () => valueOf(rig, "bench", "sleep", { ms: 200 })),
  );
  const ms = performance.now() - startedAt;
  // One after another they take 10 s; the bound of 1 s is doubled for a machine that is busy.
  assert(ms < 2000, `50 calls took ${ms} ms`);
});

Deno.test("20 MB pass in both directions", async () => {
  await using rig = await createRig({ bench: stub("workbench") });
  await rig.downstream.load("bench", never());
  const bytes = 20_000_000;
  const startedAt = performance.now();
  assertEquals(String(await valueOf(rig, "bench", "size", { bytes })).length, bytes);
  assertEquals(await valueOf(rig, "bench", "length", { text: "x".repeat(bytes) }), String(bytes));
  const ms = performance.now() - startedAt;
  assert(ms < 5000, `It took ${ms} ms`);
});

Deno.test("a server gets a minimal environment, its own variables and the marker of a bridge", async () => {
  const env = { PATH: "/usr/bin:/bin", HOME: "/tmp", SECRET_OF_OURS: "x", LANG: "C.UTF-8" };
  await using rig = await createRig({ bench: stub("workbench", { OWN: "1" }) }, { env });
  const seen = await valueOf(rig, "bench", "env") as Record<string, string>;
  assertEquals(seen, {
    PATH: "/usr/bin:/bin",
    HOME: "/tmp",
    LANG: "C.UTF-8",
    OWN: "1",
    MCP_BRIDGE_PARENT: "1",
  });
});

Deno.test("a cancelled call is cancelled at the server, too", async () => {
  await using rig = await createRig({ bench: stub("workbench") });
  await rig.downstream.load("bench", never());
  const abort = new AbortController();
  const call = rig.downstream.callTool("bench", "sleep", JsonText.of({ ms: 60_000 }), {
    signal: abort.signal,
    timeoutMs: 60_000,
  });
  setTimeout(() => abort.abort(), 50);
  const error = await assertRejects(() => call, AppError);
  assertEquals(error.describe(), 'The call of "bench.sleep" was cancelled');
  const { cancelled } = await valueOf(rig, "bench", "cancelled") as { cancelled: unknown[] };
  assertEquals(cancelled.length, 1);
});

Deno.test("a call that takes too long ends at its limit and is cancelled at the server", async () => {
  await using rig = await createRig({ bench: stub("workbench") });
  await rig.downstream.load("bench", never());
  const error = await assertRejects(
    () => rig.downstream.callTool("bench", "sleep", JsonText.of({ ms: 60_000 }), calling(300)),
    AppError,
  );
  assertEquals(
    error.describe(),
    '"bench.sleep" did not answer within 0.3s\n  hint: Raise timeout, or do less per call',
  );
  const { cancelled } = await valueOf(rig, "bench", "cancelled") as { cancelled: unknown[] };
  assertEquals(cancelled.length, 1);
});

Deno.test("the limit of an entry holds where it is shorter", async () => {
  await using rig = await createRig({ bench: stub("workbench") });
  rig.servers = [{ ...rig.servers[0]!, timeoutSeconds: 0.2 }];
  await rig.downstream.load("bench", never());
  const startedAt = performance.now();
  const error = await assertRejects(
    () => rig.downstream.callTool("bench", "sleep", JsonText.of({ ms: 5000 }), calling()),
    AppError,
  );
  assertEquals(
    error.describe(),
    '"bench.sleep" did not answer within 0.2s\n' +
      '  hint: Raise "timeout" of its entry in the configuration of Claude Code',
  );
  assert(performance.now() - startedAt < 2000);
});

Deno.test("an idle server is stopped and started again when it is needed", async () => {
  await using rig = await createRig({ bench: stub("workbench") }, { idleSeconds: 0.1 });
  const first = Number(await valueOf(rig, "bench", "pid"));
  await until(() => !isRunning(first), "the idle server has ended");
  assert(Number(await valueOf(rig, "bench", "pid")) !== first);
});

Deno.test("a server is not idle while it works", async () => {
  await using rig = await createRig({ bench: stub("workbench") }, { idleSeconds: 0.1 });
  assertEquals(await valueOf(rig, "bench", "sleep", { ms: 500 }), "slept 500");
});

Deno.test("a changed entry gets a new process and the old one ends when its calls are done", async () => {
  await using rig = await createRig({ bench: stub("workbench") });
  const old = Number(await valueOf(rig, "bench", "pid"));
  const running = valueOf(rig, "bench", "sleep", { ms: 400 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  rig.servers = [entry("bench", stub("workbench", { CHANGED: "1" }))];
  await rig.downstream.servers();
  assert(Number(await valueOf(rig, "bench", "pid")) !== old);
  assert(isRunning(old));
  assertEquals(await running, "slept 400");
  await until(() => !isRunning(old), "the old process has ended");
});

Deno.test("a server that is no longer configured is stopped and cannot be called", async () => {
  await using rig = await createRig({ bench: stub("workbench"), other: stub("workbench") });
  const pid = Number(await valueOf(rig, "bench", "pid"));
  rig.servers = rig.servers.slice(1);
  assertEquals((await rig.downstream.servers()).map(({ name }) => name), ["other"]);
  await until(() => !isRunning(pid), "the server has ended");
  const error = await assertRejects(
    () => rig.downstream.callTool("bench", "pid", JsonText.of({}), calling()),
    AppError,
  );
  assertEquals(
    error.describe(),
    "Unknown MCP server: bench\n  hint: runtime.discovered_servers() lists the servers",
  );
});

Deno.test("nothing is left running: programs a server has started end with it", async () => {
  const rig = await createRig({ bench: stub("workbench") });
  const [server, child] = [
    Number(await valueOf(rig, "bench", "pid")),
    Number(await valueOf(rig, "bench", "spawn")),
  ];
  assert(isRunning(server) && isRunning(child));
  await rig[Symbol.asyncDispose]();
  await until(() => !isRunning(server) && !isRunning(child), "both have ended");
});

Deno.test("nothing is left running: a server that ignores its stdin and SIGTERM is killed", async () => {
  const rig = await createRig({ bench: stub("workbench") });
  const pid = Number(await valueOf(rig, "bench", "pid"));
  await valueOf(rig, "bench", "stubborn");
  const startedAt = performance.now();
  await rig[Symbol.asyncDispose]();
  assert(!isRunning(pid));
  assert(performance.now() - startedAt < 4000);
});
