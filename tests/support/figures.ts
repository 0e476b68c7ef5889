/** Measured times, printed beside their bounds. */
import { assertLessOrEqual } from "@std/assert";

/** Prints a figure and holds it to its bound. */
export function assertWithin(what: string, ms: number, maxMs: number): void {
  // deno-lint-ignore no-console
  console.log(`${what}: ${Math.round(ms)} ms (at most ${maxMs})`);
  assertLessOrEqual(ms, maxMs, `${what} took ${Math.round(ms)} ms`);
}

/** The milliseconds `work` takes. */
export async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Resolves after a time. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
