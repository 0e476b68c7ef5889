/**
 * A line on its way to a sandbox. A long one stays the text it is until the sandbox takes it, and becomes
 * bytes piece by piece: its bytes beside its text would double what a sandbox that does not read makes us hold.
 */
import { MAX_LINE_BYTES } from "../shared/framing.ts";
import { type HostMessage, hostMessageParts } from "./messages.ts";

/** Up to so many characters a line becomes bytes at once. */
const SHORT_CHARS = 64 * 1024;

/** Most bytes of a character in UTF-8. */
const BYTES_PER_CHAR = 3;

/** What a line takes in memory beside its bytes: many short ones would be held for nothing. */
const OBJECT_BYTES = 512;

/** A line that can be written. */
export class OutgoingLine {
  /** What it holds until it is written. */
  readonly bytes: number;
  readonly #parts: readonly string[];
  readonly #encoded: Uint8Array | undefined;

  private constructor(parts: readonly string[], chars: number) {
    this.#encoded = chars <= SHORT_CHARS ? encoder.encode(parts.join("")) : undefined;
    this.#parts = this.#encoded === undefined ? parts : [];
    this.bytes = OBJECT_BYTES + (this.#encoded?.length ?? chars);
  }

  /** The line of a message; undefined if it is longer than a line may be. */
  static of(message: HostMessage): OutgoingLine | undefined {
    const parts = hostMessageParts(message);
    const chars = parts.reduce((sum, part) => sum + part.length, 0);
    const mayBeTooLong = chars * BYTES_PER_CHAR > MAX_LINE_BYTES;
    if (mayBeTooLong && (chars > MAX_LINE_BYTES || countBytes(parts) > MAX_LINE_BYTES)) {
      return undefined;
    }
    return new OutgoingLine(parts, chars);
  }

  /** Writes it; resolves when the stream has taken all of it. */
  async writeTo(writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
    if (this.#encoded !== undefined) return await writer.write(this.#encoded);
    // One at a time is written, so one buffer serves all pieces.
    const buffer = new Uint8Array(BYTES_PER_CHAR * SHORT_CHARS);
    for (const piece of pieces(this.#parts, buffer)) await writer.write(piece);
  }
}

/** The bytes of texts; a piece is good until the next. */
function* pieces(parts: readonly string[], buffer: Uint8Array): Generator<Uint8Array> {
  for (const part of parts) {
    for (let at = 0; at < part.length;) {
      let end = Math.min(part.length, at + SHORT_CHARS);
      // A character beyond the basic plane is not parted.
      if (end < part.length && (part.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
      const { written } = encoder.encodeInto(part.slice(at, end), buffer);
      yield buffer.subarray(0, written);
      at = end;
    }
  }
}

function countBytes(parts: readonly string[]): number {
  let bytes = 0;
  for (const piece of pieces(parts, new Uint8Array(BYTES_PER_CHAR * SHORT_CHARS))) {
    bytes += piece.length;
  }
  return bytes;
}

const encoder = new TextEncoder();
