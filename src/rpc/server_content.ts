/** Requests about resources and prompts of servers. They are under the same allow-list as calls of tools. */
import { z } from "zod";
import { toReply } from "./outcome_reply.ts";
import type { RpcHandler } from "./router.ts";

const serverPayload = z.looseObject({ server: z.string() });
const readPayload = z.looseObject({ server: z.string(), uri: z.string().max(100_000) });
const promptPayload = z.looseObject({
  server: z.string(),
  name: z.string().max(1000),
  arguments: z.record(z.string(), z.string()).default({}),
});

/** Handlers by the type of the request. */
export const contentHandlers: Readonly<Record<string, RpcHandler>> = {
  async list_resources(payload, { reach }) {
    const { server } = serverPayload.parse(payload);
    const content = await reach.content(server, "resources");
    return { success: true, resources: await content.listResources() };
  },

  async read_resource(payload, { reach }) {
    const { server, uri } = readPayload.parse(payload);
    const content = await reach.content(server, "resources");
    return toReply(await content.readResource(uri));
  },

  async list_prompts(payload, { reach }) {
    const { server } = serverPayload.parse(payload);
    const content = await reach.content(server, "prompts");
    return { success: true, prompts: await content.listPrompts() };
  },

  async get_prompt(payload, { reach }) {
    const { server, name, arguments: args } = promptPayload.parse(payload);
    const content = await reach.content(server, "prompts");
    return { success: true, messages: await content.getPrompt(name, args) };
  },
};
