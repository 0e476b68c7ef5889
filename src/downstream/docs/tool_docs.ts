/** Documentation of tools, and finding a tool by a name somebody wrote. Pure. */
import { didYouMean } from "../../shared/did_you_mean.ts";
import { AppError } from "../../shared/errors.ts";
import type { Detail, DownstreamTool, LoadedServer, ToolDoc } from "../downstream.ts";
import type { Shape } from "../catalog/observed_shape.ts";
import { toSignature } from "../../languages/python/signature.ts";

/** Longest description in a summary. */
const SUMMARY_CHARS = 400;

/** Most names in an error. */
const MAX_LISTED = 20;

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

/** The tool with this raw name or, failing that, this alias; with `anyCase`, however it is written. */
export function findTool(
  tools: readonly DownstreamTool[],
  wanted: string,
  options: { anyCase: boolean } = { anyCase: false },
): DownstreamTool | undefined {
  const { exact, anyCase } = indexOf(tools);
  return exact.get(wanted) ?? (options.anyCase ? anyCase.get(wanted.toLowerCase()) : undefined);
}

/** Tools by what they can be called: raw names, then aliases that no raw name is. */
interface NameIndex {
  exact: ReadonlyMap<string, DownstreamTool>;
  anyCase: ReadonlyMap<string, DownstreamTool>;
}

const INDEXES = new WeakMap<readonly DownstreamTool[], NameIndex>();

/** Made once per list: a program can ask ten thousand times for a tool among thousands. */
function indexOf(tools: readonly DownstreamTool[]): NameIndex {
  const known = INDEXES.get(tools);
  if (known !== undefined) return known;
  const [exact, anyCase] = [new Map<string, DownstreamTool>(), new Map<string, DownstreamTool>()];
  for (const key of ["name", "alias"] as const) {
    for (const tool of tools) {
      const [name, lower] = [tool[key], tool[key].toLowerCase()];
      if (!exact.has(name)) exact.set(name, tool);
      if (!anyCase.has(lower)) anyCase.set(lower, tool);
    }
  }
  INDEXES.set(tools, { exact, anyCase });
  return { exact, anyCase };
}

/**
 * The tools that `wanted` names, in that order; all if it names none.
 *
 * @throws {AppError} if there is no such tool.
 */
export function pickTools(
  server: LoadedServer,
  wanted: readonly string[],
): readonly DownstreamTool[] {
  if (wanted.length === 0) return server.tools;
  const found = wanted.map((name) => {
    const tool = findTool(server.tools, name, { anyCase: true });
    if (tool === undefined) throw toUnknownTool(server, name);
    return tool;
  });
  return [...new Set(found)];
}

/** The error for a tool that a server does not have. */
export function toUnknownTool({ name, tools }: LoadedServer, wanted: string): AppError {
  const near = didYouMean(wanted, indexOf(tools).exact.keys());
  const listed = tools.slice(0, MAX_LISTED).map((tool) => tool.name).join(", ");
  const more = tools.length > MAX_LISTED ? ` and ${tools.length - MAX_LISTED} more` : "";
  const all = tools.length === 0 ? "It has no tools" : `Its tools: ${listed}${more}`;
  return new AppError("unknown_tool", `Server "${name}" has no tool "${wanted.slice(0, 80)}"`, {
    hint: near === undefined ? all : `Did you mean "${near}"?`,
  });
}

/** The first paragraph, cut at a word if it is long. */
function shorten(description: string): string {
  const [first = ""] = description.trim().split(/\n\s*\n/);
  if (first.length <= SUMMARY_CHARS) return first;
  const cut = first.slice(0, SUMMARY_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), SUMMARY_CHARS / 2))} …`;
}
