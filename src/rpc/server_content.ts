/** Requests about resources and prompts of servers. They are under the same allow-list as calls of tools. */
import { z } from "zod";
import type { ServerContent } from "../downstream/downstream.ts";
import type { RpcReply } from "../wire/messages.ts";
import { findRefusal } from "./allow_list.ts";
import { toReply } from "./outcome_reply.ts";
import type { RpcContext, RpcDeps, RpcHandler } from "./router.ts";

const serverPayload = z.looseObject({ server: z.string() });
const readPayload = z.looseObject({ server: z.string(), uri: z.string().max(100_000) });
const promptPayload = z.looseObject({
  server: z.string(),
  name: z.string().max(1000),
  arguments: z.record(z.string(), z.string()).default({}),
});

/** Handlers by the type of the request. */
export const contentHandlers: Readonly<Record<string, RpcHandler>> = {
  list_resources(payload, context, deps) {
    const { server } = serverPayload.parse(payload);
    return ask(server, "resources", { context, deps }, async (content) => ({
      success: true,
      resources: await content.listResources(),
    }));
  },

  read_resource(payload, context, deps) {
    const { server, uri } = readPayload.parse(payload);
    return ask(
      server,
      "resources",
      { context, deps },
      async (content) => toReply(await content.readResource(uri)),
    );
  },

  list_prompts(payload, context, deps) {
    const { server } = serverPayload.parse(payload);
    return ask(server, "prompts", { context, deps }, async (content) => ({
      success: true,
      prompts: await content.listPrompts(),
    }));
  },

  get_prompt(payload, context, deps) {
    const { server, name, arguments: args } = promptPayload.parse(payload);
    return ask(server, "prompts", { context, deps }, async (content) => ({
      success: true,
      messages: await content.getPrompt(name, args),
    }));
  },
};

async function ask(
  server: string,
  what: string,
  { context, deps: { downstream } }: { context: RpcContext; deps: RpcDeps },
  body: (content: ServerContent) => Promise<RpcReply>,
): Promise<RpcReply> {
  const refusal = await findRefusal(server, context.servers, downstream);
  if (refusal !== undefined) return { success: false, error: refusal };
  context.onCall?.(`${server}: ${what}`);
  const { signal, asker, clock } = context;
  const options = { signal, timeoutMs: context.remainingMs(), asker, clock };
  return await body(await downstream.content(server, options));
}
