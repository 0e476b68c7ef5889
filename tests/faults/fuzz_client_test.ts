/** What a broken client may write, line after line: each is answered or passed over, and the next request is served. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { serveStdio } from "../../src/server/stdio/stdio.ts";
import { createLogger } from "../../src/shared/log.ts";
import { anyLine, samples, SEED } from "../support/fuzz.ts";
import { HostProbe } from "../support/host_probe.ts";
import { linkStreams, runResult, serverDeps } from "../support/server_fixtures.ts";

const LINES = 20_000;

const GREETING = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "fuzz", version: "0" },
};
const call = { name: "run_python", arguments: { code: "print(1)", timeout: 5 } };

const message = (parts: Record<string, unknown>) => ({ jsonrpc: "2.0", ...parts });
const good = [
  message({ id: 1, method: "ping" }),
  message({ id: "a", method: "tools/list", params: {} }),
  message({ id: 2, method: "tools/call", params: call }),
  message({ id: 3, method: "resources/list" }),
  message({ id: 4, method: "resources/read", params: { uri: "artifact://a/b" } }),
  message({ method: "notifications/cancelled", params: { requestId: 2 } }),
  message({ id: 5, result: {} }),
  message({ id: 6, error: { code: 1, message: "no" } }),
].map((parts) => JSON.stringify(parts));

const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, "", "x", [], {}, [[]], call),
  fc.jsonValue({ maxDepth: 3 }),
);
const odd = fc.oneof(
  fc.record({
    jsonrpc: fc.constantFrom<unknown>("2.0", "2.0", "2.0", "1.0", 2, null),
    id: value,
    method: fc.oneof(
      fc.constantFrom("ping", "tools/call", "tools/list", "logging/setLevel", "toString", ""),
      value,
    ),
    params: fc.oneof(
      fc.constant(call),
      fc.record({ name: fc.constantFrom("run_python", "x"), arguments: value }),
      value,
    ),
    result: value,
  }, { requiredKeys: [] }),
  fc.array(fc.constantFrom(...good.map((line) => JSON.parse(line))), { maxLength: 3 }),
  value,
);

/** A client that only writes bytes and looks for answers by their id. */
class Client {
  /** Answers under no id. */
  refused = 0;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<unknown, () => void>();
  readonly #read: Promise<void>;

  constructor({ readable, writable }: ReturnType<typeof linkStreams>["client"]) {
    this.#writer = writable.getWriter();
    this.#read = this.#readAll(readable);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes);
  }

  /** Resolves when a request is answered, well or not. */
  async ask(id: string, method: string, params: unknown = {}): Promise<void> {
    const answered = new Promise<void>((resolve) => this.#waiting.set(id, resolve));
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    await this.write(new TextEncoder().encode(`\n${line}\n`));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`No answer to ${line}`)), 20_000);
    });
    await Promise.race([answered, late]).finally(() => clearTimeout(timer));
    this.#waiting.delete(id);
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#read;
  }

  async #readAll(readable: ReadableStream<Uint8Array>): Promise<void> {
    let rest = "";
    for await (const text of readable.pipeThrough(new TextDecoderStream() as never)) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const answer = JSON.parse(line);
        assertEquals(answer.jsonrpc, "2.0");
        if (answer.id === null) this.refused++;
        this.#waiting.get(answer.id)?.();
      }
    }
  }
}

Deno.test(`20,000 lines of a broken client do not end the server: the request after each is answered, ${SEED}`, async () => {
  const link = linkStreams();
  const served = serveStdio(serverDeps(() => runResult({ stdout: "1\n", engine: "wasm" })), {
    ...link.server,
    logger: createLogger("error", () => {}),
  });
  const client = new Client(link.client);
  await client.ask("greeting", "initialize", GREETING);
  using probe = new HostProbe();
  let number = 0;
  for await (const [bytes, name] of samples("lines of a client", anyLine(good, odd), LINES)) {
    // Some byte by byte.
    const isDripped = bytes.length < 100 && bytes.length % 11 === 0;
    for (const part of isDripped ? Array.from(bytes, (byte) => Uint8Array.of(byte)) : [bytes]) {
      await client.write(part);
    }
    await client.ask(`good-${number++}`, "ping").catch((cause) => {
      throw new Error(name, { cause });
    });
  }
  probe.assertWithin("lines of a client");
  assert(client.refused > number / 4, `Only ${client.refused} lines were refused`);
  await client.close();
  await served;
});
