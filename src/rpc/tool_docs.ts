/** Requests about tools: they work for every configured server, given to the run or not. */
import type { RpcHandler } from "./router.ts";
import { toToolMetadata } from "./run_servers.ts";
import { describeUnsearched } from "./unsearched_text.ts";

const MAX_HITS = 20;

/** Metadata of a server's tools. */
export const listTools: RpcHandler<"list_tools"> = async ({ server }, { reach }) => {
  return { success: true, tools: await toToolMetadata(await reach.tools(server)) };
};

/** Docs of a server's tools, or of one. */
export const queryToolDocs: RpcHandler<"query_tool_docs"> = async (
  { server, tool, detail },
  { reach },
) => {
  return { success: true, docs: await reach.docs(server, tool ?? undefined, detail) };
};

/** Python stubs of a server's tools, or of some. */
export const stubs: RpcHandler<"stubs"> = async ({ server, tools }, { reach }) => {
  return { success: true, stubs: await reach.stubs(server, tools) };
};

/** The tools that fit some words best; each hit says whether its server can be called in this run. */
export const searchToolDocs: RpcHandler<"search_tool_docs"> = async (
  { query, limit, detail },
  { reach, onNote },
) => {
  const most = Math.min(Math.max(1, Math.trunc(limit) || 1), MAX_HITS);
  const { hits, unsearched } = await reach.search(query, { limit: most, detail });
  const results = hits.map(({ score: _score, ...doc }) => ({
    ...doc,
    loaded: reach.servers.includes(doc.server),
  }));
  const note = describeUnsearched(unsearched);
  if (note !== undefined) onNote?.(note);
  return { success: true, results };
};
