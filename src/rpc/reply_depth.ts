/** Replies for an interpreter that would die of JSON that is nested too deep, in place of refusing it. Pure. */
import { isNestedDeeper } from "../shared/json/json_span.ts";
import { JsonText } from "../shared/json/json_text.ts";
import type { RpcReply } from "../wire/rpc.ts";

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
