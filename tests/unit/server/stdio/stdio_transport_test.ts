import { assertEquals, assertRejects } from "@std/assert";
import { HostProbe } from "../../../support/host_probe.ts";
import { StdioTransport } from "../../../../src/server/stdio/stdio_transport.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" } as const;
const encoder = new TextEncoder();

/** A transport over streams in memory: what it took, what it wrote and what it reported. */
function open(writable?: WritableStream<Uint8Array>) {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const writer = input.writable.getWriter();
  const seen = { messages: [] as unknown[], errors: [] as string[], written: "" };
  const decoder = new TextDecoder();
  const sink = writable ?? new WritableStream({
    write: (chunk) => void (seen.written += decoder.decode(chunk, { stream: true })),
  });
  const transport = new StdioTransport(input.readable, sink);
  transport.onmessage = (message) => seen.messages.push(message);
  transport.onerror = (error) => seen.errors.push(error.message);
  return {
    transport,
    seen,
    write: (text: string | Uint8Array) =>
      writer.write(typeof text === "string" ? encoder.encode(text) : text),
    end: () => writer.close(),
  };
}

async function replyTo(line: string): Promise<unknown> {
  const { transport, seen, write, end } = open();
  await transport.start();
  await write(`${line}\n${JSON.stringify(PING)}\n`);
  await end();
  await transport.closed;
  assertEquals(seen.messages, [PING]);
  return JSON.parse(seen.written);
}

Deno.test("StdioTransport hands on messages whatever the chunks are", async () => {
  const { transport, seen, write, end } = open();
  await transport.start();
  for (const byte of encoder.encode(`${JSON.stringify({ ...PING, method: "é" })}\n`)) {
    await write(new Uint8Array([byte]));
  }
  await write(`${JSON.stringify(PING)}\n${JSON.stringify(PING)}\n`);
  await end();
  await transport.closed;
  assertEquals(seen.messages, [{ ...PING, method: "é" }, PING, PING]);
});

Deno.test("StdioTransport tolerates blank lines, \\r\\n and a byte order mark", async () => {
  const { transport, seen, write, end } = open();
  await transport.start();
  await write(`\uFEFF${JSON.stringify(PING)}\r\n\n  \r\n${JSON.stringify(PING)}\r\n`);
  await end();
  await transport.closed;
  assertEquals(seen.messages, [PING, PING]);
  assertEquals(seen.written, "");
});

Deno.test("StdioTransport takes a last line without its newline", async () => {
  const { transport, seen, write, end } = open();
  await transport.start();
  await write(JSON.stringify(PING));
  await end();
  await transport.closed;
  assertEquals(seen.messages, [PING]);
});

Deno.test("StdioTransport answers what is not JSON and goes on", async () => {
  assertEquals(await replyTo("{nope"), {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32700, message: "Parse error: the line is not JSON" },
  });
});

Deno.test("StdioTransport answers a broken request under its id and goes on", async () => {
  assertEquals(await replyTo('{"jsonrpc":"1.0","id":"a","method":"ping"}'), {
    jsonrpc: "2.0",
    id: "a",
    error: { code: -32600, message: "Invalid Request: not a JSON-RPC 2.0 message" },
  });
});

Deno.test("StdioTransport answers a broken response and a batch under no id", async () => {
  for (const line of ['{"jsonrpc":"2.0","id":5,"result":"x"}', `[${JSON.stringify(PING)}]`]) {
    assertEquals((await replyTo(line) as { id: unknown }).id, null);
  }
});

