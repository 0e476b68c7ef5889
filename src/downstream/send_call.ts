/** Sends one call over an open connection and tells a server's refusal from a connection that failed. */
import { type CallToolResult, type Client, ProtocolError } from "@modelcontextprotocol/client";
import { isConnectionLost } from "./call_error.ts";
import type { ListedTool } from "./list_tools.ts";

/** The answer to a call: a result, or the error the server gave in its place. */
export type CallReply =
  | { kind: "result"; result: CallToolResult }
  | { kind: "error"; code: number; message: string; data?: unknown };

/** Calls a tool. Throws what the SDK throws when there is no answer. */
export async function sendCall(
  client: Client,
  { name, inputSchema }: ListedTool,
  args: Record<string, unknown>,
  options: { signal: AbortSignal; timeout: number },
): Promise<CallReply> {
  try {
    const result = await client.callTool({ name, arguments: args }, {
      ...options,
      // Without its output schema: what a tool sends is handed on, also where it breaks its own word.
      toolDefinition: { name, inputSchema: { ...inputSchema, type: "object" } },
    });
    return { kind: "result", result };
  } catch (error) {
    if (!(error instanceof ProtocolError) || isConnectionLost(error)) throw error;
    const { code, message, data } = error;
    return { kind: "error", code, message, ...(data !== undefined && { data }) };
  }
}
