/** `call_tool`: the one request that reaches a user's server. */
import { z } from "zod";
import { JsonText } from "../shared/json/json_text.ts";
import type { RpcReply } from "../wire/messages.ts";
import { findRefusal } from "./allow_list.ts";
import { toReply } from "./outcome_reply.ts";
import type { RpcHandler } from "./router.ts";

const payloadSchema = z.looseObject({
  server: z.string(),
  tool: z.string(),
  arguments: z.instanceof(JsonText).default(JsonText.of({})),
  raw: z.boolean().default(false),
});

/** Calls a tool of a server that this run was given. */
export const callTool: RpcHandler = async (payload, context, { downstream }): Promise<RpcReply> => {
  const { server, tool, arguments: args, raw } = payloadSchema.parse(payload);
  const refusal = await findRefusal(server, context.servers, downstream);
  if (refusal !== undefined) return { success: false, error: refusal };
  context.onCall?.(`${server}.${tool}`);
  const { signal, asker, clock } = context;
  const options = { signal, timeoutMs: context.remainingMs(), asker, clock };
  if (raw) {
    return { success: true, result: await downstream.callToolRaw(server, tool, args, options) };
  }
  return toReply(await downstream.callTool(server, tool, args, options));
};
