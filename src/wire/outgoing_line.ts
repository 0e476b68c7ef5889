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
  readonly isShort: boolean;
  /** Whether it is longer than a line may be. */
  readonly isTooLong: boolean;
  readonly #parts: readonly string[];
  readonly #encoded: Uint8Array | undefined;

  constructor(message: HostMessage) {
    const parts = hostMessageParts(message);
    const chars = parts.reduce((sum, part) => sum + part.length, 0);
    this.isShort = chars <= SHORT_CHARS;
    this.#encoded = this.isShort ? encoder.encode(parts.join("")) : undefined;
    this.#parts = this.isShort ? [] : parts;
    this.bytes = OBJECT_BYTES + (this.#encoded?.length ?? chars);
    const mayBeTooLong = chars * BYTES_PER_CHAR > MAX_LINE_BYTES;
    this.isTooLong = mayBeTooLong &&
      (chars > MAX_LINE_BYTES || countBytes(parts) > MAX_LINE_BYTES);
  }

  /** Writes it, and tells as it goes how much of `bytes` the stream has taken; resolves when it has all. */
  async writeTo(
    writer: WritableStreamDefaultWriter<Uint8Array>,
    onTaken: (bytes: number) => void,
  ): Promise<void> {
    if (this.#encoded !== undefined) {
      await writer.write(this.#encoded);
      return onTaken(this.bytes);
    }
    // One at a time is written, so one buffer serves all pieces.
    const buffer = new Uint8Array(BYTES_PER_CHAR * SHORT_CHARS);
    for (const { bytes, chars } of pieces(this.#parts, buffer)) {
      await writer.write(bytes);
      onTaken(chars);
    }
    onTaken(OBJECT_BYTES);
  }
}

/** The bytes of texts; a piece is good until the next. */
function* pieces(
  parts: readonly string[],
  buffer: Uint8Array,
): Generator<{ bytes: Uint8Array; chars: number }> {
  for (const part of parts) {
    for (let at = 0; at < part.length;) {
      let end = Math.min(part.length, at + SHORT_CHARS);
      // A character beyond the basic plane is not parted.
      if (end < part.length && (part.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
      const { written } = encoder.encodeInto(part.slice(at, end), buffer);
      yield { bytes: buffer.subarray(0, written), chars: end - at };
      at = end;
    }
  }
}

function countBytes(parts: readonly string[]): number {
  let bytes = 0;
  for (const piece of pieces(parts, new Uint8Array(BYTES_PER_CHAR * SHORT_CHARS))) {
    bytes += piece.bytes.length;
  }
  return bytes;
}

const encoder = new TextEncoder();
