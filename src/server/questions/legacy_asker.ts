/** Asks a client of 2024-11-05 to 2025-11-25, by a request of ours to it. */
import { type RequestId, SdkError, SdkErrorCode, type Server } from "@modelcontextprotocol/server";
import type { Abilities, Asker } from "../../questions/asker.ts";
import { toUnanswered } from "../../questions/open_questions.ts";
import { toForwarded } from "./forwarded_question.ts";

/** What the questions belong to, and how long each may stay open. */
export interface LegacyAskerOptions {
  abilities: Abilities;
  /** The `tools/call` that is going on. */
  requestId: RequestId;
  maxAskMs: number;
}

/** The client behind `server`. */
export function createLegacyAsker(
  server: Pick<Server, "request">,
  { abilities, requestId, maxAskMs }: LegacyAskerOptions,
): Asker {
  return {
    abilities,
    async ask(asked) {
      const { signal } = asked;
      const options = { signal, timeout: maxAskMs, relatedRequestId: requestId };
      try {
        return await server.request(toForwarded(asked, false), options);
      } catch (error) {
        const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
        if (!isLate) throw error;
        const reason = signal.aborted
          ? "the call that asked is over"
          : `there was no answer within ${maxAskMs / 1000}s`;
        throw toUnanswered(asked, reason);
      }
    },
  };
}
