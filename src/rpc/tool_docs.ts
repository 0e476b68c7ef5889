/** Requests about tools: they work for every configured server, given to the run or not. */
import { z } from "zod";
import type { RpcHandler } from "./router.ts";
import { toToolMetadata } from "./run_servers.ts";
import { describeUnsearched } from "./unsearched_text.ts";

const detail = z.enum(["summary", "full"]).default("summary");
const listPayload = z.looseObject({ server: z.string() });
const queryPayload = z.looseObject({
  server: z.string(),
  tool: z.string().nullish(),
  detail,
});
const stubsPayload = z.looseObject({
  server: z.string(),
  tools: z.array(z.string()).max(1000).default([]),
});
const searchPayload = z.looseObject({
  query: z.string().max(10_000),
  // Any number is welcome and clamped, as `timeout` is.
  limit: z.number().default(5),
  detail,
});

const MAX_HITS = 20;

/** Metadata of a server's tools. */
export const listTools: RpcHandler = async (payload, { reach }) => {
  const { server } = listPayload.parse(payload);
  return { success: true, tools: await toToolMetadata(await reach.tools(server)) };
};

/** Docs of a server's tools, or of one. */
export const queryToolDocs: RpcHandler = async (payload, { reach }) => {
  const { server, tool, detail } = queryPayload.parse(payload);
  return { success: true, docs: await reach.docs(server, tool ?? undefined, detail) };
};

/** Python stubs of a server's tools, or of some. */
export const stubs: RpcHandler = async (payload, { reach }) => {
  const { server, tools } = stubsPayload.parse(payload);
  return { success: true, stubs: await reach.stubs(server, tools) };
};

/** The tools that fit some words best; each hit says whether its server can be called in this run. */
export const searchToolDocs: RpcHandler = async (payload, { reach, onNote }) => {
  const { query, limit, detail } = searchPayload.parse(payload);
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
