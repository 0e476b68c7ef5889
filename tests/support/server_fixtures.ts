/** A server with fakes behind it, and clients of both protocol eras linked to it in memory. */
import { Client } from "@modelcontextprotocol/client";
import type { McpServerDeps } from "../../src/server/mcp_server.ts";
import { ParkedRuns } from "../../src/server/questions/parked_runs.ts";
import { serveStdio } from "../../src/server/stdio/stdio.ts";
import { StdioTransport } from "../../src/server/stdio/stdio_transport.ts";
import type { RunRequest } from "../../src/session/run_request.ts";
import type { RunResult } from "../../src/session/run_result.ts";
import { createLogger } from "../../src/shared/log.ts";

/** The two ways a client can open a connection. */
export const ERAS = ["legacy", "auto"] as const;

/** A success without output, with `parts` in place of its own. */
export function runResult(parts: Partial<RunResult> = {}): RunResult {
  return {
    status: "success",
    servers: [],
    stdout: "",
    stderr: "",
    notes: [],
    artifacts: [],
    ...parts,
  };
}

/** Dependencies of a server whose runs are answered by `run`. */
export function serverDeps(
  run: (request: RunRequest) => RunResult | Promise<RunResult> = () => runResult(),
  parts: Partial<McpServerDeps> = {},
): McpServerDeps {
  return {
    runner: { run: (request) => Promise.resolve(run(request)) },
    session: "test",
    artifacts: {
      list: () => Promise.resolve({ artifacts: [] }),
      read: () => Promise.resolve(undefined),
    },
    parked: new ParkedRuns({ maxAskMs: 600_000 }),
    config: {
      timeoutSeconds: 30,
      maxTimeoutSeconds: 120,
      outputMode: "compact",
      structured: "auto",
      maxOutputChars: 30_000,
      askTimeoutSeconds: 600,
    },
    ...parts,
  };
}

/** Both ends of two pipes. */
export function linkStreams() {
  const up = new TransformStream<Uint8Array, Uint8Array>();
  const down = new TransformStream<Uint8Array, Uint8Array>();
  return {
    client: { readable: down.readable, writable: up.writable },
    server: { readable: up.readable, writable: down.writable },
  };
}

/** A client connected to a fresh server; disposing it waits until the server has ended. */
export async function connectClient(
  deps: McpServerDeps,
  mode: typeof ERAS[number] = "legacy",
  name = "test",
): Promise<{ client: Client } & AsyncDisposable> {
  const { client: near, server: far } = linkStreams();
  const served = serveStdio(deps, { ...far, logger: createLogger("error") });
  const client = new Client({ name, version: "0" }, { versionNegotiation: { mode } });
  const transport = new StdioTransport(near.readable, near.writable);
  await client.connect(transport);
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await served;
    },
  };
}

/** What a 2026 client sends along with each request. */
export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A connection that shows answers exactly as they are on the wire. */
export function connectRaw(deps: McpServerDeps): RawConnection {
  const { client: near, server: far } = linkStreams();
  const served = serveStdio(deps, { ...far, logger: createLogger("error") });
  return new RawConnection(new StdioTransport(near.readable, near.writable), served);
}

type Reply = { id: unknown; result?: unknown; error?: unknown };

class RawConnection implements AsyncDisposable {
  readonly #transport: StdioTransport;
  readonly #served: Promise<void>;
  readonly #waiting = new Map<unknown, (reply: Reply) => void>();
  #nextId = 1;

  constructor(transport: StdioTransport, served: Promise<void>) {
    this.#transport = transport;
    this.#served = served;
    transport.onmessage = (message) => {
      const reply = message as Reply;
      this.#waiting.get(reply.id)?.(reply);
    };
    void transport.start();
  }

  /** The result of a request, or its error. */
  async request(method: string, params: Record<string, unknown>): Promise<unknown> {
    const id = this.#nextId++;
    const reply = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    await this.#transport.send({ jsonrpc: "2.0", id, method, params });
    const { result, error } = await reply;
    return result ?? error;
  }

  /** Opens the connection as a 2025 client does. */
  initialize(protocolVersion = "2025-11-25"): Promise<unknown> {
    const clientInfo = { name: "test", version: "0" };
    return this.request("initialize", { protocolVersion, capabilities: {}, clientInfo });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close();
    await this.#served;
  }
}
