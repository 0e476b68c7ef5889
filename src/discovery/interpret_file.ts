/** From the bytes of one file to its candidates: one bad entry costs that entry, one bad file that file. */
import { parseConfig } from "./formats/config_document.ts";
import type { ConfigFiles } from "./config_files.ts";
import { printable } from "../shared/printable.ts";
import { ConfigProblem } from "./config_problem.ts";
import type { ConfigSource } from "./config_sources.ts";
import type { Dialect, ExpandContext } from "./entry/expand.ts";
import type { Candidate } from "./precedence.ts";
import { isNamedLikeUs, runsUs } from "./self_server.ts";
import type { EntrySource } from "./entry/server_entry.ts";
import { checkFields, isDisabled, timeoutSeconds } from "./entry/server_fields.ts";
import { toTransport } from "./entry/server_transport.ts";
import { findEntries, type Layout, type RawEntry } from "./entry/layouts.ts";

/** What interpreting depends on, besides the file. */
export interface InterpretContext extends Omit<ExpandContext, "dialect"> {
  files: ConfigFiles;
  allowSelf: boolean;
  ownFiles: readonly string[];
}

/** A file that was read. */
export interface FoundFile {
  source: ConfigSource;
  path: string;
  bytes: Uint8Array;
  /** Whether its servers may be started. */
  isTrusted: boolean;
}

const DIALECTS: ReadonlyMap<Layout, Dialect> = new Map([
  ["opencode", "opencode"],
  ["gemini", "gemini"],
]);

const MAX_NAME_CHARS = 200;

/** Most entries of one file; each that is not used is a line of the log. */
const MAX_ENTRIES = 1000;

const UNTRUSTED =
  "It stands in a project file that nobody has allowed; MCP_BRIDGE_TRUST_PROJECT=1 allows it";

/** All entries of a file, each judged by itself. Never throws. */
export async function interpretFile(
  file: FoundFile,
  context: InterpretContext,
): Promise<Candidate[]> {
  const { source: { client, layout }, path } = file;
  const sourceAt = (line: number): EntrySource => ({ client, file: path, line });
  try {
    const document = parseConfig(path, file.bytes);
    const found = findEntries(document, layout, { os: context.os, cwd: context.cwd, file: path });
    const sourceOf = (keys: readonly string[]) => sourceAt(document.lineOf(keys));
    const candidates: Candidate[] = found.problems.map((problem) => ({
      status: "invalid",
      reason: problem.message,
      source: sourceOf(problem.path),
    }));
    const about = (document.value as { description?: unknown } | undefined)?.description;
    const description = typeof about === "string" ? about : "";
    const more = found.entries.length - MAX_ENTRIES;
    if (more > 0) {
      const reason = `Cannot use ${more} of its servers: the most is ${MAX_ENTRIES}`;
      candidates.push({ status: "invalid", reason, source: sourceAt(1) });
    }
    for (const raw of found.entries.slice(0, MAX_ENTRIES)) {
      candidates.push(await interpretEntry(raw, { file, context, description, sourceOf }));
    }
    return candidates;
  } catch (error) {
    const { message, line } = toProblem(error);
    return [{ status: "invalid", reason: message, source: sourceAt(line ?? 1) }];
  }
}

interface EntryContext {
  file: FoundFile;
  context: InterpretContext;
  /** The file's own, for an entry without one. */
  description: string;
  sourceOf(keys: readonly string[]): EntrySource;
}

async function interpretEntry(raw: RawEntry, entry: EntryContext): Promise<Candidate> {
  const { file, context, sourceOf } = entry;
  const { name, value } = raw;
  const source = sourceOf(raw.path);
  const skipped = (status: "disabled" | "self" | "untrusted", reason: string): Candidate => (
    { name, status, reason, source }
  );
  try {
    checkName(name);
    if (isDisabled(value)) return skipped("disabled", "Switched off in the file");
    const fields = checkFields(value);
    if (!context.allowSelf && isNamedLikeUs([name, ...commandTexts(value)])) {
      return skipped("self", "This is mcp-bridge itself");
    }
    // SECURITY: project trust: nothing a stranger wrote is expanded or looked up on the disk, where a
    // network path alone can give away who asks.
    if (!file.isTrusted) {
      return skipped("untrusted", UNTRUSTED);
    }
    const { layout } = file.source;
    const dialect = DIALECTS.get(layout) ?? "plain";
    const transport = toTransport(fields, { ...context, dialect });
    if (!context.allowSelf && await runsUs(transport, context)) {
      return skipped("self", "This is mcp-bridge itself");
    }
    const timeout = timeoutSeconds(fields, layout === "goose");
    return {
      status: "usable",
      entry: {
        name,
        description: fields.description || entry.description,
        transport,
        ...(timeout !== undefined && { timeoutSeconds: timeout }),
        source,
      },
    };
  } catch (error) {
    const { message, path } = toProblem(error);
    const shown = printable(name.slice(0, MAX_NAME_CHARS));
    const at = sourceOf([...raw.path, ...path]);
    return { name: shown, status: "invalid", reason: message, source: at };
  }
}

function checkName(name: string): void {
  if (name.trim() !== "" && name.length <= MAX_NAME_CHARS && printable(name) === name) return;
  throw new ConfigProblem(
    `Cannot use the name: expected 1 to ${MAX_NAME_CHARS} printable characters`,
  );
}

/** Texts of an entry's command line, as they stand. */
function commandTexts(value: unknown): string[] {
  const { command, cmd, args } = value as Record<string, unknown>;
  // Zed once had program and arguments inside `command`.
  const inner = (command ?? {}) as Record<string, unknown>;
  return [command, cmd, args, inner.path, inner.args].flat()
    .filter((text) => typeof text === "string");
}

function toProblem(error: unknown): ConfigProblem {
  return error instanceof ConfigProblem
    ? error
    : new ConfigProblem("Cannot use it: unexpected error");
}
