/**
 * Clients that a server can ask, one of each era, over the real program: they declare what a test wants
 * and answer by its function.
 */
import {
  Client as ModernClient,
  type ClientCapabilities,
  type ClientOptions,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { BridgeHome } from "./bridge_home.ts";
import type { CallOptions, ClientAnswer } from "./client_targets.ts";

/** A question as the client gets it. */
export interface Heard {
  method: string;
  params?: Record<string, unknown> | undefined;
}

/** How a client answers. */
export type Answering = (heard: Heard, signal: AbortSignal) => unknown;

/** A client over the program with servers of `tests/fixtures/servers`. */
export interface AskedClient extends AsyncDisposable {
  heard: Heard[];
  run(args: Record<string, unknown>, options?: CallOptions): Promise<ClientAnswer>;
}

/** Options of {@link connectAsked}. */
export interface AskedOptions {
  capabilities: ClientCapabilities;
  answer: Answering;
  env?: Record<string, string>;
  /** More entries of the configuration. */
  servers?: Record<string, { command: string; args: string[] }>;
}

/** Everything a client can declare. */
export const EVERYTHING: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
};

const IDENTITY = { name: "asked", version: "0" };

/** The client of an era, connected. */
export async function connectAsked(
  era: "legacy" | "modern",
  options: AskedOptions,
): Promise<AskedClient> {
  const home = new BridgeHome();
  const command = home.command({ env: await environment(home, options) });
  const heard: Heard[] = [];
  const answer = async (question: Heard, signal: AbortSignal) => {
    heard.push({ method: question.method, params: question.params });
    // deno-lint-ignore no-explicit-any
    return await options.answer(question, signal) as any;
  };
  const { capabilities } = options;
  const connected = era === "legacy"
    ? await connectLegacy(command, capabilities, answer)
    : await connectModern(command, capabilities, answer);
  return {
    heard,
    run: connected.run,
    async [Symbol.asyncDispose]() {
      await connected.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Variables for a program that knows the servers `old` and `new`, which ask. */
export async function environment(
  home: BridgeHome,
  { env = {}, servers = {} }: Pick<AskedOptions, "env" | "servers">,
): Promise<Record<string, string>> {
  const fixture = (file: string) => {
    const path = new URL(`../fixtures/servers/${file}.ts`, import.meta.url).pathname;
    return { command: Deno.execPath(), args: ["run", "-A", "--quiet", "--no-lock", path] };
  };
  const mcpServers = { old: fixture("asks_legacy"), new: fixture("asks_modern"), ...servers };
  const file = `${home.folder}/servers.json`;
  await Deno.writeTextFile(file, JSON.stringify({ mcpServers }));
  return {
    MCP_SERVERS_CONFIG: file,
    MCP_BRIDGE_SERVER_START_TIMEOUT: "80",
    ...env,
  };
}

type Command = ReturnType<BridgeHome["command"]>;
// deno-lint-ignore no-explicit-any
type Answer = (heard: Heard, signal: AbortSignal) => Promise<any>;

async function connectLegacy(command: Command, capabilities: ClientCapabilities, answer: Answer) {
  const client = new LegacyClient(IDENTITY, { capabilities });
  const hear = (request: Heard, { signal }: { signal: AbortSignal }) => answer(request, signal);
  if (capabilities.elicitation) client.setRequestHandler(ElicitRequestSchema, hear);
  if (capabilities.sampling) client.setRequestHandler(CreateMessageRequestSchema, hear);
  if (capabilities.roots) client.setRequestHandler(ListRootsRequestSchema, hear);
  await client.connect(new LegacyTransport({ ...command, stderr: "ignore" }));
  return {
    run: async (args: Record<string, unknown>, options?: CallOptions) =>
      await client.callTool(
        { name: "run_python", arguments: args },
        undefined,
        options,
      ) as ClientAnswer,
    close: () => client.close(),
  };
}

async function connectModern(command: Command, capabilities: ClientCapabilities, answer: Answer) {
  const options: ClientOptions = { capabilities, versionNegotiation: { mode: "auto" } };
  const client = new ModernClient(IDENTITY, options);
  const hear = (request: Heard, { mcpReq }: { mcpReq: { signal: AbortSignal } }) =>
    answer(request, mcpReq.signal);
  if (capabilities.elicitation) client.setRequestHandler("elicitation/create", hear);
  if (capabilities.sampling) client.setRequestHandler("sampling/createMessage", hear);
  if (capabilities.roots) client.setRequestHandler("roots/list", hear);
  await client.connect(new ModernTransport({ ...command, stderr: "ignore" }));
  return {
    run: async (args: Record<string, unknown>, options?: CallOptions) =>
      await client.callTool({ name: "run_python", arguments: args }, options) as ClientAnswer,
    close: () => client.close(),
  };
}
