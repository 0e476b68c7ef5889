/** Life and death of containers: whatever happens, none stays behind, and none of another bridge is touched. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { runProgram } from "../../src/engine/container/container_cli.ts";
import { createProcessLookup, identifyOwner } from "../../src/engine/container/owner.ts";
import { DEFAULT_POLICY } from "../../src/engine/policy.ts";
import { AppError } from "../../src/shared/errors.ts";
import {
  containerCase,
  createAltered,
  execute,
  listContainers,
  listOwnContainers,
  runCli,
} from "../support/container_case.ts";
import type { ContainerTarget } from "../support/container_targets.ts";

const BOTH = { pythons: ["3.14", "3.11"] };
const keep = (args: string[]) => args;

async function names(folder: string): Promise<string[]> {
  const found = [];
  for await (const entry of Deno.readDir(folder)) found.push(entry.name);
  return found;
}

async function until(condition: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 150; tries++) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return false;
}

await containerCase("a sandbox leaves neither container nor folder", async (target, tempDir) => {
  const engine = await target.create({ tempDir });
  const sandbox = await engine.start(DEFAULT_POLICY);
  const [name = ""] = await listOwnContainers(target);
  assertMatch(name, /^mcp-sandbox-[0-9a-f]{12}$/);
  assertEquals((await names(tempDir)).length, 1);
  await sandbox[Symbol.asyncDispose]();
  assertEquals(await sandbox.exited, { reason: "closed", detail: "closed by the host" });
  assertEquals(await listOwnContainers(target), []);
  assertEquals(await names(tempDir), []);
}, BOTH);

await containerCase(
  "a program that ignores every signal is gone at once",
  async (target, tempDir) => {
    const engine = await target.create({ tempDir });
    const sandbox = await engine.start(DEFAULT_POLICY);
    const code = `import signal, sys
for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)
while True: pass`;
    const running = execute(sandbox, code);
    const began = performance.now();
    await sandbox[Symbol.asyncDispose]();
    assert(performance.now() - began < 9_000, "it was given the time to end by itself");
    assertEquals((await running).status, "closed");
  },
);

await containerCase(
  "a sandbox that dies says why, and the next one starts",
  async (target, tempDir) => {
    const engine = await target.create({ tempDir });
    const ends: Record<string, string> = {
      "import os; os._exit(3)": "the interpreter ended with exit code 3",
      "import os; os.kill(os.getpid(), 9)": "the interpreter was killed by signal 9",
      // The code of the supervisor for "memory", in the mouth of a program that lies.
      "import os; os._exit(86)": "the interpreter ended with exit code 1",
    };
    for (const [code, detail] of Object.entries(ends)) {
      const sandbox = await engine.start(DEFAULT_POLICY);
      assertEquals(await execute(sandbox, code), { status: "crashed", stdout: "", error: detail });
      assertEquals(await listOwnContainers(target), []);
    }
    assertEquals(await names(tempDir), []);
  },
);

await containerCase("a sandbox that breaks the protocol is removed", async (target, tempDir) => {
  const engine = await target.create({ tempDir });
  const garbage = `import os
for fd in range(3, 20):
  try: os.write(fd, b"garbage\\n")
  except OSError: pass
while True: pass`;
  const sandbox = await engine.start(DEFAULT_POLICY);
  const { status, error } = await execute(sandbox, garbage);
  assertEquals(status, "crashed");
  assertMatch(error, /^the sandbox broke the protocol: /);
});

await containerCase(
  "a start that is aborted leaves nothing, whenever it is",
  async (target, tempDir) => {
    const engine = await target.create({ tempDir });
    for (const delayMs of [0, 5, 20, 50, 80, 120, 160, 200]) {
      const signal = AbortSignal.timeout(delayMs);
      const error = await engine.start(DEFAULT_POLICY, { signal }).then(
        // Ready before the signal: then it is a sandbox like any other.
        (sandbox) => sandbox[Symbol.asyncDispose](),
        (error) => error,
      );
      if (error !== undefined) {
        assertEquals((error as AppError).message, "The start of the sandbox was cancelled");
      }
      assertEquals(await listOwnContainers(target), [], `after ${delayMs} ms`);
      assertEquals(await names(tempDir), [], `after ${delayMs} ms`);
    }
  },
);

async function startOwner(target: ContainerTarget, tempDir: string, code: string) {
  const owner = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--allow-all", "tests/fixtures/container_owner.ts"],
      ...[JSON.stringify({ ...target.settings, tempDir }), code],
    ],
    stdout: "piped",
  }).spawn();
  const reader = owner.stdout.getReader();
  const { value } = await reader.read();
  assertEquals(new TextDecoder().decode(value), "ready\n");
  await reader.cancel();
  return owner;
}

for (const [state, code] of [["idle", "pass"], ["busy", "while True: pass"]] as const) {
  await containerCase(`a killed bridge leaves no container (${state})`, async (target, tempDir) => {
    const owner = await startOwner(target, tempDir, code);
    const filter = `label=mcp-bridge.pid=${owner.pid}`;
    assertEquals((await listContainers(target, filter)).length, 1);
    owner.kill("SIGKILL");
    await owner.status;
    assert(await until(async () => (await listContainers(target, filter)).length === 0));
    // The folder waits for the next bridge.
    assertEquals((await names(tempDir)).length, 1);
    await target.create({ tempDir });
    assertEquals(await names(tempDir), []);
  });
}

/** A container of a bridge that does not exist, or that does. */
async function leave(target: ContainerTarget, labels: Record<string, string>): Promise<string> {
  const name = `mcp-sandbox-test-${crypto.randomUUID().slice(0, 8)}`;
  const { code, stderr } = await runCli(target, [
    ...["run", "--detach", "--init", "--name", name, "--network", "none", "--user", "65534:65534"],
    ...Object.entries(labels).flatMap(([key, value]) => ["--label", `mcp-bridge.${key}=${value}`]),
    ...[target.report.image, "python3", "-c", "import signal; signal.pause()"],
  ]);
  assertEquals(code, 0, stderr);
  return name;
}

