import { assertEquals } from "@std/assert";
import { type ConfigSource, configSources } from "../../../src/discovery/config_sources.ts";
import { DENIED } from "../../../src/config/variable.ts";
import { joinPath, type Os } from "../../../src/discovery/os_path.ts";
import { variables } from "./support.ts";

function places(os: Os, cwd: string, env: Record<string, string>): string[] {
  const sources = configSources({ os, cwd, readVariable: variables(env) });
  return sources.map((source) => describe(os, source));
}

function describe(os: Os, { client, base, names, origin }: ConfigSource): string {
  const path = names.length === 0 ? base : joinPath(os, base, ...names);
  return `${client}: ${path}${origin === "user" ? "" : ` (${origin})`}`;
}

Deno.test("configSources() has every place on Linux, the project's last", () => {
  assertEquals(places("linux", "/w", { HOME: "/home/a" }), [
    "~/MCPs: /home/a/MCPs/*.json",
    "~/.config/mcp: /home/a/.config/mcp/servers/*.json",
    "Claude Code: /home/a/.claude.json",
    "Cursor: /home/a/.cursor/mcp.json",
    "Claude Desktop: /home/a/.config/Claude/claude_desktop_config.json",
    "VS Code: /home/a/.config/Code/User/settings.json",
    "VS Code: /home/a/.config/Code/User/mcp.json",
    "VS Code Insiders: /home/a/.config/Code - Insiders/User/settings.json",
    "VS Code Insiders: /home/a/.config/Code - Insiders/User/mcp.json",
    "Windsurf: /home/a/.codeium/windsurf/mcp_config.json",
    "OpenCode: /home/a/.opencode.json",
    "OpenCode: /home/a/.config/opencode/opencode.json",
    "OpenCode: /home/a/.config/opencode/opencode.jsonc",
    "Gemini CLI: /home/a/.gemini/settings.json",
    "Codex: /home/a/.codex/config.toml",
    "Zed: /home/a/.config/zed/settings.json",
    "goose: /home/a/.config/goose/config.yaml",
    "Antigravity: /home/a/.antigravity/settings.json",
    "Antigravity: /home/a/.antigravity/mcp.json",
    "project: /w/.mcp.json (project)",
    "project: /w/.mcp/*.json (project)",
    "project: /w/mcp-servers/*.json (project)",
    "VS Code project: /w/.vscode/mcp.json (project)",
    "Cursor project: /w/.cursor/mcp.json (project)",
  ]);
});

Deno.test("configSources() has every place on macOS", () => {
  const library = "/Users/a/Library/Application Support";
  assertEquals(places("darwin", "/w", { HOME: "/Users/a" }), [
    "~/MCPs: /Users/a/MCPs/*.json",
    "~/.config/mcp: /Users/a/.config/mcp/servers/*.json",
    "Claude Code: /Users/a/.claude.json",
    `Claude Code: ${library}/Claude Code/claude_code_config.json`,
    "Cursor: /Users/a/.cursor/mcp.json",
    `Claude Desktop: ${library}/Claude/claude_desktop_config.json`,
    `VS Code: ${library}/Code/User/settings.json`,
    `VS Code: ${library}/Code/User/mcp.json`,
    `VS Code Insiders: ${library}/Code - Insiders/User/settings.json`,
    `VS Code Insiders: ${library}/Code - Insiders/User/mcp.json`,
    "Windsurf: /Users/a/.codeium/windsurf/mcp_config.json",
    "OpenCode: /Users/a/.opencode.json",
    "OpenCode: /Users/a/.config/opencode/opencode.json",
    "OpenCode: /Users/a/.config/opencode/opencode.jsonc",
    "Gemini CLI: /Users/a/.gemini/settings.json",
    "Codex: /Users/a/.codex/config.toml",
    "Zed: /Users/a/.config/zed/settings.json",
    "goose: /Users/a/.config/goose/config.yaml",
    "Antigravity: /Users/a/.antigravity/settings.json",
    "Antigravity: /Users/a/.antigravity/mcp.json",
    "project: /w/.mcp.json (project)",
    "project: /w/.mcp/*.json (project)",
    "project: /w/mcp-servers/*.json (project)",
    "VS Code project: /w/.vscode/mcp.json (project)",
    "Cursor project: /w/.cursor/mcp.json (project)",
  ]);
});

