/** What we declare to a server, by what the client in front of us can be asked for. Pure. */
import type { ClientCapabilities } from "@modelcontextprotocol/client";
import type { Abilities } from "../../questions/asker.ts";

/** What we declare to a server that is used for such a client. */
export function toCapabilities(abilities: Abilities): ClientCapabilities {
  const { form, url, sampling, samplingTools, roots } = abilities;
  return {
    ...((form || url) && {
      elicitation: {
        // Fields the answer leaves out get the defaults that the question named.
        ...(form && { form: { applyDefaults: true } }),
        ...(url && { url: {} }),
      },
    }),
    ...(sampling && { sampling: { ...(samplingTools && { tools: {} }) } }),
    ...(roots && { roots: {} }),
  };
}

/** Equal for clients to whom a server is told the same. */
export function profileOf(abilities: Abilities): string {
  return JSON.stringify(toCapabilities(abilities));
}