/** What a client may send that is no message, in chunks, and the codes of the answers. */
const BAD_LINES: Readonly<Record<string, [chunks: Array<string | Uint8Array>, codes: number[]]>> = {
  "bytes that are not UTF-8": [[Uint8Array.of(123, 0xff, 0xfe, 10)], [-32700]],
  "a NUL byte": [["\0\n"], [-32700]],
  "a string with a NUL byte": [['{"jsonrpc":"2.0","id":7,"method":"pi\0ng"}\n'], [-32700]],
  "100,000 brackets": [["[".repeat(100_000) + "\n"], [-32700]],
  "100,000 closed brackets": [["[".repeat(100_000) + "]".repeat(100_000) + "\n"], [-32600]],
  "a batch": [[`[${JSON.stringify(PING)},${JSON.stringify(PING)}]\n`], [-32600]],
  "an empty batch": [["[]\n"], [-32600]],
  "an id of every odd type": [
    ["null", "true", "[]", "{}", "1.5"].map((id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`
    ),
    [-32600, -32600, -32600, -32600, -32600],
  ],
  "two bad lines in one chunk": [["{\n}\n"], [-32700, -32700]],
};

for (const [what, [chunks, codes]] of Object.entries(BAD_LINES)) {
  Deno.test(`StdioTransport answers ${what} with an error and goes on`, async () => {
    const { transport, seen, write, end } = open();
    await transport.start();
    for (const chunk of chunks) await write(chunk);
    await write(`${JSON.stringify(PING)}\n`);
    await end();
    await transport.closed;
    assertEquals(seen.messages, [PING]);
    const answers = seen.written.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(answers.map(({ error }) => error.code), codes);
  });
}

Deno.test("StdioTransport answers a line over 64 MiB once, in bounded memory, and goes on", async () => {
  const { transport, seen, write, end } = open();
  await transport.start();
  const chunk = new Uint8Array(16 * 1024 * 1024).fill(32);
  let most = 0;
  for (let mebibytes = 0; mebibytes < 512; mebibytes += 16) {
    await write(chunk);
    most = Math.max(most, Deno.memoryUsage().external);
  }
  await write(`\n${JSON.stringify(PING)}\n`);
  await end();
  await transport.closed;
  assertEquals(seen.errors, ["A line is longer than 67108864 bytes"]);
  assertEquals(JSON.parse(seen.written), {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32700, message: "Parse error: A line is longer than 67108864 bytes" },
  });
  assertEquals(seen.messages, [PING]);
  assertEquals(most < 320 * 1024 * 1024, true, `${most} bytes were held`);
});

Deno.test("StdioTransport refuses a long line of a million values under its id", async () => {
  const args = `{"x":[${"[],".repeat(1_000_000)}1]}`;
  assertEquals(
    await replyTo(`{"jsonrpc":"2.0","id":"big","method":"tools/call","params":${args}}`),
    {
      jsonrpc: "2.0",
      id: "big",
      error: { code: -32600, message: "Invalid Request: more than 100000 values in a message" },
    },
  );
});

Deno.test("StdioTransport passes over a million blank lines, and others have their turn", async () => {
  const { transport, seen, write, end } = open();
  await transport.start();
  using probe = new HostProbe();
  for (let chunk = 0; chunk < 20; chunk++) await write("\n".repeat(50_000));
  await write(`${JSON.stringify(PING)}\n`);
  await end();
  await transport.closed;
  assertEquals(seen.messages, [PING]);
  probe.assertWithin("a million blank lines");
});

Deno.test("StdioTransport answers half a line at the end with an error", async () => {
  const { transport, seen, write, end } = open();
  await transport.start();
  await write('{"jsonrpc":"2.0","id":1,"meth');
  await end();
  await transport.closed;
  assertEquals(JSON.parse(seen.written).error.code, -32700);
});

Deno.test("StdioTransport reads 40 MB in small chunks in linear time", async () => {
  const { transport, seen, write, end } = open();
  await transport.start();
  const started = performance.now();
  await write('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"');
  const chunk = encoder.encode("x".repeat(4096));
  for (let i = 0; i < 10_000; i++) await write(chunk);
  await write('"}}\n');
  await end();
  await transport.closed;
  assertEquals(seen.messages.length, 1);
  assertEquals(performance.now() - started < 5000, true);
});

Deno.test("StdioTransport writes whole lines in the order they were sent", async () => {
  const { transport, seen, end } = open();
  await transport.start();
  await Promise.all(
    Array.from({ length: 100 }, (_, id) => transport.send({ ...PING, id })),
  );
  await end();
  await transport.closed;
  const ids = seen.written.trimEnd().split("\n").map((line) => JSON.parse(line).id);
  assertEquals(ids, Array.from({ length: 100 }, (_, id) => id));
});

Deno.test("StdioTransport.send() waits for a peer that reads slowly", async () => {
  const gate = Promise.withResolvers<void>();
  const { transport, end } = open(new WritableStream({ write: () => gate.promise }));
  await transport.start();
  let sent = false;
  const sending = transport.send(PING).then(() => sent = true);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assertEquals(sent, false);
  gate.resolve();
  await sending;
  await end();
  await transport.closed;
});

Deno.test("StdioTransport closes when the peer no longer takes anything", async () => {
  const { transport, seen } = open(
    new WritableStream({ write: () => Promise.reject(new Error("Broken pipe")) }),
  );
  await transport.start();
  await assertRejects(() => transport.send(PING), Error, "Broken pipe");
  await transport.closed;
  assertEquals(seen.errors, ["Broken pipe"]);
  await assertRejects(() => transport.send(PING), Error, "The connection is closed");
});

Deno.test("StdioTransport says that it cannot read, and blames nobody", async () => {
  let written = "";
  const readable = new ReadableStream<Uint8Array>({
    pull: () => Promise.reject(new Error("gone")),
  });
  const writable = new WritableStream<Uint8Array>({
    write: (chunk) => void (written += new TextDecoder().decode(chunk)),
  });
  const transport = new StdioTransport(readable, writable);
  await transport.start();
  await assertRejects(() => transport.closed, Error, "Cannot read what the client sends: gone");
  assertEquals(written, "");
});

Deno.test("StdioTransport takes a client that is gone for one that has closed its side", async () => {
  const readable = new ReadableStream<Uint8Array>({
    pull: () => Promise.reject(new Deno.errors.ConnectionReset("reset")),
  });
  const transport = new StdioTransport(readable, new WritableStream());
  await transport.start();
  await transport.closed;
});

Deno.test("StdioTransport ends although the peer never reads", async () => {
  const { transport, end } = open(new WritableStream({ write: () => new Promise(() => {}) }));
  await transport.start();
  void transport.send(PING);
  await end();
  const started = performance.now();
  await transport.closed;
  assertEquals(performance.now() - started < 3000, true);
});

Deno.test("StdioTransport reports its end once", async () => {
  const { transport, end } = open();
  let closes = 0;
  transport.onclose = () => closes++;
  await transport.start();
  await end();
  await transport.closed;
  await transport.close();
  assertEquals(closes, 1);
});