Deno.test("configSources() has every place on Windows", () => {
  const home = "C:\\Users\\a";
  const roaming = `${home}\\AppData\\Roaming`;
  assertEquals(places("windows", "D:\\w", { USERPROFILE: home }), [
    `~/MCPs: ${home}\\MCPs\\*.json`,
    `~/.config/mcp: ${home}\\.config\\mcp\\servers\\*.json`,
    `Claude Code: ${home}\\.claude.json`,
    `Cursor: ${home}\\.cursor\\mcp.json`,
    `Claude Desktop: ${home}\\AppData\\Local\\Packages\\Claude_*\\LocalCache\\Roaming\\Claude` +
    "\\claude_desktop_config.json",
    `Claude Desktop: ${roaming}\\Claude\\claude_desktop_config.json`,
    `VS Code: ${roaming}\\Code\\User\\settings.json`,
    `VS Code: ${roaming}\\Code\\User\\mcp.json`,
    `VS Code Insiders: ${roaming}\\Code - Insiders\\User\\settings.json`,
    `VS Code Insiders: ${roaming}\\Code - Insiders\\User\\mcp.json`,
    `Windsurf: ${home}\\.codeium\\windsurf\\mcp_config.json`,
    `OpenCode: ${home}\\.opencode.json`,
    `OpenCode: ${home}\\.config\\opencode\\opencode.json`,
    `OpenCode: ${home}\\.config\\opencode\\opencode.jsonc`,
    `Gemini CLI: ${home}\\.gemini\\settings.json`,
    `Codex: ${home}\\.codex\\config.toml`,
    `Zed: ${roaming}\\Zed\\settings.json`,
    `goose: ${roaming}\\Block\\goose\\config\\config.yaml`,
    `Antigravity: ${home}\\.antigravity\\settings.json`,
    `Antigravity: ${home}\\.antigravity\\mcp.json`,
    "project: D:\\w\\.mcp.json (project)",
    "project: D:\\w\\.mcp\\*.json (project)",
    "project: D:\\w\\mcp-servers\\*.json (project)",
    "VS Code project: D:\\w\\.vscode\\mcp.json (project)",
    "Cursor project: D:\\w\\.cursor\\mcp.json (project)",
  ]);
});

const MOVED: [os: Os, env: Record<string, string>, client: string, path: string][] = [
  ["linux", { XDG_CONFIG_HOME: "/x" }, "Zed", "/x/zed/settings.json"],
  ["linux", { XDG_CONFIG_HOME: "/x" }, "VS Code", "/x/Code/User/settings.json"],
  ["linux", { XDG_CONFIG_HOME: "relative" }, "Zed", "/home/a/.config/zed/settings.json"],
  ["linux", { CODEX_HOME: "/c" }, "Codex", "/c/config.toml"],
  ["linux", { CODEX_HOME: "" }, "Codex", "/home/a/.codex/config.toml"],
  ["linux", { CLAUDE_CONFIG_DIR: "/cc" }, "Claude Code", "/cc/.claude.json"],
  ["windows", { APPDATA: "E:\\R" }, "Zed", "E:\\R\\Zed\\settings.json"],
];

for (const [os, env, client, path] of MOVED) {
  Deno.test(`configSources() finds ${client} on ${os} with ${JSON.stringify(env)}`, () => {
    const home = { HOME: "/home/a", USERPROFILE: "C:\\a" };
    assertEquals(places(os, "/w", { ...home, ...env }).includes(`${client}: ${path}`), true);
  });
}

Deno.test("configSources() has the project alone when no home is known or may be known", () => {
  for (const variable of [undefined, DENIED] as const) {
    const sources = configSources({ os: "linux", cwd: "/w", readVariable: () => variable });
    assertEquals(new Set(sources.map((source) => source.origin)), new Set(["project"]));
  }
});

Deno.test("configSources() takes a relative folder for none: the project's files are not the person's", () => {
  const relative = variables({
    HOME: ".",
    USERPROFILE: ".",
    APPDATA: "a",
    LOCALAPPDATA: "l",
    XDG_CONFIG_HOME: "x",
    CLAUDE_CONFIG_DIR: "c",
    CODEX_HOME: "d",
  });
  for (const os of ["linux", "darwin", "windows"] as const) {
    const sources = configSources({ os, cwd: "/w", readVariable: relative });
    assertEquals(new Set(sources.map((source) => source.origin)), new Set(["project"]), os);
  }
});

Deno.test("configSources() puts the named file first, below the current folder if relative", () => {
  const first = (os: Os, cwd: string, serversConfig: string) => {
    const [source] = configSources({ os, cwd, serversConfig, readVariable: () => undefined });
    return describe(os, source!);
  };
  assertEquals(first("linux", "/w", "./s.toml"), "MCP_SERVERS_CONFIG: /w/s.toml (named)");
  assertEquals(first("linux", "/w", "/s.json"), "MCP_SERVERS_CONFIG: /s.json (named)");
  assertEquals(first("windows", "D:\\w", "s.json"), "MCP_SERVERS_CONFIG: D:\\w\\s.json (named)");
  assertEquals(first("windows", "D:\\w", "C:/s.json"), "MCP_SERVERS_CONFIG: C:/s.json (named)");
});
