/**
 * Arguments of `run_python`, whatever a model sent → a checked request, or the one sentence that says
 * what is wrong. Pure; never throws.
 */

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

/** The arguments, or why they cannot be used. */
export type ParsedInput = { ok: true; input: RunPythonInput } | { ok: false; error: string };

/** Reads the arguments of a call: null counts as absent, unknown names are ignored. */
export function parseRunPythonInput(args: unknown, limits: TimeoutLimits): ParsedInput {
  const { code, servers, timeout } = asRecord(args);
  const error = findError(code, servers, timeout);
  if (error !== undefined) return { ok: false, error };
  return {
    ok: true,
    input: {
      code: code as string,
      servers: [...new Set((servers ?? []) as string[])],
      timeoutSeconds: clamp((timeout ?? limits.timeoutSeconds) as number, limits.maxTimeoutSeconds),
    },
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
  if (timeout !== undefined && timeout !== null && !isWhole(timeout)) {
    return "'timeout' must be an integer";
  }
  return undefined;
}

/** JSON has no infinity, but `1e999` parses to it: an integer that is merely huge. */
function isWhole(value: unknown): boolean {
  return Number.isInteger(value) || value === Infinity || value === -Infinity;
}

function clamp(seconds: number, max: number): number {
  return Math.min(Math.max(seconds, 1), max);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}
