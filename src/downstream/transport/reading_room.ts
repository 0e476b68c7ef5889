/**
 * Room for the bodies that one server sends side by side: each message is held several times over until it is
 * read, as bytes, as text and as values. Beyond so much of them the oldest is read to its end first; what the
 * others bring waits on their connections, and so does everything while the sandbox that it is for has enough
 * to read.
 */

import type { Unread } from "../../shared/byte_budget.ts";

/** Bytes of unfinished messages, those of the oldest apart. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Up to so many bytes a message needs no place. */
const SMALL_BYTES = 64 * 1024;

/** Room for the messages of one connection, or of one sandbox. */
export class ReadingRoom {
  static readonly #rooms = new WeakMap<Unread, ReadingRoom>();
  readonly #unread: Unread | undefined;
  readonly #held = new Map<object, number>();
  #changed = Promise.withResolvers<void>();

  constructor(unread?: Unread) {
    this.#unread = unread;
  }

  /** The one for what is read for a sandbox: another that does not read keeps nothing from it. */
  static for(unread: Unread): ReadingRoom {
    let room = this.#rooms.get(unread);
    if (room === undefined) this.#rooms.set(unread, room = new ReadingRoom(unread));
    return room;
  }

  /** Waits for room for so many bytes of a message of `reader`; rejects when `signal` is aborted before. */
  async hold(reader: object, bytes: number, signal?: AbortSignal | null): Promise<void> {
    if (bytes <= SMALL_BYTES) return this.free(reader);
    this.#held.set(reader, bytes);
    if (!this.#hasRoom(reader)) await this.#wait(reader, signal);
  }

  /** Tells that nothing is held for `reader`. */
  free(reader: object): void {
    if (!this.#held.delete(reader)) return;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #hasRoom(reader: object): boolean {
    if (this.#unread?.isLow === false) return false;
    const [oldest] = this.#held.keys();
    if (oldest === reader) return true;
    let others = 0;
    for (const [one, bytes] of this.#held) if (one !== oldest) others += bytes;
    return others <= MAX_BYTES;
  }

  async #wait(reader: object, signal?: AbortSignal | null): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => {});
    const onAbort = () => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      if (signal?.aborted) onAbort();
      while (!this.#hasRoom(reader)) {
        const isLow = this.#unread?.isLow ?? true;
        const changed = isLow ? this.#changed.promise : this.#unread?.whenLow();
        await Promise.race([changed, aborted.promise]);
      }
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }
}
