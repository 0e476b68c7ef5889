import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { LineChannel, type LineChannelOptions } from "../../../src/wire/channel.ts";
import type { HostMessage, SandboxMessage } from "../../../src/wire/messages.ts";

/** What a peer does with the bytes it gets. */
type Reading = "reads" | "does not read" | "is gone";

/** The sandbox's side of a channel, in memory. */
class Peer {
  readonly channel: LineChannel;
  /** What the channel has handed to its listener. */
  readonly delivered: SandboxMessage[] = [];
  /** Lines of the host that were read. */
  readonly lines: string[] = [];
  /** Whether the channel has stopped reading. */
  cancelled = false;
  /** Whether the channel has let go of its writing side. */
  aborted = false;
  #output!: ReadableStreamDefaultController<Uint8Array>;

  constructor(reading: Reading = "reads", options: LineChannelOptions = {}) {
    const readable = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#output = controller),
      cancel: () => void (this.cancelled = true),
    });
    const writable = new WritableStream<Uint8Array>({
      write: async (bytes) => {
        if (reading === "is gone") throw new Error("Broken pipe");
        if (reading === "does not read") await new Promise(() => {});
        this.lines.push(new TextDecoder().decode(bytes));
      },
      abort: () => void (this.aborted = true),
    });
    this.channel = new LineChannel(readable, writable, options);
  }

  listen(): this {
    this.channel.listen((message) => this.delivered.push(message));
    return this;
  }

  /** Sends bytes, or a text, as they are. */
  write(data: string | Uint8Array): void {
    this.#output.enqueue(typeof data === "string" ? new TextEncoder().encode(data) : data);
  }

  end(): void {
    this.#output.close();
  }

  fail(): void {
    this.#output.error(new Error("The pipe broke"));
  }
}

