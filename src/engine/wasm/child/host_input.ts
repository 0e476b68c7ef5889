/** The host's bytes as Python's thread gets them: from stdin itself, or from the reader. */
import { type MessagePort as NodePort, receiveMessageOnPort } from "node:worker_threads";
import { watchLines } from "./host_lines.ts";
import { type News, stopHere } from "./news.ts";
import { CHUNK_BYTES, type Shared } from "./protocol.ts";
import { PythonTurns } from "./stdin_turns.ts";
import { readStdin } from "./stdio.ts";

/** Both ways to the host's bytes, which keep their order. */
export class HostInput {
  readonly #cells: Int32Array;
  readonly #chunks: MessagePort;
  readonly #news: News;
  readonly #turns: PythonTurns;

  constructor({ cells, chunks, turns }: Shared, news: News) {
    this.#cells = cells;
    this.#chunks = chunks;
    this.#news = news;
    this.#turns = new PythonTurns(turns);
  }

  /** Whether bytes are there within so many milliseconds. */
  poll(milliseconds: number): boolean {
    const turns = this.#turns;
    if (turns.hasChunk || milliseconds <= 0) return turns.hasChunk;
    turns.leave();
    turns.wait(milliseconds);
    return turns.hasChunk;
  }

  /** Waits for the next bytes, puts them into `into` and gives their number; none without room for a chunk. */
  read(into: Uint8Array): number {
    // A program that reads nothing over and over would keep the reader from its turn.
    if (into.length < CHUNK_BYTES) return 0;
    while (!this.#turns.hasChunk) {
      if (this.#turns.begin()) return this.#readStdin(into);
      this.#turns.wait(Infinity);
    }
    return this.#takeChunk(into);
  }

  #readStdin(into: Uint8Array): number {
    const turns = this.#turns;
    try {
      const size = readStdin(into);
      if (size === undefined) return this.#end();
      turns.column = watchLines(into.subarray(0, size), turns.column, this.#cells, this.#news);
      return size;
    } finally {
      // Also where a program has put something else in the place of what is used above.
      turns.end();
    }
  }

  #takeChunk(into: Uint8Array): number {
    this.#turns.take();
    // Without waiting for an event: JavaScript's loop stands still while Python runs.
    const chunk: ArrayBuffer = receiveMessageOnPort(this.#chunks as unknown as NodePort)!.message;
    const size = chunk.byteLength;
    into.set(new Uint8Array(chunk));
    // Gives its memory back now: garbage counts against the limit, and nothing here collects it soon.
    chunk.transfer(0);
    return size;
  }

  /** The host is gone: the main thread ends the process. */
  #end(): never {
    this.#news.end(0);
    stopHere();
  }
}
