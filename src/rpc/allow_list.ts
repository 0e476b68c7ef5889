/** Who may be asked in a run: the servers it was given, whatever objects code kept of earlier runs. */
import { describeSkipped } from "../discovery/skipped_text.ts";
import type { Downstream } from "../downstream/downstream.ts";

/** SECURITY: allow-list of the run. Why a server is not one of it; `undefined` if it is. */
export async function findRefusal(
  server: string,
  servers: readonly string[],
  downstream: Downstream,
): Promise<string | undefined> {
  if (servers.includes(server)) return undefined;
  const isKnown = (await downstream.servers()).some(({ name }) => name === server);
  const reason = isKnown
    ? "add it to the `servers` argument of run_python"
    : describeSkipped(server, downstream.skipped());
  return `Server '${server}' is not available${reason === undefined ? "" : `: ${reason}`}`;
}
