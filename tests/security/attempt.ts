/** How an attempt on a boundary becomes a test: code that must fail, and its permitted neighbour. */
import { assert, assertEquals } from "@std/assert";
import type { RunResult } from "../../src/session/run_result.ts";
import { engineCase } from "../contract/case.ts";
import { type EngineTarget, wasmTarget } from "../support/engines.ts";

/** Python that runs JavaScript with a promise in it and prints the outcome. */
export function js(source: string): string {
  return `import js\nprint(await js.eval(${JSON.stringify(`(async () => { ${source} })()`)}))`;
}

/**
 * What a program is told that awaits JavaScript: its event loop stands still while Python runs, so no promise
 * is kept. The wall behind it is the worker's missing permissions.
 */
export const NEVER_KEPT = /Stuck: The program awaits/;

/** A program that must not get what it wants; `refusal` is what it is told instead. */
export function blocked(
  name: string,
  code: string,
  refusal: RegExp,
  target: EngineTarget = wasmTarget,
): void {
  engineCase(target, name, async ({ session }) => {
    const result = await session.run(code);
    assert(refusal.test(result.stderr), describe(result));
    assertEquals(result.status, "error");
    assertEquals((await session.run("print('alive')")).stdout, "alive\n");
  });
}

/** The neighbour of an attempt, which must work. */
export function permitted(
  name: string,
  code: string,
  stdout: string,
  target: EngineTarget = wasmTarget,
): void {
  engineCase(target, name, async ({ session }) => {
    const result = await session.run(code);
    assertEquals(result.stdout, stdout, describe(result));
  });
}

function describe({ status, stdout, stderr, error }: RunResult): string {
  return JSON.stringify({ status, stdout, stderr, error }, null, 2);
}
