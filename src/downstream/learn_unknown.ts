/** Has many servers tell their tools without starting all of them at once. */
import { settledWithin } from "../shared/deadline.ts";

/** Servers that are started at the same time. */
const AT_ONCE = 8;

/** Time for all of them together. */
const LIMIT_MS = 10_000;

/**
 * Calls `learn` for each server, a few at a time, and returns when all are done or the time is over. Those
 * that are under way then go on by themselves; those that have not begun are left for another time.
 */
export async function learnUnknown<T>(
  servers: readonly T[],
  learn: (server: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const queue = [...servers];
  const { signal } = new AbortController();
  let isOver = false;
  const work = async () => {
    for (let next = queue.shift(); next !== undefined && !isOver; next = queue.shift()) {
      // A server that fails costs only itself; the search names it as unknown.
      await learn(next, signal).catch(() => {});
    }
  };
  const workers = Array.from({ length: Math.min(AT_ONCE, queue.length) }, work);
  await settledWithin(Promise.all(workers), LIMIT_MS);
  isOver = true;
}
