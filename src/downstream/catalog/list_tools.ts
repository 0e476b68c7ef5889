/** All pages of a server's `tools/list`, read leniently: one odd tool must not cost the others. */
import { type Client, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import { inTurns } from "../../shared/stretch.ts";
import { sizeOf } from "../../shared/json/value_size.ts";
import { findHeaderFault } from "../transport/header_arguments.ts";
import { isTooDeep, MAX_DEPTH } from "../nesting.ts";
import { StdioClientTransport } from "../transport/stdio_client_transport.ts";

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

/** What the tools of one server may take: they are searched, sent to sandboxes and kept in memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Most tools that the log names. */
const MAX_FAULTS = 20;

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
 * @throws {AppError} if its list does not end, or is too large to be kept.
 */
export async function listTools(client: Client, options: ListOptions): Promise<ListedTool[]> {
  const listed = await listAll(client, options);
  const usesHeaders = client.getProtocolEra() === "modern" &&
    !(client.transport instanceof StdioClientTransport);
  const tools: ListedTool[] = [];
  const faults: string[] = [];
  for await (const tool of inTurns(listed)) {
    const [readable, unread] = toReadable(tool);
    const of = `of the tool "${tool.name}" of "${options.server}"`;
    for (const schema of unread) {
      faults.push(`Not read: the ${schema} ${of}, which is nested deeper than ${MAX_DEPTH} levels`);
    }
    const fault = usesHeaders ? findHeaderFault(readable.inputSchema) : undefined;
    if (fault === undefined) tools.push(readable);
    else faults.push(`Left out the tool "${tool.name}" of "${options.server}": ${fault}`);
  }
  faults.slice(0, MAX_FAULTS).forEach((fault) => options.log.warn(fault));
  const more = faults.length - MAX_FAULTS;
  if (more > 0) options.log.warn(`and ${more} more tools of "${options.server}" like these`);
  return tools;
}

async function listAll(
  client: Client,
  options: Pick<ListOptions, "timeoutMs" | "signal">,
): Promise<ListedTool[]> {
  const deadline = performance.now() + options.timeoutMs;
  const tools = new Map<string, ListedTool>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  let bytes = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const timeout = Math.max(1, deadline - performance.now());
    const result = await requestPage(client, params, { timeout, signal: options.signal });
    for await (const value of inTurns(result.tools)) {
      const tool = toListedTool(value);
      if (tool === undefined || tools.has(tool.name)) continue;
      tools.set(tool.name, tool);
      bytes += sizeOf(tool, MAX_BYTES);
      if (bytes > MAX_BYTES) throw tooLarge(tools.size);
      if (tools.size > MAX_TOOLS) throw endless(tools.size);
    }
    const next = result.nextCursor ?? undefined;
    if (next === undefined || seen.has(next)) return [...tools.values()];
    seen.add(next);
    cursor = next;
  }
  throw endless(tools.size);
}

function endless(count: number): AppError {
  return new AppError(`its list of tools does not end (${count} so far)`);
}

function tooLarge(count: number): AppError {
  const error = `its list of tools is too large: the first ${count} take more than ${
    MAX_BYTES / 1024 / 1024
  } MiB`;
  return new AppError(error);
}

/** A tool without those of its schemas that are nested too deep to be read, and their names. */
export function toReadable<T extends ListedTool>(tool: T): [readable: T, unread: string[]] {
  const { inputSchema, outputSchema, ...rest } = tool;
  const [deepIn, deepOut] = [inputSchema, outputSchema].map((schema) => isTooDeep(schema));
  if (!deepIn && !deepOut) return [tool, []];
  const readable = {
    ...rest,
    inputSchema: deepIn ? { type: "object" } : inputSchema,
    ...(!deepOut && outputSchema && { outputSchema }),
  } as T;
  return [readable, [...(deepIn ? ["input schema"] : []), ...(deepOut ? ["output schema"] : [])]];
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
