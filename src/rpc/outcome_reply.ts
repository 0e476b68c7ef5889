/** What a server gave → the reply that Python makes a value of. Pure. */
import type { CallOutcome } from "../downstream/downstream.ts";
import type { RpcFailure, ServerValue } from "../wire/rpc.ts";

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
