/** Lines of the worker to stdout, in order, several at a time, never blocking the thread that reads. */
import { OUTSTANDING_CELL } from "./protocol.ts";

/** Writes what the worker posts and tells it how far that has got. */
export class OutputPump {
  readonly #cells: Int32Array;
  #queue: Uint8Array[] = [];
  #writing = false;

  constructor(cells: Int32Array) {
    this.#cells = cells;
  }

  /** Queues a line. Whatever else a hostile worker posts is not ours to understand. */
  push(line: unknown): void {
    if (!(line instanceof Uint8Array)) return;
    this.#queue.push(line);
    if (!this.#writing) void this.#write();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      const bytes = batch.length === 1 ? batch[0]! : concat(batch);
      for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
      Atomics.sub(this.#cells, OUTSTANDING_CELL, bytes.length);
      Atomics.notify(this.#cells, OUTSTANDING_CELL);
    }
    this.#writing = false;
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
