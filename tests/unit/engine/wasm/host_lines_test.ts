import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { watchLines } from "../../../../src/engine/wasm/child/host_lines.ts";
import { News, NEWS_CELLS } from "../../../../src/engine/wasm/child/news.ts";
import { CELLS, RUN_CELL } from "../../../../src/engine/wasm/child/protocol.ts";
import { formatHostMessage, type HostMessage } from "../../../../src/wire/messages.ts";

const EXAMPLES: Record<HostMessage["type"], HostMessage> = {
  execute: { type: "execute", id: "r", code: "i = 's'\n", servers: [], discovered: {} },
  rpc_response: {
    type: "rpc_response",
    id: "q1",
    payload: { success: true, result: "é\nexecute" },
  },
  interrupt: { type: "interrupt", id: "r" },
  ping: { type: "ping" },
  shutdown: { type: "shutdown" },
};

function toBytes(kinds: readonly HostMessage["type"][]): Uint8Array {
  return new TextEncoder().encode(kinds.map((kind) => formatHostMessage(EXAMPLES[kind])).join(""));
}

/** Keeps what it is told. */
class RecordedNews extends News {
  readonly events: string[] = [];

  constructor() {
    super(new Int32Array(NEWS_CELLS));
  }

  override interrupt(run: number): void {
    this.events.push(`interrupt ${run}`);
  }

  override end(exitCode: number): void {
    this.events.push(`end ${exitCode}`);
  }
}

/** What is told of bytes that come in these chunks, and where it ends. */
function watch(chunks: readonly Uint8Array[]) {
  const cells = new Int32Array(CELLS);
  const news = new RecordedNews();
  let column = 0;
  for (const chunk of chunks) column = watchLines(chunk, column, cells, news);
  return { events: news.events, runs: cells[RUN_CELL], column };
}

Deno.test("watchLines() counts runs and tells of interrupts and the end", () => {
  assertEquals(
    watch([
      toBytes(["execute", "rpc_response", "interrupt", "ping", "execute", "interrupt", "shutdown"]),
    ]),
    {
      events: ["interrupt 1", "interrupt 2", "end 0"],
      runs: 2,
      column: 0,
    },
  );
});

Deno.test("watchLines() tells the same however the bytes are cut", () => {
  const kinds = fc.array(
    fc.constantFrom(...Object.keys(EXAMPLES) as Array<HostMessage["type"]>),
  );
  fc.assert(fc.property(kinds, fc.array(fc.nat()), (lines, places) => {
    const bytes = toBytes(lines);
    const bounds = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b)];
    const chunks = bounds.map((start, index) => bytes.subarray(start, bounds[index + 1]));
    assertEquals(watch(chunks), watch([bytes]));
  }));
});

Deno.test("watchLines() keeps its place in a line that is longer than any chunk", () => {
  const long = new Uint8Array(100_000).fill(105);
  const start = new TextEncoder().encode('{"type":"rpc_response","id":"');
  const end = new TextEncoder().encode('"}\n{"type":"interrupt"');
  assertEquals(watch([start, long, long, end]).events, ["interrupt 0"]);
});
