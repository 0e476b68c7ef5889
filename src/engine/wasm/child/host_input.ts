/** The host's bytes as Python's thread gets them: from stdin itself, or from the reader. */
import { type MessagePort as NodePort, receiveMessageOnPort } from "node:worker_threads";
import { watchLines } from "./host_lines.ts";
import { CHUNKS_CELL, type HostEvent } from "./protocol.ts";
import { PythonTurns } from "./stdin_turns.ts";
import { readStdin } from "./stdio.ts";

/** Both ways to the host's bytes, which keep their order. */
export class HostInput {
  readonly #cells: Int32Array;
  readonly #chunks: MessagePort;
  readonly #emit: (event: HostEvent) => void;
  readonly #turns: PythonTurns;
  /** How many of the reader's chunks have been taken. */
  #taken = 0;

  constructor(cells: Int32Array, chunks: MessagePort, emit: (event: HostEvent) => void) {
    this.#cells = cells;
    this.#chunks = chunks;
    this.#emit = emit;
    this.#turns = new PythonTurns(cells);
  }

  /** Whether bytes are there within so many milliseconds. */
  poll(milliseconds: number): boolean {
    if (this.#hasChunk() || milliseconds <= 0) return this.#hasChunk();
    this.#turns.leave();
    Atomics.wait(this.#cells, CHUNKS_CELL, this.#taken, milliseconds);
    return this.#hasChunk();
  }

  /** Waits for the next bytes, puts them into `into`, which has room for a chunk, and gives their number. */
  read(into: Uint8Array): number {
    while (!this.#hasChunk()) {
      if (this.#turns.begin(this.#taken)) return this.#readStdin(into);
      Atomics.wait(this.#cells, CHUNKS_CELL, this.#taken);
    }
    return this.#takeChunk(into);
  }

  #hasChunk(): boolean {
    return Atomics.load(this.#cells, CHUNKS_CELL) !== this.#taken;
  }

  #readStdin(into: Uint8Array): number {
    const size = readStdin(into);
    if (size === undefined) return this.#end();
    watchLines(into.subarray(0, size), this.#cells, this.#emit);
    this.#turns.end();
    return size;
  }

  #takeChunk(into: Uint8Array): number {
    this.#taken++;
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
    this.#emit({ kind: "end" });
    for (;;) Atomics.wait(this.#cells, CHUNKS_CELL, this.#taken);
  }
}
