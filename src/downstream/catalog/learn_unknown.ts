/** Has many servers tell their tools without starting all of them at once. */
import { settledWithin } from "../../shared/deadline.ts";

/** Options of {@link learnUnknown}. */
export interface LearnOptions {
  /** Servers that are started at the same time. @default 8 */
  atOnce?: number;
  /** Time for all of them together. @default 10_000 */
  limitMs?: number;
}

/**
 * Calls `learn` for each server, a few at a time, and returns when all are done or the time is over. Those
 * that are under way then go on by themselves; those that have not begun are left for another time.
 */
export async function learnUnknown<T>(
  servers: readonly T[],
  learn: (server: T) => Promise<void>,
  { atOnce = 8, limitMs = 10_000 }: LearnOptions = {},
): Promise<void> {
  const queue = [...servers];
  let isOver = false;
  const work = async () => {
    for (let next = queue.shift(); next !== undefined && !isOver; next = queue.shift()) {
      // A server that fails costs only itself; the search names it as unknown.
      await learn(next).catch(() => {});
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, queue.length) }, work);
  await settledWithin(Promise.all(workers), limitMs);
  isOver = true;
}
