/** Discovery over files in memory, and short forms of what it finds. */
import type { ReadVariable } from "../../../src/config/variable.ts";
import {
  createServerDiscovery,
  type DiscoverySettings,
  type ServerDiscoveryOptions,
} from "../../../src/discovery/server_discovery.ts";
import type { Discovered, ServerDiscovery } from "../../../src/discovery/entry/server_entry.ts";
import { MemoryFiles } from "./memory_files.ts";

export const HOME = "/home/dev";
export const PROJECT = "/home/dev/shop";

export function variables(values: Readonly<Record<string, string>>): ReadVariable {
  return (name) => Object.hasOwn(values, name) ? values[name] : undefined;
}

export interface Setup extends Partial<ServerDiscoveryOptions> {
  settings?: Partial<DiscoverySettings>;
  env?: Readonly<Record<string, string>>;
}

export function discoveryOver(files: MemoryFiles, setup: Setup = {}): ServerDiscovery {
  const { settings, env = {}, ...options } = setup;
  return createServerDiscovery(
    { allowSelfServer: false, trustProject: false, ...settings },
    { cwd: PROJECT, os: "linux", readVariable: variables({ HOME, ...env }), files, ...options },
  );
}

export function discoverIn(
  files: Readonly<Record<string, unknown>>,
  setup: Setup = {},
): Promise<Discovered> {
  return discoveryOver(new MemoryFiles(files), setup).discover();
}

export function names(discovered: Discovered): string[] {
  return discovered.servers.map((server) => server.name);
}

/** `name status line: reason` of each skipped entry. */
export function skips(discovered: Discovered): string[] {
  return discovered.skipped.map(({ name, status, reason, source }) =>
    `${name ?? "-"} ${status} ${source.line}: ${reason}`
  );
}

export function fixture(name: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/clients/${name}`, import.meta.url));
}
