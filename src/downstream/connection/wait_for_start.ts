/** Waits for a start that others may wait for, too. */
import type { ServerEntry } from "../../discovery/entry/server_entry.ts";
import { MAX_TIMER_MS } from "../../shared/deadline.ts";
import { AppError } from "../../shared/errors.ts";
import { orAborted } from "./connect.ts";
import { type ClientTransport, describeLastWords } from "../transport/create_transport.ts";
import { createRedactor } from "./redact.ts";

/** Time that is left to a run for telling of a start that takes too long. */
const LEAD_MS = 300;

/** How a server is started. */
export interface Way {
  /** What was tried last. */
  tried?: ClientTransport;
}

/** For how long somebody waits. */
export interface WaitOptions {
  signal: AbortSignal;
  remainingMs: number;
  way: Readonly<Way>;
}

/**
 * The outcome of a start, which goes on when whoever waits has no more time.
 *
 * @throws {AppError} if it was not there in time, or nobody wants it any more.
 */
export async function waitForStart<T>(
  start: Promise<T>,
  { name, transport }: ServerEntry,
  { signal, remainingMs, way }: WaitOptions,
): Promise<T> {
  const late = new AbortController();
  const waitMs = Math.min(Math.max(0, remainingMs - LEAD_MS), MAX_TIMER_MS);
  const timer = setTimeout(() => late.abort(), waitMs);
  try {
    return await orAborted(start, AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (signal.aborted) throw new AppError(`The call of "${name}" was cancelled`);
    if (!late.signal.aborted) throw error;
    const lastWords = way.tried === undefined ? "" : describeLastWords(way.tried);
    const text = `"${name}" was still starting when the time was over${lastWords}`;
    throw new AppError(createRedactor(transport)(text), {
      hint: "Raise timeout, or call it again: it goes on starting",
    });
  } finally {
    clearTimeout(timer);
  }
}
