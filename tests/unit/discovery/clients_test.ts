/** Files as the clients write them, each at its place. */
import { assertEquals } from "@std/assert";
import { discoverIn, fixture, HOME, names, PROJECT, skips } from "./support.ts";

const ENV = { LINEAR_TOKEN: "t0p", HEADLESS: "1", LOG_LEVEL: "debug" };

async function found(path: string, name: string) {
  const discovered = await discoverIn({ [path]: fixture(name) }, {
    env: ENV,
    settings: { trustProject: true },
  });
  return {
    servers: discovered.servers.map(({ name, transport, timeoutSeconds, source }) => ({
      at: `${name}:${source.line}`,
      ...transport,
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    })) as unknown[],
    skipped: skips(discovered),
  };
}

const weather = (at: string) => ({
  at,
  kind: "stdio",
  command: "npx",
  args: ["-y", "weather-mcp", "--units", "metric"],
  env: { API_KEY: "abc" },
});

const LINEAR = "https://mcp.example.com/mcp";
const OLD = "https://sse.example.com/sse";

Deno.test("Claude Code: ~/.claude.json", async () => {
  assertEquals(await found(`${HOME}/.claude.json`, "claude-code.claude.json"), {
    servers: [
      { at: "notes:33", kind: "stdio", command: "uvx", args: ["notes-mcp"], env: {} },
      weather("weather:3"),
      { at: "linear:16", kind: "http", url: LINEAR, headers: { authorization: "Bearer t0p" } },
      { at: "old:23", kind: "sse", url: OLD, headers: {} },
    ],
    skipped: [],
  });
});

Deno.test("Claude Code: a variable that is not set costs one server", async () => {
  const text = fixture("claude-code.claude.json");
  const discovered = await discoverIn({ [`${HOME}/.claude.json`]: text });
  assertEquals(names(discovered), ["notes", "weather", "old"]);
  assertEquals(skips(discovered), [
    'linear invalid 20: Cannot use "headers.Authorization": the variable "LINEAR_TOKEN" is not set',
  ]);
});

Deno.test("Claude Code: ./.mcp.json", async () => {
  assertEquals(await found(`${PROJECT}/.mcp.json`, "claude-code.project.mcp.json"), {
    servers: [{ at: "team:3", kind: "stdio", command: "node", args: ["./tools/team.js"], env: {} }],
    skipped: [],
  });
});

Deno.test("Codex: ~/.codex/config.toml", async () => {
  const path = `${HOME}/.codex/config.toml`;
  assertEquals(await found(path, "codex.config.toml"), {
    servers: [
      weather("weather:1"),
      { at: "linear:8", kind: "auto", url: LINEAR, headers: { authorization: "Bearer t0p" } },
    ],
    skipped: [],
  });
  assertEquals(await found(path, "codex.more.toml"), {
    servers: [
      {
        at: "team.docs:7",
        kind: "auto",
        url: "https://docs.example.com/mcp",
        headers: { "x-client": "codex", "x-token": "t0p" },
        timeoutSeconds: 90,
      },
      {
        at: "local:13",
        kind: "stdio",
        command: "node",
        args: ["server.js"],
        env: { HEADLESS: "1" },
        cwd: "/srv/local",
      },
    ],
    skipped: ["sleeping disabled 22: Switched off in the file"],
  });
});

Deno.test("Gemini CLI: ~/.gemini/settings.json", async () => {
  assertEquals(await found(`${HOME}/.gemini/settings.json`, "gemini.settings.json"), {
    servers: [
      weather("weather:3"),
      { at: "linear:15", kind: "http", url: LINEAR, headers: { authorization: "Bearer abc" } },
      { at: "old:22", kind: "sse", url: OLD, headers: {} },
    ],
    skipped: [],
  });
});

Deno.test("Cursor: ~/.cursor/mcp.json", async () => {
  assertEquals(await found(`${HOME}/.cursor/mcp.json`, "cursor.mcp.json"), {
    servers: [
      {
        at: "browser:3",
        kind: "stdio",
        command: "npx",
        args: ["-y", "browser-mcp@latest"],
        env: { HEADLESS: "1" },
      },
      {
        at: "board:8",
        kind: "auto",
        url: "https://board.example.com/sse",
        headers: { "x-team": "shop" },
      },
    ],
    skipped: [],
  });
});

