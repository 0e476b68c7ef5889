/** Where in a file each client keeps its servers. What an entry means is judged elsewhere. */
import type { ConfigDocument } from "../formats/config_document.ts";
import { ConfigProblem, quoted } from "../config_problem.ts";
import { fileName, isSamePath, type Os } from "../os_path.ts";

/** An entry as it stands in a file. */
export interface RawEntry {
  name: string;
  /** Keys that lead to it from the top of the file. */
  path: readonly string[];
  value: unknown;
}

/** The entries of a file, and the places where entries should be but something else is. */
export interface RawEntries {
  entries: readonly RawEntry[];
  problems: readonly ConfigProblem[];
}

/** What finding entries depends on, besides the file. */
export interface LayoutContext {
  os: Os;
  /** Folder of the project, whose own entry Claude Code keeps under `projects`. */
  cwd: string;
  file: string;
}

type Path = readonly string[];
type Data = Readonly<Record<string, unknown>>;

const GENERIC: readonly Path[] = [
  ["mcpServers"],
  ["servers"],
  ["mcp", "servers"],
  ["mcp.servers"],
  ["context_servers"],
  ["mcp_servers"],
  ["extensions"],
];

/** Layout → the places that may hold a map of servers, the first to define a name first. */
const LAYOUTS = {
  mcpServers: () => [["mcpServers"]],
  gemini: () => [["mcpServers"]],
  servers: () => [["servers"], ["mcpServers"]],
  vscodeSettings: () => [["mcp", "servers"], ["mcp.servers"]],
  editor: () => [["mcpServers"], ["servers"], ["mcp", "servers"], ["mcp.servers"]],
  zed: () => [["context_servers"]],
  codex: () => [["mcp_servers"]],
  opencode: (data: Data) => [opencodePlace(data), ["mcpServers"]],
  goose: () => [["extensions"]],
  claudeCode: claudePlaces,
  any: (data: Data) => {
    const opencode = opencodePlace(data);
    return opencode.length === 1 ? [...GENERIC, opencode] : GENERIC;
  },
} satisfies Record<string, (data: Data, context: LayoutContext) => readonly Path[]>;

/** Name of a layout; `any` takes whatever it finds. */
export type Layout = keyof typeof LAYOUTS;

/** Kinds of goose extensions that live inside goose. */
const GOOSE_OWN = new Set(["builtin", "platform", "frontend", "inline_python"]);

/**
 * Finds the entries of a file.
 *
 * @throws {ConfigProblem} if the file as a whole holds something else.
 */
export function findEntries(
  document: ConfigDocument,
  layout: Layout,
  context: LayoutContext,
): RawEntries {
  const data = document.value;
  if (data === undefined || data === null) return { entries: [], problems: [] };
  if (!isData(data)) throw new ConfigProblem("Cannot read the file: expected an object at the top");
  const entries: RawEntry[] = [];
  const problems: ConfigProblem[] = [];
  let isKnown = Object.keys(data).length === 0;
  for (const path of LAYOUTS[layout](data, context)) {
    const map = at(data, path);
    if (map === undefined || map === null) continue;
    isKnown = true;
    if (isData(map)) entries.push(...entriesOf(map, path));
    else problems.push(new ConfigProblem(`${cannotUse(path)}: expected an object`, { path }));
  }
  if (layout === "any" && !isKnown) entries.push(singleServer(data, context.file));
  return { entries, problems };
}

function entriesOf(map: Data, path: Path): RawEntry[] {
  return Object.entries(map).flatMap(([name, value]) => {
    const isOwn = path[0] === "extensions" && isData(value) && GOOSE_OWN.has(String(value.type));
    return isOwn ? [] : [{ name, path: [...path, name], value }];
  });
}

/** A file that is one server; its name is in it, or is the file's. */
function singleServer(data: Data, file: string): RawEntry {
  const isServer = ["command", "cmd", "url", "serverUrl", "httpUrl", "uri"].some((key) =>
    key in data
  );
  if (!isServer) {
    throw new ConfigProblem(
      'Cannot find a server in the file: expected "mcpServers", "servers", or one server with ' +
        '"command" or "url"',
    );
  }
  const name = typeof data.name === "string" ? data.name : fileName(file).replace(/\.\w+$/, "");
  return { name, path: [], value: data };
}

/** OpenCode 2 has `mcp.servers`, its forerunner the servers directly in `mcp`. */
function opencodePlace(data: Data): Path {
  const inner = at(data, ["mcp", "servers"]);
  // A server that is merely called "servers" has fields, not servers, in it.
  const isMap = isData(inner) && !("command" in inner || "url" in inner || "enabled" in inner);
  return isMap ? ["mcp", "servers"] : ["mcp"];
}

/** The current project's own servers come first, as in Claude Code itself. */
function claudePlaces(data: Data, { os, cwd }: LayoutContext): Path[] {
  const projects = isData(data.projects) ? Object.keys(data.projects) : [];
  // On Windows one folder can be there in several spellings.
  const own = projects.filter((folder) => isSamePath(os, folder, cwd));
  return [...own.map((folder) => ["projects", folder, "mcpServers"]), ["mcpServers"]];
}

function at(data: Data, path: Path): unknown {
  let value: unknown = data;
  for (const key of path) value = isData(value) ? value[key] : undefined;
  return value;
}

function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cannotUse(path: Path): string {
  return `Cannot use ${quoted(path.join("."))}`;
}
