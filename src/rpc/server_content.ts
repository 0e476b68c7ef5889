/** Requests about resources and prompts of servers. They are under the same allow-list as calls of tools. */
import { toReply } from "./reply.ts";
import type { RpcHandlers } from "./router.ts";

/** Handlers by the type of the request. */
export const contentHandlers = {
  async list_resources({ server }, { reach }) {
    const content = await reach.content(server, "resources");
    return { success: true, resources: await content.listResources() };
  },

  async read_resource({ server, uri }, { reach }) {
    const content = await reach.content(server, "resources");
    return toReply(await content.readResource(uri));
  },

  async list_prompts({ server }, { reach }) {
    const content = await reach.content(server, "prompts");
    return { success: true, prompts: await content.listPrompts() };
  },

  async get_prompt({ server, name, arguments: args }, { reach }) {
    const content = await reach.content(server, "prompts");
    return { success: true, messages: await content.getPrompt(name, args) };
  },
} satisfies Partial<RpcHandlers>;
