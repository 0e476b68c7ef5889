/**
 * The thread that reads stdin when Python's does not, and blocks in it: bytes reach Python's thread without
 * a turn of any event loop. It has no permission.
 */
import { watchLines } from "./host_lines.ts";
import { News } from "./news.ts";
import { CHUNK_BYTES, type Shared } from "./protocol.ts";
import { ReaderTurns } from "./stdin_turns.ts";
import { readStdin } from "./stdio.ts";

declare const self: {
  onmessage: ((event: MessageEvent<Shared>) => void) | null;
};

self.onmessage = ({ data: { chunks, cells, ...shared } }) => {
  const turns = new ReaderTurns(shared.turns);
  const news = new News(shared.news);
  const buffer = new Uint8Array(CHUNK_BYTES);
  try {
    for (;;) {
      const size = readStdin(buffer);
      if (size === undefined) return;
      const chunk = buffer.slice(0, size);
      turns.column = watchLines(chunk, turns.column, cells, news);
      chunks.postMessage(chunk.buffer, [chunk.buffer]);
      turns.handOver();
      turns.wait();
    }
  } finally {
    // Also where stdin cannot be read: then the host is not seen any more.
    news.end(0);
  }
};
