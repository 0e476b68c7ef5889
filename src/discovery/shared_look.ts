/** One look at the configuration serves all who ask for it at about the same time. */
import type { Discovered, ServerDiscovery } from "./entry/server_entry.ts";

/**
 * For so long what was seen counts as what is there. A run that is shorter than the look at every file would
 * mostly wait for it, and a program can ask ten thousand times for a server that does not exist.
 */
const FRESH_MS = 100;

/** Looks no more often than every {@link FRESH_MS}, and once for those who ask meanwhile. */
export function shareLooks(discovery: ServerDiscovery): ServerDiscovery {
  let latest: Promise<Discovered> | undefined;
  let freshUntilMs = Infinity;
  return {
    discover() {
      if (latest === undefined || performance.now() > freshUntilMs) {
        freshUntilMs = Infinity;
        latest = discovery.discover().finally(() => freshUntilMs = performance.now() + FRESH_MS);
      }
      return latest;
    },
  };
}
