/** Replies for an interpreter that would die of JSON that is nested too deep, in place of refusing it. Pure. */
import { isNestedDeeper } from "../shared/json/json_span.ts";
import { JsonText } from "../shared/json/json_text.ts";
import type { RpcReply } from "../wire/messages.ts";

/** The reply with nothing in it that has more levels; a value that has is an error, as it is in Python. */
export function limitDepth(reply: RpcReply, maxDepth: number): RpcReply {
  const { result } = reply;
  if (result instanceof JsonText && isNestedDeeper(result.text, maxDepth)) {
    const error = reply.success
      ? `Its result cannot be read: it is nested deeper than ${maxDepth} levels`
      : reply.error;
    return { success: false, error };
  }
  if (!reply.success || typeof reply["text"] !== "string") return reply;
  const { text, ...rest } = reply;
  // Text that Python does not read as JSON is text.
  return isNestedDeeper(text as string, maxDepth) ? { ...rest, result: text } : reply;
}