/** Lets everything that is ready happen. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("LineChannel lets go of its writing side when it ends, so that no pipe stays open", async () => {
  for (const end of ["end", "fail"] as const) {
    const peer = new Peer().listen();
    assertEquals(peer.aborted, false);
    peer[end]();
    await peer.channel.closed;
    await settle();
    assertEquals(peer.aborted, true);
  }
});

function output(data: string): string {
  return JSON.stringify({ type: "stdout", id: "run-1", data }) + "\n";
}

function reply(result: string): HostMessage {
  return { type: "rpc_response", id: "q1", payload: { success: true, result } };
}

Deno.test("LineChannel hands messages over in order, wherever the chunks are cut", async () => {
  const peer = new Peer().listen();
  const bytes = new TextEncoder().encode(output("ä") + output("😀") + '{"type":"pong"}\n');
  for (const byte of bytes) peer.write(Uint8Array.of(byte));
  peer.end();
  assertEquals(await peer.channel.closed, {});
  assertEquals(peer.delivered, [
    { type: "stdout", id: "run-1", data: "ä" },
    { type: "stdout", id: "run-1", data: "😀" },
    { type: "pong" },
  ]);
});

Deno.test("LineChannel keeps the messages that come before listen()", async () => {
  const peer = new Peer();
  peer.write(output("early"));
  peer.end();
  await peer.channel.closed;
  peer.listen();
  assertEquals(peer.delivered, [{ type: "stdout", id: "run-1", data: "early" }]);
});

Deno.test("LineChannel hands further messages to the listener that came last", async () => {
  const peer = new Peer().listen();
  const later: SandboxMessage[] = [];
  peer.write(output("one"));
  await settle();
  peer.channel.listen((message) => later.push(message));
  peer.write(output("two"));
  await settle();
  assertEquals(peer.delivered, [{ type: "stdout", id: "run-1", data: "one" }]);
  assertEquals(later, [{ type: "stdout", id: "run-1", data: "two" }]);
});

Deno.test("LineChannel ignores empty lines", async () => {
  const peer = new Peer().listen();
  peer.write('\n\n{"type":"pong"}\n\n');
  peer.end();
  assertEquals(await peer.channel.closed, {});
  assertEquals(peer.delivered, [{ type: "pong" }]);
});

Deno.test("LineChannel.send() writes messages in order, one line each", async () => {
  const peer = new Peer();
  peer.channel.send({ type: "ping" });
  peer.channel.send({ type: "interrupt", id: "run-1" });
  await settle();
  peer.channel.send({ type: "shutdown" });
  await settle();
  assertEquals(peer.lines, [
    '{"type":"ping"}\n',
    '{"type":"interrupt","id":"run-1"}\n',
    '{"type":"shutdown"}\n',
  ]);
});

Deno.test("LineChannel goes on reading from a peer that reads none of 20,000 replies", async () => {
  const peer = new Peer("does not read").listen();
  for (let count = 0; count < 20_000; count++) {
    peer.channel.send(reply("x"));
    peer.write(output("x"));
  }
  peer.end();
  assertEquals(await peer.channel.closed, {});
  assertEquals(peer.delivered.length, 20_000);
});

Deno.test("LineChannel goes on reading when its messages can no longer be written", async () => {
  const peer = new Peer("is gone").listen();
  peer.channel.send({ type: "ping" });
  await settle();
  peer.write(output("last words"));
  peer.end();
  assertEquals(await peer.channel.closed, {});
  assertEquals(peer.delivered, [{ type: "stdout", id: "run-1", data: "last words" }]);
});

Deno.test("LineChannel closes with an error on a line that is no message", async () => {
  const peer = new Peer().listen();
  peer.write(output("before") + "Hello\n" + output("after"));
  const { error } = await peer.channel.closed;
  assertStringIncludes(String(error), "JSON");
  assertEquals(peer.delivered, [{ type: "stdout", id: "run-1", data: "before" }]);
  assertEquals(peer.cancelled, true);
});

Deno.test("LineChannel closes with an error on a message that breaks the protocol", async () => {
  const peer = new Peer().listen();
  peer.write('{"type":"ready","protocol":2,"python":"3.14.0","engine":"wasm"}\n');
  assertStringIncludes(String((await peer.channel.closed).error), "protocol");
  assertEquals(peer.delivered, []);
});

Deno.test("LineChannel closes with an error on bytes that are not UTF-8", async () => {
  const peer = new Peer().listen();
  peer.write(Uint8Array.of(0xff, 10));
  assertEquals((await peer.channel.closed).error instanceof TypeError, true);
});

Deno.test("LineChannel closes with an error on a line over 64 MiB, before it ends", async () => {
  const peer = new Peer().listen();
  const mebibyte = new Uint8Array(1024 * 1024).fill(97);
  for (let count = 0; count < 64; count++) peer.write(mebibyte);
  peer.write("a");
  const { error } = await peer.channel.closed;
  assertEquals(error?.message, "A line is longer than 67108864 bytes");
});

Deno.test("LineChannel closes without an error at the end, and drops what is unfinished", async () => {
  const peer = new Peer().listen();
  peer.write('{"type":"pong"}\n{"type":"po');
  peer.end();
  assertEquals(await peer.channel.closed, {});
  assertEquals(peer.delivered, [{ type: "pong" }]);
});

Deno.test("LineChannel.closed tells of a broken pipe and does not reject", async () => {
  const peer = new Peer().listen();
  peer.fail();
  assertEquals((await peer.channel.closed).error?.message, "The pipe broke");
});

Deno.test("LineChannel.send() drops what comes after the end", async () => {
  const peer = new Peer();
  peer.end();
  await peer.channel.closed;
  peer.channel.send({ type: "ping" });
  await settle();
  assertEquals(peer.lines, []);
});

Deno.test("LineChannel closes when more short lines wait for a peer that does not read than is allowed", async () => {
  const peer = new Peer("does not read", { maxHeldBytes: 1500 }).listen();
  peer.channel.send(reply("x".repeat(800)));
  peer.write(output("still open"));
  await settle();
  peer.channel.send(reply("x".repeat(800)));
  // The peer says nothing more: the limit alone ends it.
  const { error } = await peer.channel.closed;
  assertMatch(String(error), /does not read its replies: more than 1500 bytes are waiting/);
  assertEquals(peer.delivered, [{ type: "stdout", id: "run-1", data: "still open" }]);
  assertEquals(peer.cancelled, true);
});

Deno.test("LineChannel counts only what still waits", async () => {
  const peer = new Peer("reads", { maxHeldBytes: 1500 }).listen();
  for (let count = 0; count < 10; count++) {
    peer.channel.send(reply("x".repeat(800)));
    await settle();
  }
  peer.end();
  assertEquals(await peer.channel.closed, {});
  assertEquals(peer.lines.length, 10);
});

Deno.test("LineChannel refuses a long reply for which there is no room, and goes on", async () => {
  const peer = new Peer("does not read").listen();
  const text = "x".repeat(16 * 1024 * 1024);
  for (let count = 0; count < 5; count++) assertEquals(peer.channel.send(reply(text)), undefined);
  assertEquals(peer.channel.send(reply(text))?.reason, "no_room");
  assertEquals(peer.channel.send(reply("short")), undefined);
  peer.write(output("still open"));
  await settle();
  assertEquals(peer.delivered.length, 1);
  peer.end();
  await peer.channel.closed;
  assertEquals(peer.channel.unread.isLow, true);
});

Deno.test("LineChannel tells of a line that is too long", () => {
  const { channel } = new Peer();
  assertEquals(channel.send(reply("x".repeat(64 * 1024 * 1024)))?.reason, "too_long");
});
