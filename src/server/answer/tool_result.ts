/**
 * `RunResult` → the answer of `run_python`, in the words and data the model gets. Pure, except that the
 * TOON encoder is loaded when a first answer needs it.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Config } from "../../config/schema.ts";
import type { RunResult } from "../../session/run_result.ts";
import {
  type ResultPayload,
  toCompactPayload,
  toFullPayload,
  toTrimmedPayload,
  trimmedLines,
} from "./result_payload.ts";

/** Turns results into answers. */
export type ResultFormatter = (result: RunResult) => CallToolResult | Promise<CallToolResult>;

/** The formatter of an output mode. */
export function createResultFormatter(mode: Config["outputMode"]): ResultFormatter {
  return mode === "toon" ? toToonResult : toCompactResult;
}

/** An answer without what goes without saying. */
export function toCompactResult(result: RunResult): CallToolResult {
  const payload = toTrimmedPayload(result);
  return toToolResult(result, toCompactText(payload), toCompactPayload(payload));
}

/** An answer with the whole payload, as TOON in the text. */
export async function toToonResult(result: RunResult): Promise<CallToolResult> {
  const { encode } = await import("@toon-format/toon");
  const payload = toFullPayload(result);
  return toToolResult(result, "```toon\n" + encode(payload) + "\n```", payload);
}

function toToolResult(
  result: RunResult,
  text: string,
  payload: Partial<ResultPayload>,
): CallToolResult {
  const images = result.images ?? [];
  const inside = new Set(images.map(({ uri }) => uri));
  const links = result.artifacts.filter(({ uri }) => !inside.has(uri))
    .map((artifact) => ({ type: "resource_link", ...artifact }) as const);
  return {
    content: [
      { type: "text", text },
      ...images.map(({ mimeType, data }) => ({ type: "image", mimeType, data }) as const),
      ...links,
    ],
    structuredContent: { ...payload },
    isError: result.status !== "success",
    _meta: toMeta(result, payload),
  };
}

function toMeta(
  { engine, unenforced = [] }: RunResult,
  payload: Partial<ResultPayload>,
): Record<string, unknown> {
  return {
    // For programs: `structuredContent` is not there for every client.
    "mcp-bridge/result": payload,
    ...(engine !== undefined && { "mcp-bridge/engine": engine }),
    ...(unenforced.length > 0 && { "mcp-bridge/unenforced": unenforced }),
  };
}

function toCompactText(payload: ResultPayload): string {
  const { status, summary, exitCode, stdout = [], stderr = [], error = "", notes = [] } = payload;
  let page = "";
  const add = (block: string) => page += page === "" ? block : `\n${block}`;
  const addMissing = (text: string, prefix = "") => {
    const block = trimmedLines(text).join("\n");
    if (!page.includes(block)) add(prefix + block);
  };
  if (status !== "success") add(`status: ${status}`);
  if (exitCode) add(`exit: ${exitCode}`);
  if (stdout.length > 0) add(stdout.join("\n"));
  if (stderr.length > 0) add(`stderr:\n${stderr.join("\n")}`);
  // A summary that only says what kind of error there was is left to the error itself.
  const isSummed = stdout.length + stderr.length === 0 && summary.includes(error);
  if (isSummed) add(trimmedLines(summary).join("\n"));
  addMissing(error, "error: ");
  for (const note of notes) addMissing(note);
  return page;
}
