/** MCP on stdin and stdout, both protocol eras. */
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../../shared/log.ts";
import { createMcpServer, type McpServerDeps } from "../mcp_server.ts";
import { StdioTransport } from "./stdio_transport.ts";

/** Options of {@link serveStdio}. */
export interface ServeStdioOptions {
  logger: Logger;
  /** @default Deno.stdin.readable */
  readable?: ReadableStream<Uint8Array>;
  /** @default Deno.stdout.writable */
  writable?: WritableStream<Uint8Array>;
}

/** Serves one client until it closes its side; requests still going on are cancelled then. */
export async function serveStdio(deps: McpServerDeps, options: ServeStdioOptions): Promise<void> {
  const { logger, readable = Deno.stdin.readable, writable = Deno.stdout.writable } = options;
  const transport = new StdioTransport(readable, writable);
  serve(() => createMcpServer(deps), {
    transport,
    onerror: (error) => logger.warn(error.message),
  });
  await transport.closed;
}
