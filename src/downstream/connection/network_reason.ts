/**
 * Why `fetch` failed, in a few fixed words: its own text names the whole address, which may hold a key.
 * Pure.
 */

const REASONS: ReadonlyArray<[pattern: RegExp, reason: string]> = [
  [/connection refused|actively refused|ECONNREFUSED/i, "connection refused"],
  [/dns error|failed to lookup|name or service not known|ENOTFOUND/i, "its host name is not known"],
  [/certificate|tls|ssl/i, "its TLS certificate is not accepted"],
  [/requires net access/i, "this process may not use the network (--allow-net)"],
  [
    /connection reset|broken pipe|closed before message|unexpected eof|incomplete/i,
    "connection lost",
  ],
  [/unreachable|no route/i, "its network cannot be reached"],
  [/timed out|timeout/i, "the connection timed out"],
  [/error sending request|error reading a body|client error/i, "the connection failed"],
];

/** The reason of a failed connection, or undefined if `error` is none. */
export function toNetworkReason(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { message } = cause;
    const found = REASONS.find(([pattern]) => pattern.test(message));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** Whether no connection was made at all, so that the server cannot have got anything. */
export function isConnectFailure(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (/client error \(Connect\)/.test(cause.message)) return true;
  }
  return false;
}
