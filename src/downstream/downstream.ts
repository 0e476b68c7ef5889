/**
 * The port to the user's own MCP servers, as the rooms above see it. Behind it clients start on demand,
 * are shared, kept warm and stopped; catalogues are cached on disk.
 */
import type { SkippedEntry } from "../discovery/entry/server_entry.ts";
import type { JsonText } from "../shared/json/json_text.ts";
import type { PausableClock } from "../shared/pausable_clock.ts";
import type { Unread } from "../shared/byte_budget.ts";
import type { Asker } from "../questions/asker.ts";

/** A tool as its server lists it. */
export interface DownstreamTool {
  name: string;
  /** Its name in Python. */
  alias: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
}

/** A configured server. */
export interface DownstreamServer {
  name: string;
  /** Its name in Python, without `mcp_` before it. */
  alias: string;
  description: string;
}

/** A server whose catalogue is known. */
export interface LoadedServer extends DownstreamServer {
  tools: readonly DownstreamTool[];
}

/** Options of {@link Downstream.callTool}. */
export interface CallOptions {
  /** Cancels the call downstream, too. */
  signal: AbortSignal;
  timeoutMs: number;
  /** The client that the call is made for, to whom the server's questions go. @default nobody */
  asker?: Asker | undefined;
  /** The time of the run, which stands still while somebody is asked. @default one that does not */
  clock?: PausableClock | undefined;
  /** While too much is in there, no more of what a server sends is read, where it can be left. @default nothing is */
  unread?: Unread | undefined;
}

/** One piece of a result that is not plain data. */
export type ContentItem =
  | { type: "text"; text: string }
  | { type: "blob"; mime_type: string; data: string; uri?: string }
  | { type: "link"; uri: string; name: string };

/** What a call gave: a value, a text that may be the JSON of one, or several items. */
export type CallOutcome =
  | { kind: "value"; value: JsonText }
  | { kind: "text"; text: string; mayBeJson: boolean }
  | { kind: "content"; content: readonly ContentItem[] }
  | { kind: "failed"; message: string; result: JsonText };

/** A tool's documentation. */
export interface ToolDoc {
  server: string;
  serverAlias: string;
  tool: string;
  toolAlias: string;
  signature: string;
  /** The type of the result in `signature` is that of results so far: the tool itself promises none. */
  observed?: true;
  description?: string;
  inputSchema?: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
}

/** A hit of a search. */
export interface SearchHit extends ToolDoc {
  score: number;
}

/** A server that a search could not look through: it is not up yet, or could not be started. */
export interface Unsearched {
  name: string;
  /** Why it could not be started. */
  reason?: string;
}

/** How much a doc says. */
export type Detail = "summary" | "full";

/** A resource, or a template of more, in the names that Python sees. */
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

/** One message of a prompt. */
export interface PromptMessage {
  role: string;
  content: ContentItem;
}

/** What one server offers besides tools. Each method throws an `AppError` where it gets no answer. */
export interface ServerContent {
  /** The resources, then the templates of more. */
  listResources(): Promise<readonly ListedResource[]>;
  /** What a resource holds. */
  readResource(uri: string): Promise<CallOutcome>;
  /** The prompts with their arguments. */
  listPrompts(): Promise<readonly ListedPrompt[]>;
  /** The messages of a prompt. */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
  ): Promise<readonly PromptMessage[]>;
}

/** The user's servers. Names are the original ones, never aliases. */
export interface Downstream extends AsyncDisposable {
  /** Every configured server, in order of precedence; reads changed configuration files first. */
  servers(): Promise<readonly DownstreamServer[]>;
  /** Entries that are not used and why, as {@link Downstream.servers} last saw them. */
  skipped(): readonly SkippedEntry[];
  /**
   * A server with its tools: started, if need be, when its catalogue is not known.
   *
   * @throws {AppError} if it cannot be started; the message holds the tail of its stderr.
   */
  load(name: string, signal: AbortSignal, asker?: Asker): Promise<LoadedServer>;
  /**
   * Calls a tool by its raw name (or alias). `args` is an object, sent as the text it is.
   *
   * @throws {AppError} if the server cannot be reached or has no such tool (with a did-you-mean).
   */
  callTool(
    server: string,
    tool: string,
    args: JsonText,
    options: CallOptions,
  ): Promise<CallOutcome>;
  /** The whole result as it came, for `raw=True`. Throws like {@link Downstream.callTool}. */
  callToolRaw(
    server: string,
    tool: string,
    args: JsonText,
    options: CallOptions,
  ): Promise<JsonText>;
  /** The resources and prompts of a server; throws if there is no such server. */
  content(server: string, options: CallOptions): Promise<ServerContent>;
  /** Docs of a server's tools; of one if `tool` is given (alias or raw name, any case). */
  docs(
    server: string,
    tool: string | undefined,
    detail: Detail,
    asker?: Asker,
  ): Promise<readonly ToolDoc[]>;
  /**
   * Python stubs of a server's tools; of some if `tools` names any, as {@link Downstream.docs} takes names.
   * Throws like {@link Downstream.load}.
   */
  stubs(
    server: string,
    tools: readonly string[],
    signal: AbortSignal,
    asker?: Asker,
  ): Promise<string>;
  /** Ranked hits over all servers whose catalogue is known, and the servers whose is not. */
  search(
    query: string,
    options: { limit: number; detail: Detail; asker?: Asker | undefined },
  ): Promise<{ hits: readonly SearchHit[]; unsearched: readonly Unsearched[] }>;
}
