/** A process that can open no more files, and watches its memory. */
import { Interrupter } from "../../src/engine/wasm/child/interrupter.ts";
import { News, NEWS_CELLS } from "../../src/engine/wasm/child/news.ts";
import { CELLS } from "../../src/engine/wasm/child/protocol.ts";
import { watch } from "../../src/engine/wasm/child/watch.ts";

const [cells, newsCells] = [CELLS, NEWS_CELLS].map((count) =>
  new Int32Array(new SharedArrayBuffer(4 * count))
) as [Int32Array, Int32Array];
const news = new News(newsCells);
const interrupter = new Interrupter(cells);
// Ended by the clock, if by nothing else.
const worker = new Worker(import.meta.resolve("./news_worker.ts"), { type: "module", name: "end" });
await new Promise((resolve) => {
  worker.onmessage = resolve;
  worker.postMessage({ cells, newsCells });
});
const files: Deno.FsFile[] = [];
try {
  for (;;) files.push(Deno.openSync("/dev/null"));
} catch {
  // No more.
}
Deno.exit(watch({ news, interrupter, maxResidentBytes: Infinity, parent: Deno.ppid }));
