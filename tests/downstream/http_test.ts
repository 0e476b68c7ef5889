/** Remote servers that fail, break off and come back. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../src/shared/errors.ts";
import type { ServerTransport } from "../../src/discovery/entry/server_entry.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import { HttpStub } from "../fixtures/servers/http_stub.ts";
import { calling, createRig, never, type Rig, valueOf } from "./rig.ts";

const http = (url: string, headers: Record<string, string> = {}): ServerTransport => ({
  kind: "http",
  url,
  headers,
});

async function loadFailure({ downstream }: Rig): Promise<string> {
  return (await assertRejects(() => downstream.load("s", never()), AppError)).describe();
}

for (const json of [false, true]) {
  const form = json ? "a JSON body" : "an event stream";
  Deno.test(`headers are sent, and 20 MB come back in ${form}`, async () => {
    await using stub = new HttpStub({ token: "Bearer secret-123", json });
    await using rig = await createRig({
      s: http(stub.url, { Authorization: "Bearer secret-123" }),
    });
    assertEquals(await valueOf(rig, "s", "hello"), "hello");
    const startedAt = performance.now();
    const text = await valueOf(rig, "s", "size", { bytes: 20_000_000 });
    assertEquals(String(text).length, 20_000_000);
    assert(performance.now() - startedAt < 5000);
  });

  Deno.test(`a message without end in ${form} is refused at 64 MiB`, async () => {
    await using stub = new HttpStub({ json });
    await using rig = await createRig({ s: http(stub.url) });
    await rig.downstream.load("s", never());
    const error = await assertRejects(
      () => rig.downstream.callTool("s", "endless", JsonText.of({}), calling()),
      AppError,
    );
    assertEquals(
      error.describe(),
      'The connection broke during "s.endless": a message was longer than 64 MiB\n' +
        "  hint: Ask for less in one call",
    );
    assertEquals(await valueOf(rig, "s", "hello"), "hello");
  });
}

Deno.test("a token that is not accepted is said so, without the token", async () => {
  await using stub = new HttpStub({ token: "Bearer right" });
  await using rig = await createRig({
    s: http(`${stub.url}?key=abcdefgh`, { Authorization: "Bearer wrong-one" }),
  });
  assertEquals(
    await loadFailure(rig),
    `Cannot reach "s" at http://127.0.0.1:${stub.port}: it refuses us with HTTP 401\n` +
      '  hint: Put a valid token into "headers" of its entry in the configuration of Claude Code',
  );
  assertEquals(stub.seen.length, 1, "It was asked more than once");
});

Deno.test("an address where no MCP server is, is said so", async () => {
  await using stub = new HttpStub({ status: 404 });
  await using rig = await createRig({ s: http(stub.url) });
  const text = (status: number) =>
    `Cannot reach "s" at http://127.0.0.1:${stub.port}: it answers with HTTP ${status}\n` +
    "  hint: Check its URL in the configuration of Claude Code, and that the server runs";
  assertEquals(await loadFailure(rig), text(404));
  stub.options.status = 503;
  assertEquals(await loadFailure(rig), text(503));
  rig.servers = [{
    ...rig.servers[0]!,
    transport: { ...http(stub.url), kind: "auto" } as ServerTransport,
  }];
  await rig.downstream.servers();
  stub.options.status = 404;
  assertEquals(await loadFailure(rig), text(404));
});

Deno.test("an address that is a web page is said so", async () => {
  await using stub = new HttpStub({ status: 200 });
  await using rig = await createRig({ s: http(stub.url) });
  assertEquals(
    await loadFailure(rig),
    `Cannot reach "s" at http://127.0.0.1:${stub.port}: it does not speak MCP ` +
      "(Unexpected content type: text/html)\n" +
      "  hint: Check its URL in the configuration of Claude Code, and that the server runs",
  );
});

Deno.test("a server that does not run is said so, without its address in full", async () => {
  const stub = new HttpStub();
  const { port } = stub;
  await stub[Symbol.asyncDispose]();
  const url = `http://me:secret-pw@127.0.0.1:${port}/mcp?key=abcdefgh`;
  await using rig = await createRig({ s: http(url) });
  assertEquals(
    await loadFailure(rig),
    `Cannot reach "s" at http://127.0.0.1:${port}: connection refused\n` +
      "  hint: Check its URL in the configuration of Claude Code, and that the server runs",
  );
  const everything = rig.log.join("\n");
  assert(!everything.includes("secret-pw") && !everything.includes("abcdefgh"), everything);
});

Deno.test("a call whose stream breaks off ends at once, not at its limit", async () => {
  await using stub = new HttpStub();
  await using rig = await createRig({ s: http(stub.url) });
  const startedAt = performance.now();
  const error = await assertRejects(
    () => rig.downstream.callTool("s", "break_off", JsonText.of({}), calling()),
    AppError,
  );
  assertEquals(
    error.describe(),
    'The connection broke during "s.break_off": the server closed it\n' +
      "  hint: The next call connects again; whether this one took effect is not known",
  );
  assert(performance.now() - startedAt < 5000);
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
});

Deno.test("a server that was restarted is greeted again and the call is made", async () => {
  const first = new HttpStub();
  await using rig = await createRig({ s: http(first.url) });
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  first.forget();
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
  const { port } = first;
  await first[Symbol.asyncDispose]();
  await assertRejects(() => valueOf(rig, "s", "hello"), AppError, "connection refused");
  await using _second = new HttpStub({ port });
  assertEquals(await valueOf(rig, "s", "hello"), "hello");
});

Deno.test("a session is ended when the client is closed", async () => {
  await using stub = new HttpStub();
  const rig = await createRig({ s: http(stub.url) });
  await valueOf(rig, "s", "hello");
  await rig[Symbol.asyncDispose]();
  assert(stub.seen.includes("DELETE"), stub.seen.join(", "));
});
