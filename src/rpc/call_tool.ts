/** `call_tool`: the one request that reaches a user's server. */
import { z } from "zod";
import { describeSkipped } from "../discovery/skipped_text.ts";
import { JsonText } from "../shared/json_text.ts";
import type { RpcReply } from "../wire/messages.ts";
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
  // SECURITY: allow-list of the run. Objects of earlier runs and forged requests end here.
  if (!context.servers.includes(server)) {
    const known = (await downstream.servers()).some(({ name }) => name === server);
    const reason = describeSkipped(server, downstream.skipped());
    const hint = known
      ? ": add it to the `servers` argument of run_python"
      : reason === undefined
      ? ""
      : `: ${reason}`;
    return { success: false, error: `Server '${server}' is not available${hint}` };
  }
  context.onCall?.(`${server}.${tool}`);
  const { signal, asker, clock } = context;
  const options = { signal, timeoutMs: context.remainingMs(), asker, clock };
  if (raw) {
    return { success: true, result: await downstream.callToolRaw(server, tool, args, options) };
  }
  const outcome = await downstream.callTool(server, tool, args, options);
  switch (outcome.kind) {
    case "value":
      return { success: true, result: outcome.value };
    case "text":
      // Python reads the JSON, and takes the text for what it is if it is none.
      return { success: true, [outcome.mayBeJson ? "text" : "result"]: outcome.text };
    case "content":
      return { success: true, content: outcome.content };
    case "failed":
      return { success: false, error: outcome.message, result: outcome.result };
  }
};
