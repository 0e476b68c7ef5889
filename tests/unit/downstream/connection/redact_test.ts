import { assertEquals } from "@std/assert";
import { createRedactor, toSafeUrl } from "../../../../src/downstream/connection/redact.ts";
import type { ServerTransport } from "../../../../src/discovery/entry/server_entry.ts";

Deno.test("createRedactor() puts names in the place of variables", () => {
  const redact = createRedactor({
    kind: "stdio",
    command: "x",
    args: ["--api-key", "abcdef123", "--token=zyxwvu987", "--port", "8080808", "-v"],
    env: { GITHUB_TOKEN: "ghp_12345678", MODE: "dev", PREFIX: "ghp_12" },
  });
  assertEquals(redact("bad ghp_12345678!"), "bad [GITHUB_TOKEN]!");
  assertEquals(redact("mode dev, ghp_12"), "mode dev, [PREFIX]");
  assertEquals(redact("abcdef123 zyxwvu987 8080808"), "[--api-key] [--token] 8080808");
});

Deno.test("createRedactor() finds a header that is passed as an argument", () => {
  const redact = createRedactor({
    kind: "stdio",
    command: "npx",
    args: ["mcp-remote", "https://x.example", "--header", "Authorization: Bearer tok12345"],
    env: {},
  });
  assertEquals(redact("sent tok12345"), "sent [--header]");
});

Deno.test("createRedactor() hides the login of a proxy or registry, whoever prints it", () => {
  const redact = createRedactor({ kind: "stdio", command: "x", args: [], env: {} });
  assertEquals(
    redact("proxy http://me:hunter2@proxy.corp:3128/ and https://tok@r.example/simple refused"),
    "proxy http://[login]@proxy.corp:3128/ and https://[login]@r.example/simple refused",
  );
  for (const text of ["see https://x.example/@scope/name", "git@github.com", "a: b@c.example"]) {
    assertEquals(redact(text), text);
  }
});

const remote = (url: string, headers: Record<string, string> = {}): ServerTransport => ({
  kind: "http",
  url,
  headers,
});

Deno.test("createRedactor() hides headers and what a URL keeps secret", () => {
  const url = "https://me:hunter22@api.example.com/v1/0123456789abcdef0/mcp?api_key=k%2Fey12345";
  const redact = createRedactor(remote(url, { Authorization: "Bearer abc123456" }));
  assertEquals(redact(`cannot fetch ${url}`), "cannot fetch https://api.example.com/…");
  assertEquals(redact("hunter22 abc123456"), "[url] [header Authorization]");
  assertEquals(redact("Bearer abc123456"), "[header Authorization]");
  assertEquals(redact("k/ey12345 0123456789abcdef0"), "[url] [url]");
});

Deno.test("toSafeUrl() names the place alone", () => {
  assertEquals(toSafeUrl("https://me:pw@example.com:8443/a/b?c=d"), "https://example.com:8443");
  assertEquals(toSafeUrl("not a url"), "its URL");
});
