/** What is said to a name that is not a server, or none that may be used. Pure. */
import type { SkippedEntry } from "../discovery/entry/server_entry.ts";
import { describeSkipped, describeUnread } from "../discovery/skipped_text.ts";
import { didYouMean } from "../shared/did_you_mean.ts";
import { AppError } from "../shared/errors.ts";

/** What is configured. */
export interface KnownServers {
  /** Names of the servers that can be used, in the order they were found. */
  names: readonly string[];
  /** Entries that are not used, and why. */
  skipped: readonly SkippedEntry[];
}

/** Most names listed in an error: the rest can be asked for in Python. */
const MAX_LISTED = 50;

/** Longest part of an unknown name that is repeated. */
const MAX_NAME_CHARS = 80;

/** The error for the names of `wanted` that cannot be used, or `undefined` when all can. */
export function describeUnknownServers(
  wanted: readonly string[],
  { names, skipped }: KnownServers,
): string | undefined {
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length === 0) return undefined;
  const reasons: string[] = [];
  const named = unknown.slice(0, MAX_LISTED).map((name) => {
    const shown = name.slice(0, MAX_NAME_CHARS);
    const reason = describeSkipped(name, skipped);
    if (reason !== undefined) {
      reasons.push(`"${shown}" is configured but not used: ${reason}`);
      return shown;
    }
    const near = didYouMean(name, names);
    return near === undefined ? shown : `${shown} (did you mean ${near}?)`;
  });
  // A file that could not be read may hold those that nothing is known of.
  const unread = reasons.length < unknown.length ? describeUnread(skipped) : undefined;
  const sentences = [`Unknown MCP server: ${named.join(", ")}`, ...reasons, describeKnown(names)];
  return [...sentences, ...(unread === undefined ? [] : [unread])].join(". ");
}

/** Why a run may not ask a server: it was not given to it, or is not there. */
export function describeRefusal(server: string, { names, skipped }: KnownServers): string {
  const reason = names.includes(server)
    ? "add it to the `servers` argument of run_python"
    : describeSkipped(server, skipped);
  return `Server '${server}' is not available${reason === undefined ? "" : `: ${reason}`}`;
}

/** The error for a name in a program that leads to no server. */
export function toUnknownServer(name: string, { names, skipped }: KnownServers): AppError {
  const reason = describeSkipped(name, skipped);
  if (reason !== undefined) {
    return new AppError(`The MCP server "${name}" is not used: ${reason}`);
  }
  const near = didYouMean(name, names);
  return new AppError(`Unknown MCP server: ${name}`, {
    hint: near === undefined
      ? "runtime.discovered_servers() lists the servers"
      : `Did you mean "${near}"?`,
  });
}

function describeKnown(known: readonly string[]): string {
  if (known.length === 0) return "No MCP servers are configured";
  const more = known.length - MAX_LISTED;
  const listed = known.slice(0, MAX_LISTED).join(", ");
  return `Known servers: ${listed}${more > 0 ? ` and ${more} more` : ""}`;
}
