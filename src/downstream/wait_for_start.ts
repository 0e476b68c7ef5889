/** Waits for a start that others may wait for, too. */
import { MAX_TIMER_MS } from "../shared/deadline.ts";
import { AppError } from "../shared/errors.ts";
import { orAborted } from "./connect.ts";

/** For how long somebody waits. */
export interface WaitOptions {
  /** Name of the server. */
  server: string;
  signal: AbortSignal;
  remainingMs: number;
}

/**
 * The outcome of a start, which goes on when whoever waits has no more time.
 *
 * @throws {AppError} if it was not there in time, or nobody wants it any more.
 */
export async function waitForStart<T>(start: Promise<T>, options: WaitOptions): Promise<T> {
  const { server, signal, remainingMs } = options;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Math.min(Math.max(0, remainingMs), MAX_TIMER_MS));
  try {
    return await orAborted(start, AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (signal.aborted) throw new AppError("cancelled", `The call of "${server}" was cancelled`);
    if (!late.signal.aborted) throw error;
    throw new AppError("tool_timeout", `"${server}" was still starting when the time was over`, {
      hint: "Raise timeout, or call it again: it goes on starting",
    });
  } finally {
    clearTimeout(timer);
  }
}
