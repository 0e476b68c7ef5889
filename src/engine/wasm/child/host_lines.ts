/**
 * What must be seen in the host's lines before Python gets to them: the start of a run, an interrupt, the
 * end. A line is known by one byte of it, so that two threads can read stdin in turns: all that one has to
 * tell the other is how far the line is.
 */
import type { News } from "./news.ts";
import { RUN_CELL } from "./protocol.ts";

const NEWLINE = 10;

/** Where the first letter of a message's type stands: every line begins with `{"type":"`. */
const KIND_COLUMN = '{"type":"'.length;

const EXECUTE = "e".charCodeAt(0);
const INTERRUPT = "i".charCodeAt(0);
const SHUTDOWN = "s".charCodeAt(0);

/**
 * Looks at bytes of stdin, in their order, and tells of what concerns the process. Takes and gives the
 * column of the line that the bytes begin and end in; 0 is its start.
 */
export function watchLines(
  chunk: Uint8Array,
  column: number,
  cells: Int32Array,
  news: News,
): number {
  for (let at = 0; at < chunk.length;) {
    const kindAt = at + KIND_COLUMN - column;
    const end = chunk.indexOf(NEWLINE, at);
    const next = end === -1 ? chunk.length : end + 1;
    if (kindAt >= at && kindAt < next) note(chunk[kindAt]!, cells, news);
    column = end === -1 ? Math.min(column + next - at, KIND_COLUMN + 1) : 0;
    at = next;
  }
  return column;
}

function note(kind: number, cells: Int32Array, news: News): void {
  if (kind === EXECUTE) Atomics.add(cells, RUN_CELL, 1);
  else if (kind === INTERRUPT) news.interrupt(Atomics.load(cells, RUN_CELL));
  else if (kind === SHUTDOWN) news.end(0);
}
