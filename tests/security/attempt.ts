/** How an attempt on a boundary becomes a test: code that must fail, and its permitted neighbour. */
import { assert, assertEquals } from "@std/assert";
import type { RunResult } from "../../src/session/run_result.ts";
import { engineCase } from "../contract/case.ts";
import { type EngineTarget, wasmTarget } from "../support/engines.ts";

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
