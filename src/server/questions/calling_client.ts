/** The client of a call: what it can be asked for, in its own words, and how one that takes requests is asked. */
import { toForwarded } from "./forwarded_question.ts";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type RequestId,
  SdkError,
  SdkErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Abilities, Asker } from "../../questions/asker.ts";
import { toUnanswered } from "../../questions/open_questions.ts";

/** A client, and whether it speaks 2026-07-28, where a server cannot send requests. */
export interface CallingClient {
  isModern: boolean;
  abilities: Abilities;
}

interface ModernEnvelope {
  [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
  [CLIENT_INFO_META_KEY]?: { name: string };
}

/** Who makes a call: told with each request in 2026-07-28, once by `initialize` before. */
export function findClient(
  server: Pick<Server, "getClientCapabilities" | "getClientVersion">,
  { envelope }: ServerContext["mcpReq"],
): CallingClient {
  // The SDK has checked it against the protocol by now.
  const {
    [CLIENT_CAPABILITIES_META_KEY]: declared,
    [CLIENT_INFO_META_KEY]: info,
  } = (envelope ?? {}) as ModernEnvelope;
  if (declared !== undefined) return { isModern: true, abilities: toAbilities(declared, info) };
  const abilities = toAbilities(server.getClientCapabilities(), server.getClientVersion());
  return { isModern: false, abilities };
}

/** The abilities that go with declared capabilities. */
export function toAbilities(
  capabilities: ClientCapabilities | undefined,
  info: { name?: string } | undefined,
): Abilities {
  const { elicitation, sampling, roots } = capabilities ?? {};
  return {
    client: info?.name ?? "unknown",
    // Before there were modes, a bare declaration meant forms.
    form: elicitation !== undefined &&
      (elicitation.form !== undefined || elicitation.url === undefined),
    url: elicitation?.url !== undefined,
    sampling: sampling !== undefined,
    samplingTools: sampling?.tools !== undefined,
    roots: roots !== undefined,
  };
}

/** Whether there is anything at all to ask this client for. */
export function isAbleToAnswer({ form, url, sampling, roots }: Abilities): boolean {
  return form || url || sampling || roots;
}

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
