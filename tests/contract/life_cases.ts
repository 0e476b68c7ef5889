/** The contract's part on life and death. Its programs are few enough for the fake engine, too. */
import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { DEFAULT_POLICY } from "../../src/engine/policy.ts";
import { VARIABLES_GONE, VARIABLES_KEPT } from "../../src/session/run_result.ts";
import type { EngineTarget } from "../support/engines.ts";
import { engineCase } from "./case.ts";

/** A program that cannot be interrupted, in the words of each interpreter. */
const STUBBORN = {
  // The assignment matters: Python 3.11 takes an interrupt of a loop for one of the line before it.
  python: "while True:\n  try:\n    x = 1\n    while True: pass\n  except BaseException: pass",
  fake: "while True: swallow()",
};

/** Registers the cases. */
export function lifeCases(target: EngineTarget, dialect: keyof typeof STUBBORN = "python"): void {
  engineCase(target, "a run gives back what it printed", async ({ session, engine }) => {
    const result = await session.run('print("hello")');
    assertEquals(result.status, "success");
    assertEquals(result.stdout, "hello\n");
    assertEquals(result.exitCode, 0);
    assertEquals(result.engine, engine.name);
    assertEquals(result.notes, []);
  });

  engineCase(target, "variables live on between runs", async ({ session }) => {
    await session.run("x = 41");
    assertEquals((await session.run("print(x)")).stdout, "41\n");
  });

  engineCase(target, "state fresh gives each run a new interpreter", async ({ session }) => {
    await session.run("x = 41");
    const result = await session.run("print(x)");
    assertEquals(result.error, "NameError: name 'x' is not defined");
  }, { state: "fresh" });

  engineCase(target, "an exception is an error without exit code", async ({ session }) => {
    const result = await session.run('print("before")\n1/0');
    assertEquals(result.status, "error");
    assertEquals(result.error, "ZeroDivisionError: division by zero");
    assertEquals(result.exitCode, undefined);
    assertEquals(result.stdout, "before\n");
    assertStringIncludes(result.stderr, "ZeroDivisionError: division by zero");
  });

  engineCase(target, "an exit code other than 0 is an error", async ({ session }) => {
    const result = await session.run("raise SystemExit(3)");
    assertEquals(result.status, "error");
    assertEquals(result.exitCode, 3);
    assertEquals(result.error, "Sandbox exited with code 3");
    assertEquals((await session.run("raise SystemExit(0)")).status, "success");
  });

  engineCase(target, "a busy loop is stopped and its session lives on", async ({ session }) => {
    await session.run("x = 41");
    const startedAt = performance.now();
    const result = await session.run('print("partial")\nwhile True: pass', { timeoutSeconds: 1 });
    assertLess(performance.now() - startedAt, 5000);
    assertEquals(result.status, "timeout");
    assertEquals(result.stdout, "partial\n");
    assertEquals(result.error, "Execution timed out after 1s");
    assertEquals(result.timeoutSeconds, 1);
    assertEquals(result.notes, [
      ...(dialect === "python" ? ["The program was at line 2: while True: pass"] : []),
      "hint: Give run_python a higher timeout (at most 120), or do less per call",
      VARIABLES_KEPT,
    ]);
    assertEquals((await session.run("print(x)")).stdout, "41\n");
  });

  engineCase(target, "a cancelled run frees its session", async ({ session }) => {
    await session.run("x = 41");
    const client = new AbortController();
    setTimeout(() => client.abort(), 300);
    const result = await session.run("while True: pass", { signal: client.signal });
    assertEquals(result.status, "cancelled");
    assertEquals(result.error, "Execution was cancelled");
    assertEquals(result.notes, [VARIABLES_KEPT]);
    assertEquals((await session.run("print(x)")).stdout, "41\n");
  });

  engineCase(
    target,
    "a run that is cancelled at its very start keeps its session",
    async ({ session }) => {
      await session.run("x = 41");
      for (let round = 0; round < 5; round++) {
        const client = new AbortController();
        const running = session.run("while True: pass", { signal: client.signal });
        setTimeout(() => client.abort(), round);
        assertEquals((await running).status, "cancelled");
      }
      assertEquals((await session.run("print(x)")).stdout, "41\n");
    },
  );

  engineCase(target, "a program that swallows the interrupt is killed", async ({ session }) => {
    await session.run("x = 41");
    const result = await session.run(`print("before")\n${STUBBORN[dialect]}`, {
      timeoutSeconds: 1,
    });
    assertEquals(result.status, "timeout");
    assertEquals(result.stdout, "before\n");
    assertEquals(result.notes.at(-1), VARIABLES_GONE);
    const next = await session.run("print(x)");
    assertEquals(next.error, "NameError: name 'x' is not defined");
  });

  engineCase(target, "runs of one session queue", async ({ session }) => {
    const results = await Promise.all([
      session.run("x = 1"),
      session.run("print(x)"),
      session.run("x = 2"),
      session.run("print(x)"),
    ]);
    assertEquals(results.map((result) => result.stdout), ["", "1\n", "", "2\n"]);
  });

  engineCase(target, "a run that is cancelled in the queue never starts", async ({ session }) => {
    const client = new AbortController();
    const busy = session.run("x = 1\nwhile True: pass", { timeoutSeconds: 1 });
    const waiting = session.run("x = 2", { signal: client.signal });
    client.abort();
    assertEquals((await waiting).status, "cancelled");
    assertEquals((await busy).status, "timeout");
    assertEquals((await session.run("print(x)")).stdout, "1\n");
  });

  engineCase(target, "two sandboxes know nothing of each other", async ({ engine }) => {
    await using first = await engine.start(DEFAULT_POLICY);
    await using second = await engine.start(DEFAULT_POLICY);
    await first[Symbol.asyncDispose]();
    assertEquals((await first.exited).reason, "closed");
    const pending = Symbol("pending");
    const state = await Promise.race([second.exited, Promise.resolve(pending)]);
    assert(state === pending);
  });

  engineCase(target, "a sandbox can be disposed twice", async ({ engine }) => {
    const sandbox = await engine.start(DEFAULT_POLICY);
    await Promise.all([sandbox[Symbol.asyncDispose](), sandbox[Symbol.asyncDispose]()]);
    await sandbox[Symbol.asyncDispose]();
    assertEquals((await sandbox.exited).reason, "closed");
  });
}
