/**
 * Who gets an answer's `structuredContent`. By the protocol it is for programs, beside the text for the
 * model; some clients give the model the JSON in its place. Pure.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Config } from "../../config/schema.ts";

/**
 * Clients that show it to the model, by `clientInfo.name`, with what was seen of which version: the text on the
 * right is for readers. docs/clients.md says how it was seen.
 */
export const SHOWN_TO_THE_MODEL: Readonly<Record<string, string>> = {
  "claude-code": "2.1.197: the JSON in place of the text; images stay",
  "codex-mcp-client": "0.169.0: the JSON in place of everything; no image reaches the model",
  "copilot-cli": "1.0.102: the JSON after the text, which says the same",
  "@cline/core": "0.0.0, of cline 3.0.65: the whole result as JSON",
  "mcporter": "0.9.0, of mcporter 0.12.3: the JSON in place of everything",
};

/** The answer as a client should have it; what is left out is in `_meta`, as it always is. */
export function fitToClient(
  answer: CallToolResult,
  client: string,
  mode: Config["structured"],
): CallToolResult {
  const isLeftOut = mode === "auto" ? Object.hasOwn(SHOWN_TO_THE_MODEL, client) : mode === "never";
  if (!isLeftOut) return answer;
  const { structuredContent: _, ...rest } = answer;
  return rest;
}
