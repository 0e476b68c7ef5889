/**
 * In what order ways to reach a server are tried. Pure.
 *
 * Most servers answer `server/discover` with an error, so that one question tells the eras apart. But some
 * end when the first request is not `initialize`, and some never answer it; those get a plain `initialize`
 * next, on a new connection. What worked is remembered, so that the detour is made once.
 */
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from "@modelcontextprotocol/client";
import type { ServerTransport } from "../../discovery/entry/server_entry.ts";

/** A way to reach a server. */
export interface Attempt {
  kind: "stdio" | "http" | "sse";
  /** `auto` asks for the era; the others take it as known. */
  handshake: "auto" | "legacy" | "modern";
}

/** What worked the last time. */
export interface RememberedLink {
  kind: Attempt["kind"];
  era: "legacy" | "modern";
  /** When it was found out, in milliseconds since 1970. */
  at: number;
}

/** After this time a server is asked again whether it has learnt the new protocol. */
const LEGACY_TRUST_MS = 7 * 24 * 60 * 60 * 1000;

/** The first way to try. */
export function firstAttempt(
  transport: ServerTransport,
  remembered: RememberedLink | undefined,
  now: number,
): Attempt {
  const trusted = remembered !== undefined && Math.abs(now - remembered.at) < LEGACY_TRUST_MS
    ? remembered
    : undefined;
  const kind = transport.kind === "auto"
    ? (trusted?.kind === "sse" ? "sse" : "http")
    : transport.kind;
  if (kind === "sse") return { kind, handshake: "legacy" };
  // To ask a modern server again costs no more than `initialize`; only the legacy verdict saves something.
  return { kind, handshake: trusted?.era === "legacy" ? "legacy" : "auto" };
}

/** The next way after `failed` ended with `error`; undefined if there is none left worth trying. */
export function nextAttempt(
  failed: Attempt,
  error: unknown,
  transport: ServerTransport,
): Attempt | undefined {
  const { kind, handshake } = failed;
  if (kind === "sse") return undefined;
  if (handshake === "auto" && isSilentProbe(kind, error)) return { kind, handshake: "legacy" };
  if (transport.kind === "auto" && isNotStreamable(error)) {
    return { kind: "sse", handshake: "legacy" };
  }
  // It refused `initialize` by an answer: it may have no other era than the new one.
  if (handshake !== "modern" && error instanceof ProtocolError) {
    return { kind, handshake: "modern" };
  }
  return undefined;
}

/** Whether a server closed the connection at the question for its era, or left it open. */
function isSilentProbe(kind: Attempt["kind"], error: unknown): boolean {
  if (!(error instanceof SdkError) || error instanceof SdkHttpError) return false;
  return kind === "stdio"
    ? error.code === SdkErrorCode.EraNegotiationFailed
    : error.code === SdkErrorCode.RequestTimeout;
}

/** Whether an address does not speak Streamable HTTP, as opposed to refusing us or being down. */
function isNotStreamable(error: unknown): boolean {
  const status = httpStatus(error);
  if (status !== undefined) {
    return status >= 400 && status < 500 && status !== 401 && status !== 403;
  }
  return error instanceof SdkError && (
    error.code === SdkErrorCode.ClientHttpUnexpectedContent ||
    (error.code === SdkErrorCode.EraNegotiationFailed && /unusable reply/.test(error.message))
  );
}

/** The HTTP status an error of the SDK carries. */
export function httpStatus(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.data.status;
  if (error instanceof SseError) return error.code;
  const inText = error instanceof Error ? /\(HTTP (\d{3})\)/.exec(error.message)?.[1] : undefined;
  return inText === undefined ? undefined : Number(inText);
}
