/**
 * Long lines of a sandbox: what they hold is counted before values are made of it, and the arguments of a
 * tool, which may be as many as they like, are not made into values at all.
 */
import { checkJson } from "../shared/json/json_check.ts";
import type { Span } from "../shared/json/json_span.ts";
import { JsonText } from "../shared/json/json_text.ts";
import { isToolCall, parseSandboxMessage, type SandboxMessage } from "./messages.ts";

/** Up to so many characters hold no more values than can be made of them at once. */
const SHORT_CHARS = 256 * 1024;

/** Most values in a long line, a tool's arguments apart. */
const MAX_VALUES = 10_000;

/** Most levels in a long line. */
const MAX_DEPTH = 10_000;

const ARGUMENTS = ["payload", "arguments"];

/** What a value takes in memory, for a character of its JSON. */
const BYTES_PER_CHAR = 32;

/** What a request takes in memory beside its values. */
const OBJECT_BYTES = 512;

/** Names in a payload that has few. */
const FEW_NAMES = 16;

/** Whether a line is to be read by {@link readLongLine}. */
export function isLong(line: string): boolean {
  return line.length > SHORT_CHARS;
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
  return OBJECT_BYTES + (isFlat ? chars : chars * BYTES_PER_CHAR);
}

function bounded(line: string, values: number): string {
  if (values <= MAX_VALUES) return line;
  throw new Error(`A message holds ${values} values; at most ${MAX_VALUES} are taken`);
}

function without(line: string, { start, end }: Span): string {
  return `${line.slice(0, start)}{}${line.slice(end)}`;
}
