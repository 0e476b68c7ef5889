/** `call_tool`: the one request that reaches a user's server. */
import { z } from "zod";
import { JsonText } from "../shared/json/json_text.ts";
import type { RpcReply } from "../wire/messages.ts";
import { toReply } from "./outcome_reply.ts";
import type { RpcHandler } from "./router.ts";

const payloadSchema = z.looseObject({
  server: z.string(),
  tool: z.string(),
  arguments: z.instanceof(JsonText).default(JsonText.of({})),
  raw: z.boolean().default(false),
});

/** Calls a tool of a server that this run was given. */
export const callTool: RpcHandler = async (payload, { reach }): Promise<RpcReply> => {
  const { server, tool, arguments: args, raw } = payloadSchema.parse(payload);
  if (raw) return { success: true, result: await reach.callToolRaw(server, tool, args) };
  return toReply(await reach.callTool(server, tool, args));
};
