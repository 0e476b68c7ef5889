/** How a run ended → what its caller is told. Pure. */
import type { RunEnd } from "./run.ts";
import { failedRun, type RunResult, VARIABLES_GONE, VARIABLES_KEPT } from "./run_result.ts";
import type { RunRequest } from "./run_request.ts";

/** Longest error text; the traceback on stderr has the rest. */
const MAX_ERROR_CHARS = 4000;

/** What a result says besides the run's own end. */
export interface ResultContext {
  engine: string;
  /** Limits of the policy that the engine cannot hold. */
  unenforced: readonly string[];
  /** Whether the sandbox, and with it the variables, lives on. */
  kept: boolean;
  /** The longest time limit a run can have. */
  maxTimeoutSeconds: number;
}

/** The result of a run that ended in a sandbox. */
export function toRunResult(
  request: Pick<RunRequest, "servers" | "timeoutSeconds">,
  end: RunEnd,
  context: ResultContext,
): RunResult {
  const { output, done, lost, stopped } = end;
  const { stdout, stderr, artifacts, images } = output;
  const { engine, unenforced } = context;
  const base = {
    servers: request.servers,
    stdout,
    stderr,
    artifacts,
    ...(images.length > 0 && { images }),
    engine,
    unenforced,
  };
  const variables = context.kept ? VARIABLES_KEPT : VARIABLES_GONE;
  if (stopped !== undefined) {
    if (stopped === "cancelled") {
      return { ...base, ...CANCELLED, notes: [...output.notes, variables] };
    }
    const { timeoutSeconds } = request;
    const error = `Execution timed out after ${timeoutSeconds}s`;
    const place = done?.place === undefined ? [] : [`The program was at ${done.place}`];
    const hint = describeRoom(timeoutSeconds, context.maxTimeoutSeconds);
    const notes = [...output.notes, ...place, hint, variables];
    return { ...base, status: "timeout", error, timeoutSeconds, notes };
  }
  if (done === undefined) {
    const error = `The interpreter is gone: ${lost?.detail ?? "the reason is not known"}`;
    return { ...base, status: "error", error, notes: [...output.notes, VARIABLES_GONE] };
  }
  const { notes } = output;
  if (done.status === "ok") return { ...base, status: "success", exitCode: 0, notes };
  if (done.status === "exit") {
    const exitCode = done.exit_code ?? 0;
    if (exitCode === 0) return { ...base, status: "success", exitCode, notes };
    const error = `Sandbox exited with code ${exitCode}`;
    return { ...base, status: "error", exitCode, error, notes };
  }
  const error = (done.error ?? "The run was interrupted").slice(0, MAX_ERROR_CHARS);
  return { ...base, status: "error", error, notes };
}

/** What to do about a run that was too long. */
function describeRoom(timeoutSeconds: number, maxTimeoutSeconds: number): string {
  return timeoutSeconds < maxTimeoutSeconds
    ? `hint: Give run_python a higher timeout (at most ${maxTimeoutSeconds}), or do less per call`
    : "hint: This is the highest timeout there is: do less per call";
}

const CANCELLED = { status: "cancelled", error: "Execution was cancelled" } as const;

/** The result of a run that never began. */
export function cancelledRun(request: Pick<RunRequest, "servers">): RunResult {
  return { ...failedRun("error", CANCELLED.error, request.servers), status: "cancelled" };
}
