/** All pages of a server's `tools/list`, read leniently: one odd tool must not cost the others. */
import { type Client, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import { z } from "zod";
import { AppError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import { findHeaderFault } from "./header_arguments.ts";
import { StdioClientTransport } from "./stdio_client_transport.ts";

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
}

/** Against servers whose list has no end. */
const MAX_PAGES = 1000;
const MAX_TOOLS = 20_000;

const pageSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().nullish(),
});

const objectSchema = z.record(z.string(), z.unknown());

const toolSchema = z.object({
  name: z.string().max(1000),
  description: z.string().catch(""),
  inputSchema: objectSchema.catch({ type: "object" }),
  outputSchema: objectSchema.optional().catch(undefined),
});

/** Options of {@link listTools}. */
export interface ListOptions {
  /** Name of the server, for the log. */
  server: string;
  log: Logger;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Lists the tools of a connected server that can be called.
 *
 * @throws {AppError} if its list does not end.
 */
export async function listTools(client: Client, options: ListOptions): Promise<ListedTool[]> {
  const tools = await listAll(client, options);
  const usesHeaders = client.getProtocolEra() === "modern" &&
    !(client.transport instanceof StdioClientTransport);
  if (!usesHeaders) return tools;
  return tools.filter(({ name, inputSchema }) => {
    const fault = findHeaderFault(inputSchema);
    if (fault !== undefined) {
      options.log.warn(`Left out the tool "${name}" of "${options.server}": ${fault}`);
    }
    return fault === undefined;
  });
}

async function listAll(
  client: Client,
  options: Pick<ListOptions, "timeoutMs" | "signal">,
): Promise<ListedTool[]> {
  const deadline = performance.now() + options.timeoutMs;
  const tools = new Map<string, ListedTool>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const timeout = Math.max(1, deadline - performance.now());
    const result = await requestPage(client, params, { timeout, signal: options.signal });
    for (const tool of result.tools.map(toListedTool)) {
      if (tool !== undefined && !tools.has(tool.name)) tools.set(tool.name, tool);
    }
    const next = result.nextCursor ?? undefined;
    if (next === undefined || seen.has(next)) return [...tools.values()];
    if (tools.size > MAX_TOOLS) break;
    seen.add(next);
    cursor = next;
  }
  throw new AppError("tools_endless", `its list of tools does not end (${tools.size} so far)`);
}

/** The tool of an entry, or undefined if it is none. */
export function toListedTool(value: unknown): ListedTool | undefined {
  const parsed = toolSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { outputSchema, ...tool } = parsed.data;
  return { ...tool, ...(outputSchema && { outputSchema }) };
}

async function requestPage(
  client: Client,
  params: { cursor?: string },
  options: { timeout: number; signal: AbortSignal },
): Promise<z.output<typeof pageSchema>> {
  try {
    return await client.request({ method: "tools/list", params }, pageSchema, options);
  } catch (error) {
    // A server without tools need not know the method.
    if (isMethodNotFound(error)) return { tools: [] };
    throw error;
  }
}

function isMethodNotFound(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound;
}
