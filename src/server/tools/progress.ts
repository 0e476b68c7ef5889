/** Progress of a run as MCP notifications, for clients that asked for them. */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { RunProgress } from "../../session/run_request.ts";

/** Smallest step between two notifications: the protocol wants each `progress` above the last. */
const MIN_STEP = 0.001;

/** A listener that tells the client how far the run is, or `undefined` when it did not ask. */
export function createProgressListener(
  request: ServerContext["mcpReq"],
  totalSeconds: number,
): ((progress: RunProgress) => void) | undefined {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = 0;
  return ({ elapsedSeconds, message }) => {
    if (request.signal.aborted) return;
    last = Math.max(elapsedSeconds, last + MIN_STEP);
    const params = { progressToken, progress: last, total: totalSeconds, message };
    // A client that is gone shows on the transport, which ends the run.
    request.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
