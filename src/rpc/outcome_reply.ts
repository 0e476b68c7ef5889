/** What a server gave → the reply that Python makes a value of. Pure. */
import type { CallOutcome } from "../downstream/downstream.ts";
import type { RpcReply } from "../wire/messages.ts";

/** The reply for an outcome. */
export function toReply(outcome: CallOutcome): RpcReply {
  switch (outcome.kind) {
    case "value":
      return { success: true, result: outcome.value };
    case "text":
      // Python reads the JSON, and takes the text for what it is if it is none.
      return { success: true, [outcome.mayBeJson ? "text" : "result"]: outcome.text };
    case "content":
      return { success: true, content: outcome.content };
    case "failed":
      return { success: false, error: outcome.message, result: outcome.result };
  }
}
