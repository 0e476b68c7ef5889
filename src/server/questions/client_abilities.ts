/** What the client of a call can be asked for, in its own words. Pure. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Abilities } from "../../questions/asker.ts";

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
