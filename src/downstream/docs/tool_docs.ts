/** Documentation of tools. Pure. */
import type { Detail, DownstreamTool, ToolDoc } from "../downstream.ts";
import type { Shape } from "../catalog/observed_shape.ts";
import { toSignature } from "../../languages/python/signature.ts";

/** Longest description in a summary. */
const SUMMARY_CHARS = 400;

/** The doc of a tool. */
export function toToolDoc(
  server: { name: string; alias: string },
  tool: DownstreamTool & { observed?: Shape },
  detail: Detail,
): ToolDoc {
  const description = detail === "full" ? tool.description : shorten(tool.description);
  return {
    server: server.name,
    serverAlias: server.alias,
    tool: tool.name,
    toolAlias: tool.alias,
    signature: toSignature(tool),
    ...(tool.observed && { observed: true as const }),
    ...(description !== "" && { description }),
    ...(detail === "full" && { inputSchema: tool.inputSchema }),
    ...(detail === "full" && tool.outputSchema && { outputSchema: tool.outputSchema }),
  };
}

/** The first paragraph, cut at a word if it is long. */
function shorten(description: string): string {
  const [first = ""] = description.trim().split(/\n\s*\n/);
  if (first.length <= SUMMARY_CHARS) return first;
  const cut = first.slice(0, SUMMARY_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), SUMMARY_CHARS / 2))} …`;
}
