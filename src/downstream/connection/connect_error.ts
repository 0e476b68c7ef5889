/** Why a server could not be started or reached, in words a person can act on and without secrets. */
import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { ServerEntry } from "../../discovery/entry/server_entry.ts";
import { AppError, describeError } from "../../shared/errors.ts";
import { type ClientTransport, describeLastWords } from "../transport/create_transport.ts";
import { httpStatus } from "./connect_plan.ts";
import { createRedactor, toSafeUrl } from "./redact.ts";
import { toNetworkReason } from "./network_reason.ts";
import { toSafeText } from "./safe_reply.ts";

/** The next step where a server breaks the protocol. */
export const REPORT_IT = "Report it to the maintainer of the server";

/** What is known of a connection that failed. */
export interface FailedConnection {
  error: unknown;
  transport: ClientTransport;
  /** Whether the time limit was over. */
  isLate: boolean;
  startTimeoutMs: number;
  /** Aborted when nobody wants the connection any more. */
  signal: AbortSignal;
}

/** The error for a connection to `entry` that failed. */
export function toConnectError(entry: ServerEntry, failed: FailedConnection): AppError {
  const { name, source, transport } = entry;
  if (failed.signal.aborted) {
    return new AppError(`The start of "${name}" was cancelled`);
  }
  const at = transport.kind === "stdio" ? "" : ` at ${toSafeUrl(transport.url)}`;
  const verb = transport.kind === "stdio" ? "start" : "reach";
  const { reason, hint } = transport.kind === "stdio"
    ? toStartFailure(transport, failed, source.client)
    : toReachFailure(failed, source.client);
  const message = `Cannot ${verb} "${name}"${at}: ${reason}`;
  // No `cause`: the SDK's own texts hold addresses and bodies.
  const text = toSafeText(message + describeLastWords(failed.transport), createRedactor(transport));
  return new AppError(text, { hint });
}

interface Failure {
  reason: string;
  hint: string;
}

function toStartFailure(
  { command, cwd }: { command: string; cwd?: string },
  { error, transport, isLate, startTimeoutMs }: FailedConnection,
  client: string,
): Failure {
  const program = command.split(/[/\\]/).at(-1) ?? command;
  const fix = `Correct its entry in the configuration of ${client}`;
  if (error instanceof Deno.errors.NotFound) {
    if (cwd !== undefined && !folderExists(cwd)) {
      return { reason: "its working folder does not exist", hint: fix };
    }
    return program === command
      ? {
        reason: `"${program}" is not on PATH`,
        hint: `Install it, or give its full path in the configuration of ${client}`,
      }
      : { reason: `there is no program "${program}" where its entry says`, hint: fix };
  }
  if (error instanceof Deno.errors.NotCapable) {
    const hint = "Start the bridge with the permission to run it (--allow-run)";
    return { reason: `this process may not run "${program}"`, hint };
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return { reason: `"${program}" may not be executed`, hint: "Make the file executable" };
  }
  if ("process" in transport && transport.process === undefined) {
    return { reason: `"${program}" cannot be run`, hint: fix };
  }
  if (transport.broken) return { reason: transport.broken.message, hint: fix };
  const ended = "process" in transport ? transport.process?.ended : undefined;
  if (isLate || isTimeout(error)) return toTimeout(startTimeoutMs);
  if (ended !== undefined && !(error instanceof ProtocolError)) {
    return { reason: `it ended with ${ended}`, hint: `Run its command by hand to see why. ${fix}` };
  }
  return { reason: toAnswerReason(error), hint: fix };
}

function toReachFailure(
  { error, transport, isLate, startTimeoutMs }: FailedConnection,
  client: string,
): Failure {
  const status = httpStatus(error);
  if (status === 401 || status === 403) {
    const hint = `Put a valid token into "headers" of its entry in the configuration of ${client}`;
    return { reason: `it refuses us with HTTP ${status}`, hint };
  }
  const check = `Check its URL in the configuration of ${client}, and that the server runs`;
  if (status !== undefined) return { reason: `it answers with HTTP ${status}`, hint: check };
  if (transport.broken) return { reason: transport.broken.message, hint: check };
  if (isLate || isTimeout(error)) return toTimeout(startTimeoutMs);
  const network = toNetworkReason(error);
  return { reason: network ?? toAnswerReason(error), hint: check };
}

/** The error for a server that is connected and does not list its tools. */
export function toListError(
  { name, transport }: ServerEntry,
  { error, startTimeoutMs }: { error: unknown; startTimeoutMs: number },
): AppError {
  const { reason, hint } = isTimeout(error)
    ? toTimeout(startTimeoutMs)
    : error instanceof SdkError && error.code === SdkErrorCode.InvalidResult
    ? { reason: "it answered with something that is no list of tools", hint: REPORT_IT }
    : {
      reason: toNetworkReason(error) ??
        toSafeText(describeError(error), createRedactor(transport)),
      hint: undefined,
    };
  const message = `Cannot list the tools of "${name}": ${reason}`;
  return new AppError(message, hint === undefined ? {} : { hint });
}

function toTimeout(startTimeoutMs: number): Failure {
  return {
    reason: `it did not answer within ${startTimeoutMs / 1000}s`,
    hint: "If it only needs longer, raise MCP_BRIDGE_SERVER_START_TIMEOUT",
  };
}

function toAnswerReason(error: unknown): string {
  if (error instanceof ProtocolError) return `it answers with an error: ${error.message}`;
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) {
    return "the connection was closed";
  }
  const detail = describeError(error).replace(/^Version negotiation [^(]*\((.*)\)$/s, "$1");
  return `it does not speak MCP (${detail.slice(0, 300)})`;
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

function folderExists(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
