/**
 * Everything a sandbox may ask the host for: each kind of request with what it holds and what is answered.
 *
 * A request is the sandbox's and is parsed by its schema, once. A reply is ours: the compiler checks it, and
 * nothing else. Field names are the ones Python sees. `tests/fixtures/rpc/` holds examples of both that both
 * sides check.
 */
import { z } from "zod";
import { JsonText } from "../shared/json/json_text.ts";

/** Longest piece of a file in one message, in bytes: base64 makes 4 MiB of it. */
const MAX_PIECE_BYTES = 3 * 1024 * 1024;

const server = z.string();
const key = z.string();
const fileName = z.string().max(1000);
const detail = z.enum(["summary", "full"]).default("summary");

/** Stays the text it came as: read as JavaScript's numbers, large integers would change. */
const json = z.string().refine(isJson, "must be JSON text");

/** Every kind of request. */
export const RPC = {
  /** Names of the servers that the run was given. */
  list_servers: asks({}).gets<{ servers: readonly string[] }>(),

  /** Calls a tool of a server that the run was given; `raw` gives the whole result as it came. */
  call_tool: asks({
    server,
    tool: z.string(),
    arguments: z.instanceof(JsonText).default(JsonText.of({})),
    raw: z.boolean().default(false),
  }).gets<ServerValue>(),

  /** The tools of any configured server. */
  list_tools: asks({ server }).gets<{ tools: readonly ToolMetadata[] }>(),

  /** Docs of the tools of any configured server, or of one. */
  query_tool_docs: asks({ server, tool: z.string().nullish(), detail })
    .gets<{ docs: readonly ToolDoc[] }>(),

  /** The tools that fit some words best. Any number is welcome and clamped, as `timeout` is. */
  search_tool_docs: asks({ query: z.string().max(10_000), limit: z.number().default(5), detail })
    .gets<{ results: ReadonlyArray<ToolDoc & { loaded: boolean }> }>(),

  /** Python stubs of the tools of any configured server, or of some. */
  stubs: asks({ server, tools: z.array(z.string()).max(1000).default([]) })
    .gets<{ stubs: string }>(),

  /** Resources of a server that the run was given, then templates of more. */
  list_resources: asks({ server }).gets<{ resources: readonly ListedResource[] }>(),

  read_resource: asks({ server, uri: z.string().max(100_000) }).gets<ServerValue>(),

  /** Prompts of a server that the run was given. */
  list_prompts: asks({ server }).gets<{ prompts: readonly ListedPrompt[] }>(),

  get_prompt: asks({
    server,
    name: z.string().max(1000),
    arguments: z.record(z.string(), z.string()).default({}),
  }).gets<{ messages: ReadonlyArray<{ role: string; content: ContentItem }> }>(),

  save_memory: asks({ key, value: json, metadata: json.optional() }).gets<{ info: MemoryInfo }>(),

  load_memory: asks({ key }).gets<{ record: MemoryVersion | null }>(),

  /** Replaces the version that is named, null for none; gives the one that is there instead. */
  update_memory: asks({ key, value: json, version: z.string().nullable() })
    .gets<{ saved: true } | { saved: false; record: MemoryVersion | null }>(),

  /** Says whether it was there. */
  delete_memory: asks({ key }).gets<{ deleted: boolean }>(),

  list_memories: asks({})
    .gets<{ memories: ReadonlyArray<MemoryInfo | { key: string | null; error: string }> }>(),

  get_memory_info: asks({ key }).gets<{ info: MemoryInfo | null }>(),

  /** Keeps a function of the program. */
  save_tool: asks({
    name: z.string().regex(/^[\p{ID_Start}][\p{ID_Continue}]*$/u, "must be an identifier"),
    signature: z.string().max(4000),
    description: z.string().max(4000),
    source: z.string(),
  }).gets<Nothing>(),

  list_saved_tools: asks({})
    .gets<{ tools: ReadonlyArray<SavedToolInfo | { name: string; error: string }> }>(),

  /** Says whether it was there. */
  delete_saved_tool: asks({ name: z.string() }).gets<{ deleted: boolean }>(),

  /** Keeps a piece of a file of this run, in base64; the reply to the last one says where it can be read. */
  save_file: asks({
    name: fileName,
    offset: z.int().nonnegative(),
    data: z.string().max(MAX_PIECE_BYTES / 3 * 4),
    last: z.boolean(),
  }).gets<{ file?: KeptFile }>(),

  /** Has a kept file shown in the answer. */
  show_file: asks({ name: fileName }).gets<Nothing>(),

  /** A piece of what an earlier run of the session printed, in base64, and the size of the whole in bytes. */
  read_output: asks({
    run: z.int().negative(),
    stream: z.enum(["stdout", "stderr"]).default("stdout"),
    offset: z.int().nonnegative().default(0),
    length: z.int().positive().max(MAX_PIECE_BYTES).default(MAX_PIECE_BYTES),
  }).gets<{ data: string; size: number }>(),
};

