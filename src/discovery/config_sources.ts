/**
 * Where servers are configured: one row per client and place, in order of precedence. Pure; which of
 * these files exist is found out elsewhere.
 */
import { DENIED, type ReadVariable } from "../config/variable.ts";
import { isAbsolutePath, joinPath, type Os, resolvePath } from "./os_path.ts";
import type { Layout } from "./entry/layouts.ts";

/** One place that may hold servers. */
export interface ConfigSource {
  /** Which program's configuration it is. */
  client: string;
  /** Folder the place is in. */
  base: string;
  /** Names below `base`; one with `*` stands for all that fit. */
  names: readonly string[];
  layout: Layout;
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

type Root = "home" | "config" | "appData" | "localAppData" | "claude" | "codex" | "project";

/** Client, folder, path below it, layout of the file, and the systems that have it if not all do. */
type Row = readonly [client: string, root: Root, path: string, layout: Layout, on?: readonly Os[]];

const UNIX: readonly Os[] = ["linux", "darwin", "freebsd", "netbsd", "aix", "solaris", "illumos"];

/** The store version of Claude Desktop sees its own copy of `%APPDATA%`, and only that. */
const CLAUDE_STORE = "Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json";

const ROWS: readonly Row[] = [
  ["~/MCPs", "home", "MCPs/*.json", "any"],
  ["~/.config/mcp", "home", ".config/mcp/servers/*.json", "any"],
  ["Claude Code", "claude", ".claude.json", "claudeCode"],
  ["Claude Code", "appData", "Claude Code/claude_code_config.json", "mcpServers", ["darwin"]],
  ["Cursor", "home", ".cursor/mcp.json", "mcpServers"],
  ["Claude Desktop", "localAppData", CLAUDE_STORE, "mcpServers", ["windows"]],
  ["Claude Desktop", "appData", "Claude/claude_desktop_config.json", "mcpServers"],
  ["VS Code", "appData", "Code/User/settings.json", "vscodeSettings"],
  ["VS Code", "appData", "Code/User/mcp.json", "servers"],
  ["VS Code Insiders", "appData", "Code - Insiders/User/settings.json", "vscodeSettings"],
  ["VS Code Insiders", "appData", "Code - Insiders/User/mcp.json", "servers"],
  ["Windsurf", "home", ".codeium/windsurf/mcp_config.json", "mcpServers"],
  ["OpenCode", "home", ".opencode.json", "opencode"],
  ["OpenCode", "config", "opencode/opencode.json", "opencode"],
  ["OpenCode", "config", "opencode/opencode.jsonc", "opencode"],
  ["Gemini CLI", "home", ".gemini/settings.json", "gemini"],
  ["Codex", "codex", "config.toml", "codex"],
  ["Zed", "config", "zed/settings.json", "zed", UNIX],
  ["Zed", "appData", "Zed/settings.json", "zed", ["windows"]],
  ["goose", "config", "goose/config.yaml", "goose", UNIX],
  ["goose", "appData", "Block/goose/config/config.yaml", "goose", ["windows"]],
  ["Antigravity", "home", ".antigravity/settings.json", "editor"],
  ["Antigravity", "home", ".antigravity/mcp.json", "editor"],
  // SECURITY: project trust: these rank after all that is the user's own.
  ["project", "project", ".mcp.json", "any"],
  ["project", "project", ".mcp/*.json", "any"],
  ["project", "project", "mcp-servers/*.json", "any"],
  ["VS Code project", "project", ".vscode/mcp.json", "servers"],
  ["Cursor project", "project", ".cursor/mcp.json", "mcpServers"],
];

/** All places on one system, the first to define a name first. */
export function configSources(context: SourceContext): ConfigSource[] {
  const { os, cwd, serversConfig } = context;
  const roots = rootFolders(context);
  const sources: ConfigSource[] = ROWS.flatMap(([client, root, path, layout, on]) => {
    const base = roots[root];
    if (base === undefined || (on !== undefined && !on.includes(os))) return [];
    const origin = root === "project" ? "project" as const : "user" as const;
    return [{ client, base, names: path.split("/"), layout, origin }];
  });
  if (serversConfig === undefined) return sources;
  const base = resolvePath(os, cwd, serversConfig);
  const client = "MCP_SERVERS_CONFIG";
  return [{ client, base, names: [], layout: "any", origin: "named" }, ...sources];
}

/** The home folder, where the system says whose it is. */
export function homeFolder(os: Os, readVariable: ReadVariable): string | undefined {
  const read = folderOf(os, readVariable);
  return os === "windows" ? read("USERPROFILE") ?? read("HOME") : read("HOME");
}

function rootFolders(context: SourceContext): Record<Root, string | undefined> {
  const { os, cwd, readVariable } = context;
  const read = folderOf(os, readVariable);
  const home = homeFolder(os, readVariable);
  const below = (...names: string[]) => home && joinPath(os, home, ...names);
  const config = read("XDG_CONFIG_HOME") ?? below(".config");
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

/**
 * An unreadable or empty variable leaves the place where it is by default, and so does a relative path, as
 * in the XDG specification.
 *
 * SECURITY: project trust: files below the current folder are not the person's own.
 */
function folderOf(os: Os, readVariable: ReadVariable): (name: string) => string | undefined {
  return (name) => {
    const value = readVariable(name);
    return value !== undefined && value !== DENIED && isAbsolutePath(os, value) ? value : undefined;
  };
}
