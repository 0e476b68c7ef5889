/** Results of 2026 that do not say of what kind they are. The protocol counts them as complete, the SDK as broken. */
import type { Transport } from "@modelcontextprotocol/client";

/** Has the SDK take such results of a connected server for what they are. */
export function completeResults(transport: Transport): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if ("result" in message && message.result["resultType"] === undefined) {
      message.result["resultType"] = "complete";
    }
    onmessage?.(message, extra);
  };
}
