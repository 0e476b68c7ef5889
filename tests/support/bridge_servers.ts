/** A bridge with servers behind it, for tests of the whole program: entries of a configuration, and a client. */
import type { BridgeHome, BridgeOptions } from "./bridge_home.ts";
import { type RunAnswer, StdioClient } from "./stdio_client.ts";

/** An entry of `mcpServers`. */
export interface ServerConfig {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  type?: "http" | "sse";
  url?: string;
  /** Seconds for a call. */
  timeout?: number;
}

/** The version of the protocol's reference servers that all tests use. */
export const REFERENCE_VERSION = "2026.8.31";

/** A server of `tests/fixtures/servers`. */
export function fixture(file: string): ServerConfig {
  const path = new URL(`../fixtures/servers/${file}.ts`, import.meta.url).pathname;
  return deno("-A", "--no-config", "--no-lock", path);
}

/** A server of `examples`. */
export function example(name: string): ServerConfig {
  return deno("--no-prompt", import.meta.resolve(`../../examples/${name}.ts`));
}

/** A reference server of the protocol, from npm. */
export function reference(name: string, ...args: string[]): ServerConfig {
  const specifier = `npm:@modelcontextprotocol/${name}@${REFERENCE_VERSION}`;
  return deno("-A", "--no-config", "--no-lock", specifier, ...args);
}

function deno(...args: string[]): ServerConfig {
  return { command: Deno.execPath(), args: ["run", "--quiet", ...args] };
}

/** A client of a bridge that knows these servers and no other. */
export async function connectWithServers(
  home: BridgeHome,
  servers: Record<string, ServerConfig>,
  { env = {}, ...options }: BridgeOptions = {},
): Promise<StdioClient> {
  const file = await writeServers(home, servers);
  const limits = { MCP_BRIDGE_SERVER_START_TIMEOUT: "80" };
  return await StdioClient.connect(home, {
    ...options,
    env: { MCP_SERVERS_CONFIG: file, ...limits, ...env },
  });
}

/** Makes these the servers of a bridge, of one that runs as well; gives the file that says so. */
export async function writeServers(
  home: BridgeHome,
  servers: Record<string, ServerConfig>,
): Promise<string> {
  const file = `${home.folder}/servers.json`;
  await Deno.writeTextFile(file, JSON.stringify({ mcpServers: servers }));
  return file;
}

/** The answer of a run that was given `servers`. */
export async function runWith(
  client: StdioClient,
  servers: readonly string[],
  code: string,
  timeout = 60,
): Promise<RunAnswer> {
  const params = { name: "run_python", arguments: { code, servers, timeout } };
  const { result, error } = await client.request("tools/call", params).reply;
  if (result === undefined) throw new Error(`No result: ${error?.message}`);
  return result as unknown as RunAnswer;
}

/** What a model reads of such an answer. */
export async function textWith(
  client: StdioClient,
  servers: readonly string[],
  code: string,
  timeout?: number,
): Promise<string> {
  return (await runWith(client, servers, code, timeout)).content[0]?.text ?? "";
}
