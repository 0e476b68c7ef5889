/**
 * The thread that reads stdin when Python's does not, and blocks in it: bytes reach Python's thread without
 * a turn of any event loop. It has no permission.
 */
import { watchLines } from "./host_lines.ts";
import { CHUNK_BYTES, type HostEvent, type Shared } from "./protocol.ts";
import { ReaderTurns } from "./stdin_turns.ts";
import { readStdin } from "./stdio.ts";

declare const self: {
  postMessage(event: HostEvent): void;
  onmessage: ((event: MessageEvent<Shared>) => void) | null;
};

self.onmessage = ({ data: { chunks, cells, turns: turnCells } }) => {
  const turns = new ReaderTurns(turnCells);
  const emit = (event: HostEvent) => self.postMessage(event);
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const size = readStdin(buffer);
    if (size === undefined) return emit({ kind: "end" });
    const chunk = buffer.slice(0, size);
    turns.column = watchLines(chunk, turns.column, cells, emit);
    chunks.postMessage(chunk.buffer, [chunk.buffer]);
    turns.handOver();
    turns.wait();
  }
};
