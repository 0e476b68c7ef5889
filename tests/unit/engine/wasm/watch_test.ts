import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { Interrupter } from "../../../../src/engine/wasm/child/interrupter.ts";
import { News, NEWS_CELLS } from "../../../../src/engine/wasm/child/news.ts";
import {
  CELLS,
  EXIT_MEMORY,
  INTERRUPT_CELL,
  RUN_CELL,
  TARGET_CELL,
} from "../../../../src/engine/wasm/child/protocol.ts";
import { watch } from "../../../../src/engine/wasm/child/watch.ts";

const SIGINT = 2;

function setUp() {
  const cells = new Int32Array(new SharedArrayBuffer(4 * CELLS));
  const newsCells = new Int32Array(new SharedArrayBuffer(4 * NEWS_CELLS));
  const news = new News(newsCells);
  const interrupter = new Interrupter(cells);
  const watched = { news, interrupter, maxResidentBytes: Infinity, parent: Deno.ppid };
  return { cells, newsCells, news, interrupter, watched };
}

/** Another thread that does something with the cells of a test while this one watches. */
function startThread(name: string, cells: { cells: Int32Array; newsCells: Int32Array }) {
  const worker = new Worker(import.meta.resolve("../../../support/news_worker.ts"), {
    type: "module",
    name,
  });
  const ready = new Promise<void>((resolve) => worker.onmessage = () => resolve());
  worker.postMessage({ cells: cells.cells, newsCells: cells.newsCells });
  return {
    ready,
    [Symbol.dispose]() {
      new News(cells.newsCells).end(0);
      worker.terminate();
    },
  };
}

Deno.test("watch() gives the exit code that is told first", () => {
  const { news, watched } = setUp();
  news.end(7);
  news.end(9);
  assertEquals(watch(watched), 7);
});

Deno.test("watch() sees at once what another thread tells", async () => {
  let fastest = Infinity;
  for (let round = 0; round < 5; round++) {
    const context = setUp();
    using thread = startThread("end", context);
    await thread.ready;
    const startedAt = performance.now();
    assertEquals(watch(context.watched), 3);
    fastest = Math.min(fastest, performance.now() - startedAt);
  }
  // The thread waits for 20 ms; to look at intervals only would take 100.
  assertLess(fastest, 90);
});

Deno.test("watch() ends a process that has too much memory", () => {
  assertEquals(watch({ ...setUp().watched, maxResidentBytes: 1 }), EXIT_MEMORY);
});

Deno.test("watch() ends a process whose parent is another than before", () => {
  assertEquals(watch({ ...setUp().watched, parent: 1_234_567 }), 0);
});

Deno.test("watch() looks at memory however much it is told", async () => {
  const context = setUp();
  using thread = startThread("flood", context);
  await thread.ready;
  const maxResidentBytes = Deno.memoryUsage().rss + 50 * 1024 * 1024;
  const startedAt = performance.now();
  assertEquals(watch({ ...context.watched, maxResidentBytes }), EXIT_MEMORY);
  assertLess(performance.now() - startedAt, 5000);
});

Deno.test({
  name: "watch() ends a process whose memory it cannot read",
  // There it is no file.
  ignore: Deno.build.os !== "linux",
  async fn() {
    const script = import.meta.resolve("../../../support/watch_without_files.ts");
    const { code } = await new Deno.Command("/bin/sh", {
      args: ["-c", 'ulimit -n 64; exec "$@"', "sh", Deno.execPath(), "run", "-A", script],
      stderr: "null",
    }).output();
    assertEquals(code, EXIT_MEMORY);
  },
});

Deno.test("an interrupt is signalled again until the next run", () => {
  const { cells, interrupter } = setUp();
  interrupter.signal(0);
  assertEquals(cells[INTERRUPT_CELL], 0);
  cells[RUN_CELL] = 1;
  for (let time = 0; time < 3; time++) {
    interrupter.signal(1);
    assertEquals([cells[INTERRUPT_CELL], cells[TARGET_CELL]], [SIGINT, 1]);
    cells[INTERRUPT_CELL] = 0;
  }
  cells[RUN_CELL] = 2;
  interrupter.signal(1);
  assertEquals(cells[INTERRUPT_CELL], 0);
  interrupter.signal(2);
  assertEquals([cells[INTERRUPT_CELL], cells[TARGET_CELL]], [SIGINT, 2]);
});

Deno.test("watch() passes an interrupt on, and again", async () => {
  const context = setUp();
  using thread = startThread("interrupt", context);
  await thread.ready;
  // It counts how often it was signalled, up to three times.
  assertEquals(watch(context.watched), 3);
  assertGreater(context.cells[TARGET_CELL]!, 0);
});
