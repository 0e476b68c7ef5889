/** Why a call did not get its answer, in words that code and people can act on and without secrets. */
import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { ServerEntry } from "../../discovery/entry/server_entry.ts";
import { AppError, describeError } from "../../shared/errors.ts";
import type { JsonText } from "../../shared/json/json_text.ts";
import { REPORT_IT } from "../connection/connect_error.ts";
import { httpStatus } from "../connection/connect_plan.ts";
import { type ClientTransport, describeLastWords } from "../transport/create_transport.ts";
import { STREAM_ENDED } from "../transport/http_client_transports.ts";
import { isConnectFailure, toNetworkReason } from "../connection/network_reason.ts";
import { badAnswerReason } from "../transport/open_requests.ts";
import { createRedactor } from "../connection/redact.ts";
import { toSafeError, toSafeText } from "../connection/safe_reply.ts";
import { NotSentError } from "../transport/stdio_client_transport.ts";

/** A call that failed. */
export interface FailedCall {
  tool: string;
  args: JsonText;
  error: unknown;
  transport: ClientTransport;
  signal: AbortSignal;
  timeoutMs: number;
}

const UNCERTAIN = "The next call connects again; whether this one took effect is not known";

/** A server built on the official SDK ends when a message is longer, and does not say why. */
const SDK_MESSAGE_CHARS = 10 * 1024 * 1024;

/** The error for a call of `entry` that failed. */
export function toCallError(entry: ServerEntry, failed: FailedCall): AppError {
  const { error, tool, transport, signal, timeoutMs } = failed;
  const call = `"${entry.name}.${tool}"`;
  const redact = createRedactor(entry.transport);
  if (error instanceof AppError) return toSafeError(error, redact);
  if (signal.aborted) return new AppError(`The call of ${call} was cancelled`);
  if (isSdkError(error, SdkErrorCode.RequestTimeout)) {
    const seconds = Math.round(timeoutMs / 100) / 10;
    const isOfEntry = timeoutMs === (entry.timeoutSeconds ?? Infinity) * 1000;
    return new AppError(`${call} did not answer within ${seconds}s`, {
      hint: isOfEntry
        ? `Raise "timeout" of its entry in the configuration of ${entry.source.client}`
        : "Raise timeout, or do less per call",
    });
  }
  const badReason = badAnswerReason(error);
  if (badReason !== undefined || isSdkError(error, SdkErrorCode.InvalidResult)) {
    const why = badReason === undefined ? "" : `: ${toSafeText(badReason, redact)}`;
    const message = `${call} answered with something that is no result of it${why}`;
    return new AppError(message, { hint: REPORT_IT });
  }
  const words = toBreakReason(error, transport) + describeLastWords(transport);
  const reason = toSafeText(words, redact);
  return new AppError(`The connection broke during ${call}: ${reason}`, {
    hint: transport.broken ? "Ask for less in one call" : toBreakHint(failed.args),
  });
}

/** Whether the server can not have seen the request, so that it may be made once more. */
export function isSurelyNotSent(error: unknown, transport: ClientTransport): boolean {
  if (error instanceof NotSentError || isSdkError(error, SdkErrorCode.NotConnected)) return true;
  // The SDK has no class for this one.
  if (error instanceof Error && error.message === "Not connected") return true;
  return isConnectFailure(error) || isLostSession(error, transport);
}

/** Whether the server itself has said no, as opposed to a connection or an answer that was broken. */
export function isRefusal(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && !isConnectionLost(error) &&
    badAnswerReason(error) === undefined;
}

/** Whether an error means that the connection is of no more use. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof AppError) return false;
  if (error instanceof ProtocolError) return error.message.includes(STREAM_ENDED);
  if (!(error instanceof SdkError)) return true;
  const isOfCall: readonly string[] = [
    SdkErrorCode.RequestTimeout,
    SdkErrorCode.InvalidResult,
  ];
  return !isOfCall.includes(error.code);
}

/** A server that was restarted does not know our session and refuses before it looks at the request. */
function isLostSession(error: unknown, transport: ClientTransport): boolean {
  const status = httpStatus(error);
  if (!("sessionId" in transport) || transport.sessionId === undefined) return false;
  return status === 404 || (status === 400 && /session/i.test(describeError(error)));
}

function toBreakHint({ text }: JsonText): string {
  const chars = text.length;
  if (chars < SDK_MESSAGE_CHARS) return UNCERTAIN;
  return `Its arguments are ${
    Math.round(chars / 1e6)
  } MB, and many servers end at a message over ` +
    "10 MB: send less in one call";
}

function toBreakReason(error: unknown, transport: ClientTransport): string {
  if (transport.broken) return transport.broken.message;
  const ended = "process" in transport ? transport.process?.ended : undefined;
  if (ended !== undefined) return `the server ended with ${ended}`;
  const status = httpStatus(error);
  if (status !== undefined) return `the server answers with HTTP ${status}`;
  if (isSdkError(error, SdkErrorCode.ConnectionClosed) || error instanceof ProtocolError) {
    return "the server closed it";
  }
  return toNetworkReason(error) ?? "the server closed it";
}

function isSdkError(error: unknown, code: SdkErrorCode): boolean {
  return error instanceof SdkError && error.code === code;
}
