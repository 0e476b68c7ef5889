/**
 * Lines of the wire that may be long. What one of a sandbox holds is counted before values are made of it, and
 * the arguments of a tool, which may be as many as they like, are not made into values at all. One to a sandbox
 * stays the text it is until the sandbox takes it: its bytes beside its text would double what a sandbox that
 * does not read makes us hold.
 */
import {
  type HostMessage,
  hostMessageParts,
  isToolCall,
  parseSandboxMessage,
  type SandboxMessage,
} from "./messages.ts";
import { MAX_LINE_BYTES } from "../shared/framing.ts";
import { checkJson } from "../shared/json/json_check.ts";
import type { Span } from "../shared/json/json_span.ts";
import { JsonText } from "../shared/json/json_text.ts";

/** Up to so many characters hold no more values than can be made of them at once. */
const LONG_FROM_CHARS = 256 * 1024;

/** Most values in a long line, a tool's arguments apart. */
const MAX_VALUES = 10_000;

/** Most levels in a long line. */
const MAX_DEPTH = 10_000;

const ARGUMENTS = ["payload", "arguments"];

/** What a value takes in memory, for a character of its JSON. */
const HELD_BYTES_PER_VALUE = 32;

/** What a request takes in memory beside its values. */
const HELD_BYTES_PER_MESSAGE = 512;

/** Names in a payload that has few. */
const FEW_NAMES = 16;

/** Whether a line is to be read by {@link readLongLine}. */
export function isLong(line: string): boolean {
  return line.length > LONG_FROM_CHARS;
}

/**
 * Reads a line in steps.
 *
 * SECURITY: memory boundary. A line of 36 MB that is made into values can take 900 MB and three seconds.
 *
 * @throws {Error} if it is not JSON, holds too many values or is not a message of the protocol.
 */
export function* readLongLine(line: string): Generator<void, SandboxMessage> {
  const { values, found } = yield* checkJson(line, { path: ARGUMENTS, maxDepth: MAX_DEPTH });
  if (found === undefined || line[found.start] !== "{") {
    return parseSandboxMessage(bounded(line, values));
  }
  const message = parseSandboxMessage(bounded(without(line, found), values - found.values));
  // Other requests have `arguments` as well, and theirs are few.
  if (!isToolCall(message)) return parseSandboxMessage(bounded(line, values));
  message.payload["arguments"] = new JsonText(line.slice(found.start, found.end));
  return message;
}

/** What a message holds as long as it is under way; `chars` is the length of its line. */
export function heldBytes(message: SandboxMessage, chars: number): number {
  if (message.type !== "rpc_request") return chars;
  const parts = Object.values(message.payload);
  const isFlat = parts.length <= FEW_NAMES &&
    parts.every((part) => typeof part !== "object" || part === null || part instanceof JsonText);
  return HELD_BYTES_PER_MESSAGE + (isFlat ? chars : chars * HELD_BYTES_PER_VALUE);
}

function bounded(line: string, values: number): string {
  if (values <= MAX_VALUES) return line;
  throw new Error(`A message holds ${values} values; at most ${MAX_VALUES} are taken`);
}

function without(line: string, { start, end }: Span): string {
  return `${line.slice(0, start)}{}${line.slice(end)}`;
}

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
