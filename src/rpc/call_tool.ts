/** `call_tool`: the one request that reaches a user's server. */
import { toReply } from "./reply.ts";
import type { RpcHandler } from "./router.ts";

/** Calls a tool of a server that this run was given. */
export const callTool: RpcHandler<"call_tool"> = async (
  { server, tool, arguments: args, raw },
  { reach },
) => {
  if (raw) return { success: true, result: await reach.callToolRaw(server, tool, args) };
  return toReply(await reach.callTool(server, tool, args));
};
