/** What became of entries that are not used, in words for the model and for the log. Pure. */
import { fileName } from "./os_path.ts";
import type { SkippedEntry } from "./entry/server_entry.ts";

/** Most files that are named: one that could not be read may hold any server. */
const MAX_FILES = 5;

/** Why no server of that name can be used, where an entry of that name is skipped. */
export function describeSkipped(
  name: string,
  skipped: readonly SkippedEntry[],
): string | undefined {
  const own = skipped.filter((entry) => entry.name === name);
  // The first that counts: what is shadowed only follows it.
  const entry = own.find(({ status }) => status !== "shadowed") ?? own[0];
  return entry && `${entry.reason} (${describePlace(entry)})`;
}

/** The files that could not be read, each with its reason; `undefined` if all could. */
export function describeUnread(skipped: readonly SkippedEntry[]): string | undefined {
  const unread = skipped.filter(({ name }) => name === undefined);
  if (unread.length === 0) return undefined;
  const named = unread.slice(0, MAX_FILES).map((entry) =>
    `${describePlace(entry)}: ${entry.reason}`
  );
  const more = unread.length - MAX_FILES;
  return `Not read: ${named.join("; ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A line for the person who runs the bridge; this one has the whole path. */
export function toSkippedLine({ name, reason, source }: SkippedEntry): string {
  const what = name === undefined ? "a configuration file" : `the MCP server "${name}"`;
  return `Not used: ${what} of ${source.client}: ${reason} (${source.file}, line ${source.line})`;
}

/** Without the folder: paths of the host are not for the model. */
function describePlace({ source: { client, file, line } }: SkippedEntry): string {
  return `${client}: ${fileName(file)}, line ${line}`;
}
