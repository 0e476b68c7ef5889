/** Replies as a sandbox can take them: what a server gave, what is nested too deep, what is too large. Pure. */
import type { CallOutcome } from "../downstream/downstream.ts";
import { isNestedDeeper } from "../shared/json/json_span.ts";
import { JsonText } from "../shared/json/json_text.ts";
import type { Channel, Unsent } from "../wire/channel.ts";
import type { RpcFailure, RpcReply, ServerValue } from "../wire/rpc.ts";

/** The reply with nothing in it that has more levels; a value that has is an error, as it is in Python. */
export function limitDepth(reply: RpcReply, maxDepth: number): RpcReply {
  if ("result" in reply && reply.result instanceof JsonText) {
    if (!isNestedDeeper(reply.result.text, maxDepth)) return reply;
    const error = reply.success
      ? `Its result cannot be read: it is nested deeper than ${maxDepth} levels`
      : reply.error;
    return { success: false, error };
  }
  // Text that Python does not read as JSON is text.
  return "text" in reply && isNestedDeeper(reply.text, maxDepth)
    ? { success: true, result: reply.text }
    : reply;
}

/** The reply for an outcome. */
export function toReply(outcome: CallOutcome): ({ success: true } & ServerValue) | RpcFailure {
  switch (outcome.kind) {
    case "value":
      return { success: true, result: outcome.value };
    case "text":
      // Python reads the JSON, and takes the text for what it is if it is none.
      return outcome.mayBeJson
        ? { success: true, text: outcome.text }
        : { success: true, result: outcome.text };
    case "content":
      return { success: true, content: outcome.content };
    case "failed":
      return { success: false, error: outcome.message, result: outcome.result };
  }
}

const MIB = 1024 * 1024;

/** The reply for a reply that was `unsent`. */
export function toUnsentReply({ reason, bytes }: Unsent, { unread }: Channel): RpcReply {
  if (reason === "too_long") {
    return {
      success: false,
      error: "The result is over the limit of 64 MiB: ask the tool for less",
    };
  }
  const [size, most] = [bytes, unread.maxBytes].map((each) => Math.ceil(each / MIB));
  const error = `The result of ${size} MiB was dropped: results of at most ${most} MiB wait ` +
    "until the program takes them; ask for fewer at once";
  return { success: false, error };
}
