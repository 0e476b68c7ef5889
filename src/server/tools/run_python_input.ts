/**
 * Arguments of `run_python`, whatever a model sent → a checked request, or the one sentence that says
 * what is wrong. Pure; never throws.
 */
import { didYouMean } from "../../shared/did_you_mean.ts";

/** The checked arguments of one call. */
export interface RunPythonInput {
  code: string;
  servers: readonly string[];
  timeoutSeconds: number;
}

/** Time limits of a run. */
export interface TimeoutLimits {
  /** Used when the call names none. */
  timeoutSeconds: number;
  maxTimeoutSeconds: number;
}

/** The arguments with lines on what was not taken as it came, or why they cannot be used. */
export type ParsedInput =
  | { ok: true; input: RunPythonInput; notes: string[] }
  | { ok: false; error: string; notes: string[] };

/** Arguments there are. */
const NAMES = ["code", "servers", "timeout"];

/** Most unknown arguments that are named, and the longest part of each name. */
const MAX_NAMED = 5;
const MAX_NAME_CHARS = 80;

/** Reads the arguments of a call: null counts as absent, a single server is a list of one. */
export function parseRunPythonInput(args: unknown, limits: TimeoutLimits): ParsedInput {
  const record = asRecord(args);
  const { code, timeout } = record;
  const servers = typeof record.servers === "string" ? [record.servers] : record.servers;
  const notes = describeUnknown(Object.keys(record).filter((name) => !NAMES.includes(name)));
  const error = findError(code, servers, timeout);
  if (error !== undefined) return { ok: false, error, notes };
  const wanted = (timeout ?? limits.timeoutSeconds) as number;
  const { maxTimeoutSeconds } = limits;
  if (wanted > maxTimeoutSeconds) {
    notes.push(
      `timeout ${wanted} is above the maximum: the limit of this run is ${maxTimeoutSeconds}s`,
    );
  }
  return {
    ok: true,
    input: {
      code: code as string,
      servers: [...new Set((servers ?? []) as string[])],
      timeoutSeconds: Math.min(wanted, maxTimeoutSeconds),
    },
    notes,
  };
}

function findError(code: unknown, servers: unknown, timeout: unknown): string | undefined {
  if (code === undefined || code === null) return "Missing 'code' argument";
  if (typeof code !== "string") return "'code' must be a string";
  if (code.trim() === "") return "Missing 'code' argument";
  if (servers !== undefined && servers !== null) {
    if (!Array.isArray(servers)) return "'servers' must be a list";
    if (!servers.every((name) => typeof name === "string")) {
      return "'servers' must be a list of strings";
    }
  }
  if (timeout !== undefined && timeout !== null) {
    if (!isWhole(timeout)) return "'timeout' must be an integer";
    if (timeout < 1) return "'timeout' must be at least 1";
  }
  return undefined;
}

/** JSON has no infinity, but `1e999` parses to it: an integer that is merely huge. */
function isWhole(value: unknown): value is number {
  return Number.isInteger(value) || value === Infinity || value === -Infinity;
}

function describeUnknown(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const named = names.slice(0, MAX_NAMED).map((name) => {
    const near = didYouMean(name, NAMES);
    const shown = `'${JSON.stringify(name.slice(0, MAX_NAME_CHARS)).slice(1, -1)}'`;
    return near === undefined ? shown : `${shown} (did you mean '${near}'?)`;
  });
  const more = names.length - MAX_NAMED;
  const listed = named.join(", ") + (more > 0 ? ` and ${more} more` : "");
  const noun = names.length === 1 ? "argument" : "arguments";
  return [`Unknown ${noun} ignored: ${listed}; run_python takes ${NAMES.join(", ")}`];
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}
