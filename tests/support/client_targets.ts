/**
 * The clients that the end-to-end suite runs over: the official SDK, its version 1 (protocol 2025-11-25)
 * and version 2 (2026-07-28), and the Inspector's command line. Each starts the server by its own transport.
 */
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { BridgeHome, BridgeOptions } from "./bridge_home.ts";
import { INSPECTOR, inspectorUnavailable, runInspector } from "./inspector.ts";

/** The answer of `run_python`, as a client hands it on. */
export interface ClientAnswer {
  content: Array<{
    type: string;
    text?: string;
    uri?: string;
    name?: string;
    size?: number;
    mimeType?: string;
    data?: string;
  }>;
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** A resource in a list. */
export interface ClientResource {
  uri: string;
  name: string;
  mimeType?: string;
  size?: number;
}

/** A piece of a resource. */
export interface ClientContents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  _meta?: Record<string, unknown>;
}

/** Options of a call. */
export interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
}

/** A client with a server of its own. */
export interface Connection extends AsyncDisposable {
  protocolVersion: string | undefined;
  run(args: Record<string, unknown>, options?: CallOptions): Promise<ClientAnswer>;
  listTools(): Promise<Array<{ name: string }>>;
  listResources(): Promise<ClientResource[]>;
  readResource(uri: string): Promise<ClientContents>;
}

/** A kind of client. */
export interface ClientTarget {
  name: string;
  /** Why it cannot run here. */
  unavailable?: string;
  /** Whether all calls of a connection meet the same process. */
  keepsConnection: boolean;
  connect(home: BridgeHome, options?: BridgeOptions): Promise<Connection>;
}

const IDENTITY = { name: "e2e", version: "0" };

/** SDK version 1, which opens with `initialize`. */
export const legacySdk: ClientTarget = {
  name: "SDK v1",
  keepsConnection: true,
  async connect(home, options) {
    const transport = new LegacyTransport({ ...home.command(options), stderr: "ignore" });
    const client = new LegacyClient(IDENTITY);
    let protocolVersion: string | undefined;
    const hearVersion = (version: string) => void (protocolVersion = version);
    await client.connect(Object.assign(transport, { setProtocolVersion: hearVersion }));
    return {
      protocolVersion,
      run: async (args, options) =>
        await client.callTool(
          { name: "run_python", arguments: args },
          undefined,
          options,
        ) as ClientAnswer,
      listTools: async () => (await client.listTools()).tools,
      listResources: async () => (await client.listResources()).resources as ClientResource[],
      readResource: async (uri) =>
        (await client.readResource({ uri })).contents[0] as ClientContents,
      [Symbol.asyncDispose]: () => client.close(),
    };
  },
};

/** SDK version 2, left to find out by itself how new the server is. */
export const modernSdk: ClientTarget = {
  name: "SDK v2",
  keepsConnection: true,
  async connect(home, options) {
    const transport = new ModernTransport({ ...home.command(options), stderr: "ignore" });
    const client = new ModernClient(IDENTITY, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport);
    return {
      protocolVersion: client.getNegotiatedProtocolVersion(),
      run: async (args, options) =>
        await client.callTool({ name: "run_python", arguments: args }, options) as ClientAnswer,
      listTools: async () => (await client.listTools()).tools,
      listResources: async () => (await client.listResources()).resources as ClientResource[],
      readResource: async (uri) =>
        (await client.readResource({ uri })).contents[0] as ClientContents,
      [Symbol.asyncDispose]: () => client.close(),
    };
  },
};

/** The Inspector, which starts a server for each request. */
function inspector(era: "legacy" | "modern"): ClientTarget {
  return {
    name: `${INSPECTOR} (${era})`,
    ...(inspectorUnavailable && { unavailable: inspectorUnavailable }),
    keepsConnection: false,
    connect(home, options) {
      const ask = (...args: string[]) => runInspector(home, options ?? {}, era, args);
      return Promise.resolve({
        protocolVersion: undefined,
        run: async (args) => {
          const json = JSON.stringify(args);
          const call = ["--tool-name", "run_python", "--tool-args-json", json];
          return await ask("--method", "tools/call", ...call) as unknown as ClientAnswer;
        },
        listTools: async () => (await ask("--method", "tools/list")).tools as { name: string }[],
        listResources: async () =>
          (await ask("--method", "resources/list")).resources as ClientResource[],
        readResource: async (uri) => {
          const { contents } = await ask("--method", "resources/read", "--uri", uri);
          return (contents as ClientContents[])[0]!;
        },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      });
    },
  };
}

/** The Inspector with each kind of connection. */
export const legacyInspector: ClientTarget = inspector("legacy");
export const modernInspector: ClientTarget = inspector("modern");
