/**
 * Real clients that put a model between a person and our server, each pointed at a stand-in for its model.
 * They are big, so tests use those that are on PATH.
 */
import type { BridgeCommand, BridgeHome } from "./bridge_home.ts";

/** How a client is started. */
interface ModelClientCall {
  args: string[];
  env?: Record<string, string>;
  /** Files below its home, by name. */
  files?: Record<string, string>;
}

/** A client. */
export interface ModelClient {
  /** Its command. */
  command: string;
  /** Name of the tool, where it is not offered to the model at once. */
  hiddenName?: string;
  /** Whether it gives its model `structuredContent`. */
  showsStructured: boolean;
  /** Whether its model gets to see images of a tool. */
  showsImages: boolean;
  /** A start that uses the server and the model behind `url`. */
  call(home: string, server: BridgeCommand, url: string): ModelClientCall;
}

const PROMPT = "Call run_python";

const mcpServers = ({ command, args, env }: BridgeCommand) => ({
  mcpServers: { bridge: { command, args, env } },
});

/** The clients. */
export const MODEL_CLIENTS: readonly ModelClient[] = [
  {
    command: "claude",
    showsStructured: true,
    showsImages: true,
    call: (home, server, url) => ({
      args: [
        ...["-p", PROMPT, "--model", "claude-sonnet-4-5", "--strict-mcp-config"],
        ...["--mcp-config", `${home}/mcp.json`, "--allowedTools", "mcp__bridge__run_python"],
      ],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
      files: { "mcp.json": JSON.stringify(mcpServers(server)) },
    }),
  },
  {
    command: "codex",
    showsStructured: true,
    showsImages: true,
    call: (home, { command, args, env }, url) => ({
      args: [
        ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
        PROMPT,
      ],
      env: { CODEX_HOME: `${home}/.codex`, KEY: "none" },
      files: {
        ".codex/config.toml": [
          'model = "stand-in"',
          'model_provider = "local"',
          "[model_providers.local]",
          'name = "local"',
          `base_url = "${url}/v1"`,
          'wire_api = "responses"',
          'env_key = "KEY"',
          "[mcp_servers.bridge]",
          `command = ${JSON.stringify(command)}`,
          `args = ${JSON.stringify(args)}`,
          "startup_timeout_sec = 60",
          "[mcp_servers.bridge.env]",
          ...Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
        ].join("\n"),
      },
    }),
  },
  {
    command: "copilot",
    showsStructured: true,
    showsImages: false,
    call: (_home, server, url) => ({
      args: ["-p", PROMPT, "--allow-all-tools"],
      env: {
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_TYPE: "openai",
        COPILOT_PROVIDER_API_KEY: "none",
        COPILOT_MODEL: "stand-in",
        COPILOT_OFFLINE: "true",
      },
      files: {
        ".copilot/mcp-config.json": JSON.stringify({
          mcpServers: { bridge: { ...mcpServers(server).mcpServers.bridge, tools: ["*"] } },
        }),
      },
    }),
  },
  {
    command: "gemini",
    showsStructured: false,
    showsImages: true,
    call: (_home, server, url) => ({
      args: ["-p", PROMPT, "--yolo", "--skip-trust", "-m", "gemini-2.5-pro"],
      env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url },
      files: {
        ".gemini/settings.json": JSON.stringify({
          ...mcpServers(server),
          security: { auth: { selectedType: "gemini-api-key" } },
          privacy: { usageStatisticsEnabled: false },
        }),
      },
    }),
  },
  {
    command: "opencode",
    showsStructured: false,
    showsImages: false,
    call: (_home, { command, args, env }, url) => ({
      args: ["run", "--model", "local/stand-in", PROMPT],
      files: {
        ".config/opencode/opencode.json": JSON.stringify({
          provider: {
            local: {
              npm: "@ai-sdk/openai-compatible",
              options: { baseURL: `${url}/v1`, apiKey: "none" },
              models: { "stand-in": {} },
            },
          },
          mcp: {
            bridge: { type: "local", command: [command, ...args], environment: env, enabled: true },
          },
          autoupdate: false,
          share: "disabled",
        }),
      },
    }),
  },
  {
    command: "qwen",
    hiddenName: "mcp__bridge__run_python",
    showsStructured: false,
    showsImages: false,
    call: (_home, server, url) => ({
      args: ["-p", PROMPT, "--yolo"],
      env: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "stand-in" },
      files: {
        ".qwen/settings.json": JSON.stringify({
          ...mcpServers(server),
          security: { auth: { selectedType: "openai" } },
          privacy: { usageStatisticsEnabled: false },
        }),
      },
    }),
  },
];

/** Longest time of a client. */
const PATIENCE_MS = 120_000;

/** Whether a client can be run here. */
export async function isOnPath(command: string): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args: ["--version"], stdin: "null" }).output())
      .success;
  } catch {
    return false;
  }
}

/** Has a client ask its model once; what it printed is for the message of a test that fails. */
export async function runModelClient(
  client: ModelClient,
  home: BridgeHome,
  server: BridgeCommand,
  url: string,
): Promise<string> {
  const folder = `${home.folder}/client`;
  const { args, env, files = {} } = client.call(folder, server, url);
  for (const [name, text] of Object.entries(files)) {
    const path = `${folder}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
  const { PATH = "" } = server.env;
  const { stdout, stderr } = await new Deno.Command(client.command, {
    args,
    cwd: home.cwd,
    clearEnv: true,
    env: { PATH, HOME: folder, NO_COLOR: "1", ...env },
    stdin: "null",
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return text(stdout) + text(stderr);
}
