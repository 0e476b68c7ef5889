/** What a sandbox is told of servers and their tools, as the wire has it. */
import type { DownstreamTool, LoadedServer } from "../downstream/downstream.ts";
import type { FailedServer } from "../downstream/for_run.ts";
import { toCallSpec } from "../languages/python/call_spec.ts";
import { inTurns } from "../shared/stretch.ts";
import type { LoadedToolMetadata, ServerMetadata } from "../wire/messages.ts";
import type { ToolMetadata } from "../wire/rpc.ts";

/** Most text of types, defaults and notes of all tools of a server; those after that have none. */
const MAX_CHARS = 16 * 1024 * 1024;

interface Described {
  revision: number;
  tools: readonly LoadedToolMetadata[];
}

/** Once for each list of tools, which is another object whenever the tools are others. */
const DESCRIBED = new WeakMap<readonly DownstreamTool[], Promise<Described>>();
let revisions = 0;

/** A server of the run; one that could not be started has an `error` and no tools. */
export async function toServerMetadata(
  server: LoadedServer | FailedServer,
): Promise<ServerMetadata> {
  const { name, alias } = server;
  if ("error" in server) return { name, alias, tools: [], error: server.error };
  return { name, alias, ...await describe(server.tools) };
}

/** Tools as Python sees them. */
export async function toToolMetadata(tools: readonly DownstreamTool[]): Promise<ToolMetadata[]> {
  return (await describe(tools)).tools.map(({ call: _call, ...tool }) => tool);
}

function describe(tools: readonly DownstreamTool[]): Promise<Described> {
  let described = DESCRIBED.get(tools);
  if (described === undefined) DESCRIBED.set(tools, described = describeAll(tools));
  return described;
}

async function describeAll(tools: readonly DownstreamTool[]): Promise<Described> {
  const revision = ++revisions;
  const all: LoadedToolMetadata[] = [];
  let room = MAX_CHARS;
  for await (const tool of inTurns(tools)) {
    const { signature, call, chars } = toCallSpec(tool, room);
    room -= chars;
    all.push({
      name: tool.name,
      alias: tool.alias,
      description: tool.description,
      input_schema: tool.inputSchema,
      ...(tool.outputSchema && { output_schema: tool.outputSchema }),
      signature,
      call,
    });
  }
  return { revision, tools: all };
}
