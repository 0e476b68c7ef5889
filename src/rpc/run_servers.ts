/** What a run is told of servers, as the wire has it. Pure. */
import type { DownstreamTool, LoadedServer } from "../downstream/downstream.ts";
import type { FailedServer } from "../downstream/for_run.ts";
import type { ServerMetadata } from "../wire/messages.ts";
import type { ToolMetadata } from "../wire/rpc.ts";

/** A server of the run; one that could not be started has an `error` and no tools. */
export function toServerMetadata(server: LoadedServer | FailedServer): ServerMetadata {
  const { name, alias } = server;
  if ("error" in server) return { name, alias, tools: [], error: server.error };
  return { name, alias, tools: server.tools.map(toToolMetadata) };
}

/** A tool as Python sees it. */
export function toToolMetadata(tool: DownstreamTool): ToolMetadata {
  return {
    name: tool.name,
    alias: tool.alias,
    description: tool.description,
    input_schema: tool.inputSchema,
    ...(tool.outputSchema && { output_schema: tool.outputSchema }),
  };
}
