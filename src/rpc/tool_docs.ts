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
export const listTools: RpcHandler = async (payload, { signal, asker }, { downstream }) => {
  const { server } = listPayload.parse(payload);
  const { tools } = await downstream.load(server, signal, asker);
  return { success: true, tools: tools.map(toToolMetadata) };
};

/** Docs of a server's tools, or of one. */
export const queryToolDocs: RpcHandler = async (payload, { asker }, { downstream }) => {
  const { server, tool, detail } = queryPayload.parse(payload);
  return { success: true, docs: await downstream.docs(server, tool ?? undefined, detail, asker) };
};

/** Python stubs of a server's tools, or of some. */
export const stubs: RpcHandler = async (payload, { signal, asker }, { downstream }) => {
  const { server, tools } = stubsPayload.parse(payload);
  return { success: true, stubs: await downstream.stubs(server, tools, signal, asker) };
};

/** The tools that fit some words best; each hit says whether its server can be called in this run. */
export const searchToolDocs: RpcHandler = async (payload, context, { downstream }) => {
  const { servers, asker, onNote } = context;
  const { query, limit, detail } = searchPayload.parse(payload);
  const most = Math.min(Math.max(1, Math.trunc(limit) || 1), MAX_HITS);
  const { hits, unsearched } = await downstream.search(query, { limit: most, detail, asker });
  const results = hits.map(({ score: _score, ...doc }) => ({
    ...doc,
    loaded: servers.includes(doc.server),
  }));
  const note = describeUnsearched(unsearched);
  if (note !== undefined) onNote?.(note);
  return { success: true, results };
};