Deno.test("Windsurf: ~/.codeium/windsurf/mcp_config.json", async () => {
  const path = `${HOME}/.codeium/windsurf/mcp_config.json`;
  assertEquals(await found(path, "windsurf.mcp_config.json"), {
    servers: [
      { at: "remote:3", kind: "auto", url: LINEAR, headers: { authorization: "Bearer t0p" } },
    ],
    skipped: ["git disabled 7: Switched off in the file"],
  });
});

Deno.test("VS Code: mcp.json with inputs, and settings.json", async () => {
  const folder = `${HOME}/.config/Code/User`;
  assertEquals(await found(`${folder}/mcp.json`, "vscode.mcp.json"), {
    servers: [{
      at: "files:12",
      kind: "stdio",
      command: "npx",
      args: ["-y", "files-mcp", PROJECT, `${HOME}/notes`],
      env: {},
    }],
    skipped: [
      'github invalid 10: Cannot use "headers.Authorization": only the client it was written for ' +
      'can resolve "input:…"',
    ],
  });
  assertEquals(await found(`${folder}/settings.json`, "vscode.settings.json"), {
    servers: [{
      at: "clock:6",
      kind: "stdio",
      command: "uvx",
      args: ["mcp-server-time", "--local-timezone=Europe/Rome"],
      env: {},
    }],
    skipped: [],
  });
});

Deno.test("Zed: settings.json", async () => {
  assertEquals(await found(`${HOME}/.config/zed/settings.json`, "zed.settings.json"), {
    servers: [
      { at: "notes:5", kind: "stdio", command: "uvx", args: ["notes-mcp"], env: {} },
      { at: "older:6", kind: "stdio", command: "node", args: ["older.js"], env: { A: "1" } },
      { at: "docs:7", kind: "auto", url: "https://docs.example.com/mcp", headers: {} },
    ],
    skipped: [
      "postgres invalid 8: Cannot use the entry: only Zed can start the server of an extension",
    ],
  });
});

Deno.test("OpenCode: both forms of its file", async () => {
  const folder = `${HOME}/.config/opencode`;
  assertEquals(await found(`${folder}/opencode.json`, "opencode.json"), {
    servers: [
      {
        at: "everything:4",
        kind: "stdio",
        command: "npx",
        args: ["-y", "everything-mcp"],
        env: { LOG_LEVEL: "debug" },
        timeoutSeconds: 20,
      },
      {
        at: "context:11",
        kind: "auto",
        url: "https://context.example.com/mcp",
        headers: { key: "t0p" },
      },
    ],
    skipped: ["off disabled 16: Switched off in the file"],
  });
  assertEquals(await found(`${folder}/opencode.jsonc`, "opencode2.jsonc"), {
    servers: [{
      at: "second:4",
      kind: "stdio",
      command: "bun",
      args: ["x", "second-mcp"],
      env: {},
      cwd: `${PROJECT}/.`,
      timeoutSeconds: 45,
    }],
    skipped: ["third disabled 5: Switched off in the file"],
  });
});

Deno.test("goose: config.yaml without what is built into goose", async () => {
  assertEquals(await found(`${HOME}/.config/goose/config.yaml`, "goose.config.yaml"), {
    servers: [
      {
        at: "tutor:10",
        kind: "stdio",
        command: "uvx",
        args: ["tutor-mcp", "--port", "8080"],
        env: { LEVEL: "3" },
        timeoutSeconds: 1200,
      },
      {
        at: "far:26",
        kind: "http",
        url: "https://far.example.com/mcp",
        headers: {},
        timeoutSeconds: 300,
      },
    ],
    skipped: ["quiet disabled 33: Switched off in the file"],
  });
});

Deno.test("~/MCPs: a server in a file of its own", async () => {
  const discovered = await discoverIn({ [`${HOME}/MCPs/clock.json`]: fixture("single.json") });
  assertEquals(discovered.servers, [{
    name: "clock",
    description: "The only one",
    transport: { kind: "stdio", command: "uvx", args: ["single-mcp"], env: {} },
    source: { client: "~/MCPs", file: `${HOME}/MCPs/clock.json`, line: 1 },
  }]);
});