/** A kind of request: `type` in its payload. */
export type RpcKind = keyof typeof RPC;

/** What a request of a kind holds, once it is parsed. */
export type RpcRequest<K extends RpcKind> = z.output<(typeof RPC)[K]["request"]>;

/** The answer to a request of a kind. A {@link JsonText} is sent as the value it is the text of. */
export type RpcReply<K extends RpcKind = RpcKind> =
  | { [Kind in K]: { success: true } & Exclude<(typeof RPC)[Kind]["reply"], undefined> }[K]
  | RpcFailure;

/** Why there is no answer; a tool that failed gave a result as well. */
export type RpcFailure = { success: false; error: string; result?: JsonText };

/** What a server gave: a value, the text that it is the JSON of or the value itself, or several items. */
export type ServerValue =
  | { result: JsonText | string }
  | { text: string }
  | { content: readonly ContentItem[] };

/** A piece of what a server sent. */
export type ContentItem =
  | { type: "text"; text: string }
  | { type: "blob"; mime_type: string; data: string; uri?: string }
  | { type: "link"; uri: string; name: string };

/** A tool of a downstream server, as a program sees it, and its signature, which it is shown with. */
export interface ToolMetadata {
  name: string;
  alias: string;
  description: string;
  input_schema: Record<string, unknown>;
  output_schema?: Record<string, unknown>;
  signature: string;
}

/** A tool's documentation, as programs see it. */
export interface ToolDoc {
  server: string;
  serverAlias: string;
  tool: string;
  toolAlias: string;
  signature: string;
  observed?: true;
  description?: string;
  inputSchema?: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
}

/** A resource, or with `uri_template` many of them. */
export type ListedResource =
  & ({ uri: string; uri_template?: undefined } | { uri_template: string; uri?: undefined })
  & {
    name?: string | undefined;
    title?: string | undefined;
    description?: string | undefined;
    mime_type?: string | undefined;
    size?: number | undefined;
  };

/** A prompt and what it takes. */
export interface ListedPrompt {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  arguments?: readonly ListedArgument[] | undefined;
}

/** An argument of a prompt. */
export interface ListedArgument {
  name: string;
  description?: string | undefined;
  required?: boolean | undefined;
}

/** What is known of a memory besides its value; `metadata` is JSON. */
export interface MemoryInfo {
  key: string;
  bytes: number;
  created: string;
  updated: string;
  metadata?: string;
}

/** The value of a memory as JSON, and which one it is. */
export interface MemoryVersion {
  value: string;
  version: string;
}

/** A function that is kept. */
export interface SavedToolInfo {
  name: string;
  signature: string;
  description: string;
  updated_at: string;
}

/** A file of this run, as the client finds it. */
export interface KeptFile {
  name: string;
  uri: string;
  mimeType: string;
  size: number;
}

type Nothing = Record<never, never>;

/** One row of the table. `reply` is its type and never there. */
interface Kind<Request extends z.ZodType, Reply> {
  request: Request;
  reply?: Reply;
}

function asks<const Shape extends z.core.$ZodShape>(shape: Shape) {
  const request = z.object(shape);
  return { gets: <Reply>(): Kind<typeof request, Reply> => ({ request }) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return text.isWellFormed();
  } catch {
    return false;
  }
}
