/** A short name for how a server is reached; equal for equal entries, another after any change. */
import type { ServerTransport } from "../../discovery/entry/server_entry.ts";

/** Digest of a transport. It tells nothing of the secrets that went into it. */
export async function configDigest(transport: ServerTransport): Promise<string> {
  const text = JSON.stringify(transport, (_key, value) => isObject(value) ? sorted(value) : value);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(hash).toHex().slice(0, 40);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
