/** The servers of one run: loaded before it starts, one that fails does not stop the others. */
import type { Downstream, DownstreamTool, LoadedServer } from "../downstream/downstream.ts";
import type { Asker } from "../questions/asker.ts";
import { describeError } from "../shared/errors.ts";
import type { ServerMetadata, ToolMetadata } from "../wire/messages.ts";

/** What a run is told of servers. */
export interface RunServers {
  /** Those it may use; one that could not be started has an `error` and no tools. */
  servers: ServerMetadata[];
  /** Every configured one: name → description. */
  discovered: Record<string, string>;
  /** Those that could not be started, and why. */
  failures: ReadonlyArray<{ name: string; message: string }>;
}

/** Loads the servers a run names. */
export type RunServerLoader = (
  names: readonly string[],
  signal: AbortSignal,
  asker?: Asker,
) => Promise<RunServers>;

/** Loads from `downstream`, all at the same time. */
export function createRunServerLoader(downstream: Downstream): RunServerLoader {
  return async (names, signal, asker) => {
    const all = await downstream.servers();
    const discovered = Object.fromEntries(all.map(({ name, description }) => [name, description]));
    const aliases = new Map(all.map(({ name, alias }) => [name, alias]));
    const failures: Array<{ name: string; message: string }> = [];
    const servers = await Promise.all(names.map(async (name): Promise<ServerMetadata> => {
      try {
        return toServerMetadata(await downstream.load(name, signal, asker));
      } catch (error) {
        const message = describeError(error);
        failures.push({ name, message });
        return { name, alias: aliases.get(name) ?? name, tools: [], error: message };
      }
    }));
    return { servers, discovered, failures };
  };
}

/** A loader for runs without servers. */
export const noRunServers: RunServerLoader = () =>
  Promise.resolve({ servers: [], discovered: {}, failures: [] });

function toServerMetadata({ name, alias, tools }: LoadedServer): ServerMetadata {
  return { name, alias, tools: tools.map(toToolMetadata) };
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
