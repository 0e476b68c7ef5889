/** Which downstream servers a run can name, and the answer to a name that is not one of them. */
import { didYouMean } from "../shared/did_you_mean.ts";

/** The servers that are configured. */
export interface ServerDirectory {
  /** Their names, in the order they were found. */
  known(): Promise<readonly string[]>;
}

/** Most names listed in an error: the rest can be asked for in Python. */
const MAX_LISTED = 50;

/** Longest part of an unknown name that is repeated. */
const MAX_NAME_CHARS = 80;

/** The error for the names of `wanted` that are not in `known`, or `undefined` when all are. */
export function describeUnknownServers(
  wanted: readonly string[],
  known: readonly string[],
): string | undefined {
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const named = unknown.slice(0, MAX_LISTED).map((name) => {
    const near = didYouMean(name, known);
    const shown = name.slice(0, MAX_NAME_CHARS);
    return near === undefined ? shown : `${shown} (did you mean ${near}?)`;
  });
  return `Unknown MCP server: ${named.join(", ")}. ${describeKnown(known)}`;
}

function describeKnown(known: readonly string[]): string {
  if (known.length === 0) return "No MCP servers are configured";
  const more = known.length - MAX_LISTED;
  const listed = known.slice(0, MAX_LISTED).join(", ");
  return `Known servers: ${listed}${more > 0 ? ` and ${more} more` : ""}`;
}
