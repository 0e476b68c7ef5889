/**
 * Where servers are configured: one row per client and place, in order of precedence. Pure; which of
 * these files exist is found out elsewhere.
 */
import { DENIED, type ReadVariable } from "../config/variable.ts";
import type { Dialect } from "./expand.ts";
import { isAbsolutePath, joinPath, type Os, resolvePath } from "./os_path.ts";
import type { Shape } from "./shapes.ts";

/** One place that may hold servers. */
export interface ConfigSource {
  /** Which program's configuration it is. */
  client: string;
  /** Folder the place is in. */
  base: string;
  /** Names below `base`; one with `*` stands for all that fit. */
  names: readonly string[];
  shape: Shape;
  dialect: Dialect;
  /**
   * `named`: the person named the file, so its absence is an error. `project`: it came with the current
   * folder, perhaps from a stranger.
   */
  origin: "named" | "user" | "project";
}

/** What the places depend on. */
export interface SourceContext {
  os: Os;
  /** Folder of the project. */
  cwd: string;
  readVariable: ReadVariable;
  /** Value of `MCP_SERVERS_CONFIG`. */
  serversConfig?: string;
}

/** Variables the places depend on; the permission set grants them. */
export const SOURCE_VARIABLES = [
  "HOME",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "XDG_CONFIG_HOME",
  "CODEX_HOME",
  "CLAUDE_CONFIG_DIR",
] as const;

type Root = "home" | "config" | "appData" | "localAppData" | "claude" | "codex" | "project";

interface Row {
  client: string;
  root: Root;
  path: string;
  shape: Shape;
  dialect?: Dialect;
  /** Systems that have the place. @default all */
  on?: readonly Os[];
}

const UNIX: readonly Os[] = ["linux", "darwin", "freebsd", "netbsd", "aix", "solaris", "illumos"];

// deno-fmt-ignore: a table
const ROWS: readonly Row[] = [
  { client: "~/MCPs", root: "home", path: "MCPs/*.json", shape: "any" },
  { client: "~/.config/mcp", root: "home", path: ".config/mcp/servers/*.json", shape: "any" },
  { client: "Claude Code", root: "claude", path: ".claude.json", shape: "claudeCode" },
  { client: "Claude Code", root: "appData", path: "Claude Code/claude_code_config.json", shape: "mcpServers", on: ["darwin"] },
  { client: "Cursor", root: "home", path: ".cursor/mcp.json", shape: "mcpServers" },
  // The store version of Claude Desktop sees its own copy of %APPDATA%, and only that.
  { client: "Claude Desktop", root: "localAppData", path: "Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json", shape: "mcpServers", on: ["windows"] },
  { client: "Claude Desktop", root: "appData", path: "Claude/claude_desktop_config.json", shape: "mcpServers" },
  { client: "VS Code", root: "appData", path: "Code/User/settings.json", shape: "vscodeSettings" },
  { client: "VS Code", root: "appData", path: "Code/User/mcp.json", shape: "servers" },
  { client: "VS Code Insiders", root: "appData", path: "Code - Insiders/User/settings.json", shape: "vscodeSettings" },
  { client: "VS Code Insiders", root: "appData", path: "Code - Insiders/User/mcp.json", shape: "servers" },
  { client: "Windsurf", root: "home", path: ".codeium/windsurf/mcp_config.json", shape: "mcpServers" },
  { client: "OpenCode", root: "home", path: ".opencode.json", shape: "opencode", dialect: "opencode" },
  { client: "OpenCode", root: "config", path: "opencode/opencode.json", shape: "opencode", dialect: "opencode" },
  { client: "OpenCode", root: "config", path: "opencode/opencode.jsonc", shape: "opencode", dialect: "opencode" },
  { client: "Gemini CLI", root: "home", path: ".gemini/settings.json", shape: "mcpServers", dialect: "gemini" },
  { client: "Codex", root: "codex", path: "config.toml", shape: "codex" },
  { client: "Zed", root: "config", path: "zed/settings.json", shape: "zed", on: UNIX },
  { client: "Zed", root: "appData", path: "Zed/settings.json", shape: "zed", on: ["windows"] },
  { client: "goose", root: "config", path: "goose/config.yaml", shape: "goose", on: UNIX },
  { client: "goose", root: "appData", path: "Block/goose/config/config.yaml", shape: "goose", on: ["windows"] },
  { client: "Antigravity", root: "home", path: ".antigravity/settings.json", shape: "editor" },
  { client: "Antigravity", root: "home", path: ".antigravity/mcp.json", shape: "editor" },
  // SECURITY: project trust: these rank after all that is the user's own.
  { client: "project", root: "project", path: ".mcp.json", shape: "any" },
  { client: "project", root: "project", path: ".mcp/*.json", shape: "any" },
  { client: "project", root: "project", path: "mcp-servers/*.json", shape: "any" },
  { client: "VS Code project", root: "project", path: ".vscode/mcp.json", shape: "servers" },
  { client: "Cursor project", root: "project", path: ".cursor/mcp.json", shape: "mcpServers" },
];

/** All places on one system, the first to define a name first. */
export function configSources(context: SourceContext): ConfigSource[] {
  const { os, cwd, serversConfig } = context;
  const roots = rootFolders(context);
  const sources: ConfigSource[] = ROWS.flatMap((row) => {
    const base = roots[row.root];
    if (base === undefined || (row.on !== undefined && !row.on.includes(os))) return [];
    const { client, shape, dialect = "plain" } = row;
    const origin = row.root === "project" ? "project" as const : "user" as const;
    return [{ client, base, names: row.path.split("/"), shape, dialect, origin }];
  });
  if (serversConfig === undefined) return sources;
  const base = resolvePath(os, cwd, serversConfig);
  const client = "MCP_SERVERS_CONFIG";
  return [
    { client, base, names: [], shape: "any", dialect: "plain", origin: "named" },
    ...sources,
  ];
}

/** The home folder, where the system says whose it is. */
export function homeFolder(os: Os, readVariable: ReadVariable): string | undefined {
  const read = valueOf(readVariable);
  return os === "windows" ? read("USERPROFILE") ?? read("HOME") : read("HOME");
}

function rootFolders(context: SourceContext): Record<Root, string | undefined> {
  const { os, cwd, readVariable } = context;
  const read = valueOf(readVariable);
  const home = homeFolder(os, readVariable);
  const below = (...names: string[]) => home && joinPath(os, home, ...names);
  const xdg = read("XDG_CONFIG_HOME");
  // The XDG specification has relative paths ignored.
  const config = xdg && isAbsolutePath(os, xdg) ? xdg : below(".config");
  return {
    home,
    config,
    appData: os === "windows"
      ? read("APPDATA") ?? below("AppData", "Roaming")
      : os === "darwin"
      ? below("Library", "Application Support")
      : config,
    localAppData: read("LOCALAPPDATA") ?? below("AppData", "Local"),
    claude: read("CLAUDE_CONFIG_DIR") ?? home,
    codex: read("CODEX_HOME") ?? below(".codex"),
    project: cwd,
  };
}

/** An unreadable or empty variable leaves the place where it is by default. */
function valueOf(readVariable: ReadVariable): (name: string) => string | undefined {
  return (name) => {
    const value = readVariable(name);
    return value === DENIED || value === "" ? undefined : value;
  };
}
