/** What a hostile sandbox may write, line after line: the host reads it rightly or closes the channel, and goes on. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { JsonText } from "../../src/shared/json/json_text.ts";
import { LineChannel } from "../../src/wire/channel.ts";
import type { HostMessage, SandboxMessage } from "../../src/wire/messages.ts";
import fixtures from "../fixtures/wire.json" with { type: "json" };
import { FakeDownstream } from "../support/fake_downstream.ts";
import { anyLine, samples, SEED } from "../support/fuzz.ts";
import { HostProbe } from "../support/host_probe.ts";
import { rpcContext, runReach } from "../support/rpc_context.ts";
import { rpcDeps } from "../support/rpc_deps.ts";

const LINES = 100_000;

/** Comes after each line: when it has come, the line has been read. */
const AFTER = '{"type":"ready","protocol":1,"python":"after","engine":""}';

const good = [
  ...fixtures.sandbox_to_host.valid.map(({ message }) => JSON.stringify(message)),
  ...["list_tools", "query_tool_docs", "search_tool_docs", "stubs", "save_memory", "load_memory"]
    .map((type) =>
      JSON.stringify(request({ type, server: "s", tool: "echo", query: "x", key: "k" }))
    ),
  JSON.stringify(request({ type: "save_file", name: "a", offset: 0, data: "eA==", last: true })),
  JSON.stringify(
    request({ type: "call_tool", server: "s", tool: "echo", arguments: { a: [1.5] } }),
  ),
];

function request(payload: Record<string, unknown>) {
  return { type: "rpc_request", id: "q1", payload };
}

const key = fc.constantFrom("server", "tool", "arguments", "name", "data", "key", "value", "raw");
const oddKey = fc.constantFrom("__proto__", "constructor", "toString", "type", "id", "payload", "");
const value = fc.oneof(
  fc.constantFrom<unknown>("s", "echo", "x", "", null, true, 0, -1, 1e300, [], {}, [[]], { a: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const type = fc.constantFrom(
  ...["call_tool", "list_servers", "list_tools", "search_tool_docs", "read_output", "save_memory"],
  ...["save_tool", "delete_memory", "get_prompt", "toString", "__proto__", "x"],
);
const payload = fc.tuple(type, fc.dictionary(fc.oneof(key, oddKey), value, { maxKeys: 4 }))
  .map(([type, parts]) => ({ type, ...parts }));
const odd = fc.oneof(
  fc.record({
    type: fc.constantFrom(
      "stdout",
      "stderr",
      "execution_done",
      "pong",
      "ready",
      "rpc_request",
      "x",
    ),
    id: fc.oneof(fc.constantFrom("q1", "", 1, null), fc.string()),
    data: value,
    status: fc.constantFrom("ok", "error", "exit", "maybe", 1),
    payload: fc.oneof(payload, value),
  }, { requiredKeys: ["type"] }),
  fc.tuple(fc.string({ minLength: 1, maxLength: 5 }), payload)
    .map(([id, payload]) => ({ type: "rpc_request", id, payload })),
  value,
);

const router = createRpcRouter(rpcDeps());
const downstream = new FakeDownstream({
  s: [{ name: "echo", call: (args) => ({ kind: "value", value: args }) }],
});
const context = rpcContext({ reach: runReach(downstream, { servers: ["s"] }) });

/** A host with one channel after the other: the next when a line has closed the one before. */
class Host {
  /** What the last line brought. */
  messages: SandboxMessage[] = [];
  closed = 0;
  answered = 0;
  #output!: ReadableStreamDefaultController<Uint8Array>;
  #channel!: LineChannel;
  #isClosed = true;
  #read = Promise.withResolvers<void>();

  /** Reads bytes as a line; resolves when that is done. */
  async read(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) this.#open();
    this.messages = [];
    this.#read = Promise.withResolvers();
    const whole = new Uint8Array(bytes.length + AFTER_BYTES.length);
    whole.set(bytes);
    whole.set(AFTER_BYTES, bytes.length);
    // Small pieces of some, so that lines come in parts as well.
    const cut = bytes.length % 7 === 0 ? bytes.length >> 1 : 0;
    if (cut > 0) this.#output.enqueue(whole.subarray(0, cut));
    this.#output.enqueue(whole.subarray(cut));
    await this.#read.promise;
    for (const message of this.messages) await this.#answer(message);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  #open(): void {
    const readable = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#output = controller),
    });
    this.#channel = new LineChannel(readable, new WritableStream({ write: checkReply }));
    this.#isClosed = false;
    this.#channel.listen((message) => {
      if (message.type === "ready" && message.python === "after") this.#read.resolve();
      else this.messages.push(message);
    });
    void this.#channel.closed.then(({ error }) => {
      assert(error instanceof Error);
      this.closed++;
      this.#isClosed = true;
      this.#read.resolve();
    });
  }

  async #answer(message: SandboxMessage): Promise<void> {
    if (message.type !== "rpc_request") return;
    this.answered++;
    const payload = await router(message.payload, context);
    const reply: HostMessage = { type: "rpc_response", id: message.id, payload };
    assertEquals(this.#channel.send(reply), undefined);
  }
}

const AFTER_BYTES = new TextEncoder().encode(`\n${AFTER}\n`);

function checkReply(bytes: Uint8Array): void {
  const text = new TextDecoder().decode(bytes);
  assertEquals(text.indexOf("\n"), text.length - 1);
  const { type, id, payload } = JSON.parse(text);
  assertEquals([type, typeof id, typeof payload.success], ["rpc_response", "string", "boolean"]);
}

/** What JSON.parse makes of a line; undefined where it is none. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Holds a message to the value of its line: each part of it is the line's own. */
function checkMessage(message: SandboxMessage, line: unknown, name: string): void {
  const { payload: given, ...rest } = line as Record<string, unknown>;
  for (const [key, value] of Object.entries(message)) {
    if (key !== "payload") assertEquals(value, rest[key], name);
  }
  if (message.type !== "rpc_request") return;
  const expected = given as Record<string, unknown>;
  for (const [key, value] of Object.entries(message.payload)) {
    const plain = value instanceof JsonText ? value.parse() : value;
    assertEquals(JSON.stringify(plain), JSON.stringify(expected[key]), name);
  }
}

Deno.test(`the host reads 100,000 lines of a hostile sandbox, or closes its channel, and stays awake, ${SEED}`, async () => {
  const host = new Host();
  using probe = new HostProbe();
  let read = 0;
  let taken = 0;
  for await (const [bytes, name] of samples("lines of a sandbox", anyLine(good, odd), LINES)) {
    await host.read(bytes);
    read++;
    if (bytes.includes(10)) continue;
    const line = parsed(bytes);
    if (bytes.length > 0) assertEquals(host.isClosed, host.messages.length === 0, name);
    if (host.messages.length === 0) continue;
    taken++;
    assertEquals(host.messages.length, 1, name);
    checkMessage(host.messages[0]!, line, name);
  }
  probe.assertWithin("lines of a sandbox");
  assert(taken > read / 10 && host.closed > read / 10 && host.answered > read / 20);
});
