/** Opens a connection to a server: tries the ways of `connect_plan.ts` within one limit of time. */
import { toConnectError } from "./connect_error.ts";
import { type Attempt, firstAttempt, nextAttempt, type RememberedLink } from "./connect_plan.ts";
import { Client, type Transport } from "@modelcontextprotocol/client";
import { toCapabilities } from "../questions/client_capabilities.ts";
import { installHandlers } from "../questions/client_handlers.ts";
import { type ClientTransport, createTransport } from "../transport/create_transport.ts";
import type { Environment } from "../transport/server_environment.ts";
import type { ServerEntry } from "../../discovery/entry/server_entry.ts";
import type { Abilities } from "../../questions/asker.ts";
import type { Answer, Asked } from "../../questions/question.ts";
import { AppError } from "../../shared/errors.ts";
import { SERVER_NAME, VERSION } from "../../shared/version.ts";

/** Part of the time limit that a server has to answer which era it speaks. */
const PROBE_SHARE = 1 / 3;

/** An open connection. */
export interface Connection {
  client: Client;
  transport: ClientTransport;
  link: RememberedLink;
}

/** Options of {@link connect}. */
export interface ConnectOptions {
  /** Variables of this process; only a few are handed on. */
  env: Environment;
  /** What the server is told that can be asked. */
  abilities: Abilities;
  /** Answers what it asks. */
  ask: (asked: Asked) => Promise<Answer>;
  startTimeoutMs: number;
  remembered?: RememberedLink;
  signal: AbortSignal;
  /** Called when the server says that its tools are others now. */
  onToolsChanged: () => void;
  /** Called with each way that is tried, before it is. */
  onTry: (transport: ClientTransport) => void;
}

/**
 * Starts or reaches a server and greets it.
 *
 * @throws {AppError} if no way leads to it; nothing is left running then.
 */
export async function connect(entry: ServerEntry, options: ConnectOptions): Promise<Connection> {
  const deadline = performance.now() + options.startTimeoutMs;
  let attempt: Attempt | undefined = firstAttempt(entry.transport, options.remembered, Date.now());
  let first: unknown;
  let kept: ClientTransport | undefined;
  for (;;) {
    const transport = kept ?? newTransport(entry, attempt.kind, options.env);
    options.onTry(transport);
    const remainingMs = Math.max(1, deadline - performance.now());
    try {
      return await open(entry, attempt, transport, remainingMs, options);
    } catch (error) {
      const next = nextAttempt(attempt, error, entry.transport);
      // It refused the old greeting, so it is up; started again, it may not be in time.
      const isUp = next?.handshake === "modern" && "isOpen" in transport && transport.isOpen;
      kept = isUp ? transport : undefined;
      if (!isUp) await transport.close().catch(() => {});
      const isLate = performance.now() >= deadline;
      const { startTimeoutMs, signal } = options;
      const described = toConnectError(entry, { error, transport, isLate, startTimeoutMs, signal });
      // A further way is a guess: where it fails too, how the first one failed says more, unless that
      // was only the question for the era.
      const isPlain = attempt.handshake === "legacy" && attempt.kind !== "sse";
      if (first === undefined || isPlain) first = described;
      if (next === undefined || isLate || signal.aborted) {
        await kept?.close().catch(() => {});
        throw first;
      }
      attempt = next;
    }
  }
}

async function open(
  entry: ServerEntry,
  { kind, handshake }: Attempt,
  transport: ClientTransport,
  remainingMs: number,
  { abilities, ask, onToolsChanged, signal }: ConnectOptions,
): Promise<Connection> {
  const client = new Client({ name: SERVER_NAME, version: VERSION }, {
    capabilities: toCapabilities(abilities),
    versionNegotiation: handshake === "modern"
      ? { mode: { pin: "2026-07-28" }, probe: { timeoutMs: remainingMs } }
      : { mode: "auto", probe: { timeoutMs: remainingMs * PROBE_SHARE } },
    // At once: who calls a new tool right after the call that brought it must find it.
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
  });
  installHandlers(client, entry.name, ask);
  // Servers that do not announce that they send it are listened to as well.
  client.setNotificationHandler("notifications/tools/list_changed", onToolsChanged);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), remainingMs);
  const limit = AbortSignal.any([signal, late.signal]);
  if ("keepsServer" in transport) transport.keepsServer = true;
  try {
    const greeted = client.connect(transport, {
      timeout: remainingMs,
      signal: limit,
      ...(handshake === "legacy" && { prior: { kind: "legacy" } }),
    });
    await orAborted(greeted, limit);
  } finally {
    clearTimeout(timer);
    if ("keepsServer" in transport) transport.keepsServer = false;
  }
  const era = client.getProtocolEra() ?? "legacy";
  if (era === "modern") completeResults(transport);
  return { client, transport, link: { kind, era, at: Date.now() } };
}

function newTransport(
  { name, transport, source }: ServerEntry,
  kind: Attempt["kind"],
  env: Environment,
): ClientTransport {
  try {
    return createTransport(transport, kind, env);
  } catch {
    // The error of `new URL` holds the address, and an address may hold a key.
    throw new AppError(`Cannot reach "${name}": its URL is not valid`, {
      hint: `Correct its entry in the configuration of ${source.client}`,
    });
  }
}

/** Rejects as soon as `signal` is aborted: the SDK looks at it only at some of its steps. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Has the SDK take such results of a connected server for what they are. */
function completeResults(transport: Transport): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if ("result" in message && message.result["resultType"] === undefined) {
      message.result["resultType"] = "complete";
    }
    onmessage?.(message, extra);
  };
}
