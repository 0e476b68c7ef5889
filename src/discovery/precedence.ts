/** Which entry of a name counts. Pure. */
import { fileName } from "./os_path.ts";
import type { Discovered, EntrySource, ServerEntry, SkippedEntry } from "./entry/server_entry.ts";

/** An entry by itself, before others of the same name are looked at. */
export type Candidate = { status: "usable"; entry: ServerEntry } | SkippedEntry;

/**
 * Chooses among the candidates, given in order of precedence: the first to define a name wins, also if it
 * is switched off. What cannot be used at all defines nothing.
 */
export function chooseEntries(candidates: Iterable<Candidate>): Discovered {
  const servers: ServerEntry[] = [];
  const skipped: SkippedEntry[] = [];
  const holders = new Map<string, EntrySource>();
  for (const candidate of candidates) {
    const isUsable = candidate.status === "usable";
    const { name, source } = isUsable ? candidate.entry : candidate;
    const holder = name === undefined ? undefined : holders.get(name);
    const { status } = candidate;
    if (name !== undefined && holder !== undefined && status !== "invalid" && status !== "self") {
      skipped.push({ name, status: "shadowed", reason: shadowedBy(holder), source });
      continue;
    }
    if (isUsable) servers.push(candidate.entry);
    else skipped.push(candidate);
    if (name !== undefined && (isUsable || status === "disabled")) holders.set(name, source);
  }
  return { servers, skipped };
}

/** Without the folder: the model may see reasons, and paths of the host are not for it. */
function shadowedBy({ client, file, line }: EntrySource): string {
  return `Already defined by ${client}: ${fileName(file)}, line ${line}`;
}
