/** A thread that tells the one that watches, for tests; its name says what. */
import { News } from "../../src/engine/wasm/child/news.ts";
import { INTERRUPT_CELL, RUN_CELL } from "../../src/engine/wasm/child/protocol.ts";

declare const self: {
  name: string;
  postMessage(message: string): void;
  onmessage:
    | ((event: MessageEvent<{ cells: Int32Array; newsCells: Int32Array }>) => void)
    | null;
};

const ACTS: Readonly<Record<string, (news: News, cells: Int32Array) => void>> = {
  end: (news) => news.end(3),
  flood(news) {
    const kept: Uint8Array[] = [];
    // `terminate()` alone does not always stop a loop, and this one fills the memory of all tests.
    for (let count = 0; news.exitCode === undefined; count++) {
      news.interrupt(0);
      if (count % 1000 === 0) kept.push(new Uint8Array(1_000_000).fill(1));
    }
  },
  interrupt(news, cells) {
    Atomics.store(cells, RUN_CELL, 1);
    news.interrupt(1);
    let signals = 0;
    for (; signals < 3; signals++) {
      if (Atomics.wait(cells, INTERRUPT_CELL, 0, 5000) === "timed-out") break;
      Atomics.store(cells, INTERRUPT_CELL, 0);
    }
    news.end(signals);
  },
};

self.onmessage = ({ data: { cells, newsCells } }) => {
  self.postMessage("ready");
  // Until the other thread has begun to watch.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  ACTS[self.name]!(new News(newsCells), cells);
};
