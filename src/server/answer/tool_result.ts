/**
 * `RunResult` → the answer of `run_python`, in the words and data the model gets. Pure, except that the
 * TOON encoder is loaded when a first answer needs it.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Config } from "../../config/schema.ts";
import type { Artifact, RunResult, RunStatus } from "../../session/run_result.ts";

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

/** What an answer says; the fields stand in the order clients see them, and empty ones are absent. */
export interface ResultPayload {
  status: RunStatus;
  summary: string;
  exitCode?: number;
  servers?: readonly string[];
  stdout?: readonly string[];
  stderr?: readonly string[];
  error?: string;
  notes?: readonly string[];
  timeoutSeconds?: number;
  artifacts?: readonly Artifact[];
  session?: string;
}

/** Everything, with the streams as they came. */
function toFullPayload(result: RunResult): ResultPayload {
  return toPayload(result, linesOf(result.stdout), linesOf(result.stderr));
}

/** Everything, without the blank lines around each stream. */
function toTrimmedPayload(result: RunResult): ResultPayload {
  return toPayload(result, trimmedLines(result.stdout), trimmedLines(result.stderr));
}

/** What is left of a payload when all that goes without saying is left out. */
function toCompactPayload(payload: ResultPayload): Partial<ResultPayload> {
  const { status, summary, exitCode, ...rest } = payload;
  const failed = status !== "success";
  return {
    ...(failed && { status }),
    ...((failed || rest.stdout === undefined) && { summary }),
    ...(exitCode && { exitCode }),
    ...rest,
  };
}

/** The lines of `text`, without blank ones at its start and its end. */
function trimmedLines(text: string): string[] {
  const lines = linesOf(text);
  const isShown = (line: string) => line.trim() !== "";
  const first = lines.findIndex(isShown);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isShown) + 1);
}

function toPayload(result: RunResult, stdout: string[], stderr: string[]): ResultPayload {
  const { status, exitCode, servers, error, notes, timeoutSeconds, artifacts, session } = result;
  const hasOutput = stdout.length + stderr.length + artifacts.length > 0;
  return {
    status,
    summary: summarize(result, hasOutput),
    ...(exitCode !== undefined && { exitCode }),
    ...(servers.length > 0 && { servers }),
    ...(stdout.length > 0 && { stdout }),
    ...(stderr.length > 0 && { stderr }),
    ...(error && { error }),
    ...(notes.length > 0 && { notes }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(session && { session }),
  };
}

function summarize(result: RunResult, hasOutput: boolean): string {
  const error = result.error ?? "no reason was given";
  switch (result.status) {
    case "success":
      return hasOutput ? "Success" : "Success (no output)";
    case "error":
      return `Sandbox error: ${error}`;
    case "timeout":
      return `Timeout: execution exceeded ${result.timeoutSeconds}s`;
    case "cancelled":
      return "Cancelled";
    case "validation_error":
      return error;
  }
}

/** A newline ends a line; it does not begin another. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * Clients that show it to the model, by `clientInfo.name`, with what was seen of which version: the text on the
 * right is for readers. docs/clients.md says how it was seen.
 */
export const SHOWN_TO_THE_MODEL: Readonly<Record<string, string>> = {
  "claude-code": "2.1.197: the JSON in place of the text; images stay",
  "codex-mcp-client": "0.169.0: the JSON in place of everything; no image reaches the model",
  "copilot-cli": "1.0.102: the JSON after the text, which says the same",
  "@cline/core": "0.0.0, of cline 3.0.65: the whole result as JSON",
  "mcporter": "0.9.0, of mcporter 0.12.3: the JSON in place of everything",
};

/** The answer as a client should have it; what is left out is in `_meta`, as it always is. */
export function fitToClient(
  answer: CallToolResult,
  client: string,
  mode: Config["structured"],
): CallToolResult {
  const isLeftOut = mode === "auto" ? Object.hasOwn(SHOWN_TO_THE_MODEL, client) : mode === "never";
  if (!isLeftOut) return answer;
  const { structuredContent: _, ...rest } = answer;
  return rest;
}
