/** The data of an answer: `RunResult` → `structuredContent`, whole or compact. Pure. */
import type { Artifact, RunResult, RunStatus } from "../../session/run_result.ts";

/** What an answer says; the fields stand in the order clients see them, and empty ones are absent. */
export interface ResultPayload {
  status: RunStatus;
  summary: string;
  exitCode?: number;
  servers?: readonly string[];
  stdout?: readonly string[];
  stderr?: readonly string[];
  error?: string;
  notes?: readonly string[];
  timeoutSeconds?: number;
  artifacts?: readonly Artifact[];
  session?: string;
}

/** Everything, with the streams as they came. */
export function toFullPayload(result: RunResult): ResultPayload {
  return toPayload(result, linesOf(result.stdout), linesOf(result.stderr));
}

/** Everything, without the blank lines around each stream. */
export function toTrimmedPayload(result: RunResult): ResultPayload {
  return toPayload(result, trimmedLines(result.stdout), trimmedLines(result.stderr));
}

/** What is left of a payload when all that goes without saying is left out. */
export function toCompactPayload(payload: ResultPayload): Partial<ResultPayload> {
  const { status, summary, exitCode, ...rest } = payload;
  const failed = status !== "success";
  return {
    ...(failed && { status }),
    ...((failed || rest.stdout === undefined) && { summary }),
    ...(exitCode && { exitCode }),
    ...rest,
  };
}

/** The lines of `text`, without blank ones at its start and its end. */
export function trimmedLines(text: string): string[] {
  const lines = linesOf(text);
  const isShown = (line: string) => line.trim() !== "";
  const first = lines.findIndex(isShown);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isShown) + 1);
}

function toPayload(result: RunResult, stdout: string[], stderr: string[]): ResultPayload {
  const { status, exitCode, servers, error, notes, timeoutSeconds, artifacts, session } = result;
  const hasOutput = stdout.length + stderr.length + artifacts.length > 0;
  return {
    status,
    summary: summarize(result, hasOutput),
    ...(exitCode !== undefined && { exitCode }),
    ...(servers.length > 0 && { servers }),
    ...(stdout.length > 0 && { stdout }),
    ...(stderr.length > 0 && { stderr }),
    ...(error && { error }),
    ...(notes.length > 0 && { notes }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(session && { session }),
  };
}

function summarize(result: RunResult, hasOutput: boolean): string {
  const error = result.error ?? "no reason was given";
  switch (result.status) {
    case "success":
      return hasOutput ? "Success" : "Success (no output)";
    case "error":
      return `Sandbox error: ${error}`;
    case "timeout":
      return `Timeout: execution exceeded ${result.timeoutSeconds}s`;
    case "cancelled":
      return "Cancelled";
    case "validation_error":
      return error;
  }
}

/** A newline ends a line; it does not begin another. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