await containerCase(
  "the reaper removes what dead bridges left and nothing else",
  async (target, tempDir) => {
    const { start, boot, pidns } = await identifyOwner(
      Deno.pid,
      createProcessLookup(Deno.build.os, runProgram),
    );
    const ended = new Deno.Command("true").spawn();
    await ended.status;
    const gone = String(ended.pid);
    const dead = [
      await leave(target, { pid: gone, start: "1", boot, pidns }),
      // The id belongs to another process by now: ours.
      await leave(target, { pid: String(Deno.ppid), start: "1", boot, pidns }),
      await leave(target, { pid: gone, start: "1", boot: crypto.randomUUID(), pidns }),
    ];
    const others = [
      await leave(target, { pid: gone, start: "1", boot, pidns: "1" }),
      await leave(target, { pid: gone }),
      await leave(target, {}),
    ];
    try {
      await using engine = await target.create({ tempDir });
      await engine.tidy();
      const left = await listContainers(target, "name=mcp-sandbox-test-");
      assertEquals(left.toSorted(), others.toSorted());
      assert(!dead.some((name) => left.includes(name)));
      assert(start !== "");
    } finally {
      for (const name of [...dead, ...others]) await runCli(target, ["rm", "--force", name]);
    }
  },
);

await containerCase("two bridges do not touch each other's containers", async (target, tempDir) => {
  const owner = await startOwner(target, tempDir, "pass");
  try {
    const filter = `label=mcp-bridge.pid=${owner.pid}`;
    const theirs = await listContainers(target, filter);
    await using engine = await target.create({ tempDir });
    await using sandbox = await engine.start(DEFAULT_POLICY);
    await engine.tidy();
    assertEquals(await listContainers(target, filter), theirs);
    assertEquals((await names(tempDir)).length, 2);
    await sandbox[Symbol.asyncDispose]();
    assertEquals(await listContainers(target, filter), theirs);
  } finally {
    owner.kill("SIGKILL");
    await owner.status;
    const filter = `label=mcp-bridge.pid=${owner.pid}`;
    assert(await until(async () => (await listContainers(target, filter)).length === 0));
  }
});

await containerCase("the runtime can come over stdin", async (target, tempDir) => {
  await using engine = await createAltered(target, tempDir, keep, { delivery: "stdin" });
  await using sandbox = await engine.start(DEFAULT_POLICY);
  await engine.tidy();
  // The CLI reads the list of system calls from our disk; the runtime is not there.
  const [folder = ""] = await names(tempDir);
  assertEquals((await names(`${tempDir}/${folder}`)).toSorted(), ["hosts", "seccomp.json"]);
  assertEquals((await execute(sandbox, 'print("hello")')).stdout, "hello\n");
}, BOTH);

await containerCase(
  "a CLI that cannot read our list of system calls uses its own, and says so",
  async (target, tempDir) => {
    const warnings: string[] = [];
    const unreadable = (args: string[]) =>
      args.map((arg) => arg.startsWith("seccomp=") ? "seccomp=/nowhere/seccomp.json" : arg);
    const onWarning = (message: string) => warnings.push(message);
    await using engine = await createAltered(target, tempDir, unreadable, { onWarning });
    await using sandbox = await engine.start(DEFAULT_POLICY);
    await using _second = await engine.start(DEFAULT_POLICY);
    assertEquals((await execute(sandbox, 'print("hello")')).stdout, "hello\n");
    assertEquals(engine.limits.systemCalls, "not enforceable here");
    assertEquals(warnings.length, 1);
    const mode =
      `print([l.split()[1] for l in open("/proc/self/status") if l.startswith("Seccomp:")])`;
    assertEquals((await execute(sandbox, mode)).stdout, "['2']\n");
  },
);

await containerCase(
  "an engine that does not see our files gets the runtime over stdin",
  async (target, tempDir) => {
    const elsewhere = await Deno.makeTempDir();
    await Deno.chmod(elsewhere, 0o755);
    const alter = (args: string[]) =>
      args.map((arg) => arg.endsWith(":/ipc:ro") ? `${elsewhere}:/ipc:ro` : arg);
    await using engine = await createAltered(target, tempDir, alter);
    await using sandbox = await engine.start(DEFAULT_POLICY);
    assertEquals((await execute(sandbox, 'print("hello")')).stdout, "hello\n");
    await Deno.remove(elsewhere);
  },
);

await containerCase(
  "an image that cannot be had is an error that names it",
  async (target, tempDir) => {
    const image = "localhost:1/mcp-bridge-test-absent:1";
    await using engine = await target.create({ tempDir, image });
    const progress: string[] = [];
    const error = await assertRejects(
      () => engine.start(DEFAULT_POLICY, { onProgress: (line) => progress.push(line) }),
      AppError,
    );
    assertMatch(error.message, new RegExp(`^Cannot get the image "${image}": `));
    assertMatch(error.hint ?? "", new RegExp(` pull ${image}" by hand`));
    assertEquals(progress[0], `Pulling image ${image}`);
    assertEquals(await names(tempDir), []);
  },
);
