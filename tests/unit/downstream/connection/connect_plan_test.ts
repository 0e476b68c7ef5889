import { assertEquals } from "@std/assert";
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { firstAttempt, nextAttempt } from "../../../../src/downstream/connection/connect_plan.ts";
import type { ServerTransport } from "../../../../src/discovery/entry/server_entry.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const stdio: ServerTransport = { kind: "stdio", command: "x", args: [], env: {} };
const remote = (kind: "http" | "sse" | "auto"): ServerTransport => ({
  kind,
  url: "https://example.com/mcp",
  headers: {},
});

Deno.test("firstAttempt() asks for the era where nothing is remembered", () => {
  assertEquals(firstAttempt(stdio, undefined, 0), { kind: "stdio", handshake: "auto" });
  assertEquals(firstAttempt(remote("http"), undefined, 0), { kind: "http", handshake: "auto" });
  assertEquals(firstAttempt(remote("auto"), undefined, 0), { kind: "http", handshake: "auto" });
  assertEquals(firstAttempt(remote("sse"), undefined, 0), { kind: "sse", handshake: "legacy" });
});

Deno.test("firstAttempt() goes the way that worked, for a week", () => {
  const link = { kind: "stdio", era: "legacy", at: 0 } as const;
  assertEquals(firstAttempt(stdio, link, DAY_MS), { kind: "stdio", handshake: "legacy" });
  assertEquals(firstAttempt(stdio, link, 8 * DAY_MS), { kind: "stdio", handshake: "auto" });
  const modern = { kind: "stdio", era: "modern", at: 0 } as const;
  assertEquals(firstAttempt(stdio, modern, 1), { kind: "stdio", handshake: "auto" });
  const sse = { kind: "sse", era: "legacy", at: 0 } as const;
  assertEquals(firstAttempt(remote("auto"), sse, 1), { kind: "sse", handshake: "legacy" });
  assertEquals(firstAttempt(remote("http"), sse, 1), { kind: "http", handshake: "legacy" });
});

const negotiation = new SdkError(SdkErrorCode.EraNegotiationFailed, "closed");
const timeout = new SdkError(SdkErrorCode.RequestTimeout, "late");
const http = (status: number) =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, "no", { status, statusText: "" });

Deno.test("nextAttempt() greets in the old way whom the question has upset", () => {
  const failed = { kind: "stdio", handshake: "auto" } as const;
  assertEquals(nextAttempt(failed, negotiation, stdio), { kind: "stdio", handshake: "legacy" });
  assertEquals(
    nextAttempt({ kind: "http", handshake: "auto" }, timeout, remote("http")),
    { kind: "http", handshake: "legacy" },
  );
});

Deno.test("nextAttempt() tries the new era on whom the old greeting was refused by", () => {
  const refused = new ProtocolError(-32022, "Unsupported protocol version");
  const failed = { kind: "stdio", handshake: "legacy" } as const;
  assertEquals(nextAttempt(failed, refused, stdio), { kind: "stdio", handshake: "modern" });
  assertEquals(nextAttempt({ kind: "stdio", handshake: "modern" }, refused, stdio), undefined);
});

Deno.test("nextAttempt() falls back to SSE only where the address is not one of Streamable HTTP", () => {
  const failed = { kind: "http", handshake: "auto" } as const;
  const sse = { kind: "sse", handshake: "legacy" } as const;
  for (const status of [400, 404, 405, 406]) {
    assertEquals(nextAttempt(failed, http(status), remote("auto")), sse);
    assertEquals(nextAttempt(failed, http(status), remote("http")), undefined);
  }
  for (const status of [401, 403, 500, 503]) {
    assertEquals(nextAttempt(failed, http(status), remote("auto")), undefined);
  }
  assertEquals(
    nextAttempt(failed, new TypeError("error sending request"), remote("auto")),
    undefined,
  );
  assertEquals(nextAttempt(sse, http(404), remote("auto")), undefined);
});
