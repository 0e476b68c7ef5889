/**
 * The thread that reads stdin, and blocks in it: a line reaches Python's thread without a turn of any event
 * loop. It has no permission.
 */
import { LineSplitter, MAX_LINE_BYTES } from "../../../shared/framing.ts";
import { LINES_CELL, type ReaderBoot, type ReaderEvent, RUN_CELL } from "./protocol.ts";

const CHUNK_BYTES = 256 * 1024;

/** How the reply to a request begins. */
const REPLY = new TextEncoder().encode('{"type":"rpc_response"');

declare const self: {
  postMessage(event: ReaderEvent): void;
  onmessage: ((event: MessageEvent<ReaderBoot>) => void) | null;
};

self.onmessage = ({ data: { lines, cells } }) => {
  pump(lines, cells);
  self.postMessage({ kind: "end" });
};

/** Hands over the host's lines until stdin or the host ends it. */
function pump(lines: MessagePort, cells: Int32Array): void {
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let size = Deno.stdin.readSync(chunk); size !== null; size = Deno.stdin.readSync(chunk)) {
    for (const bytes of splitter.pushBytes(chunk.subarray(0, size))) {
      if (isLongReply(bytes)) {
        // As it is: text of it would be there three times until both threads collect their garbage.
        const line = (bytes.buffer as ArrayBuffer).transfer(bytes.length);
        lines.postMessage(line, [line]);
      } else {
        const line = decoder.decode(bytes);
        if (line.startsWith('{"type":"shutdown"')) return;
        if (line.startsWith('{"type":"execute"')) Atomics.add(cells, RUN_CELL, 1);
        if (line.startsWith('{"type":"interrupt"')) {
          self.postMessage({ kind: "interrupt", run: Atomics.load(cells, RUN_CELL) });
        }
        lines.postMessage(line);
      }
      Atomics.add(cells, LINES_CELL, 1);
      Atomics.notify(cells, LINES_CELL);
    }
  }
}

/** Longer than a chunk, so that it has a buffer of its own. */
function isLongReply(line: Uint8Array): boolean {
  return line.length > CHUNK_BYTES && REPLY.every((byte, index) => line[index] === byte);
}
