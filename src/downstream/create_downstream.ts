/** Puts the room together: the user's servers behind the port of `downstream.ts`. */
import type { ServerDiscovery, SkippedEntry } from "../discovery/entry/server_entry.ts";
import { AppError } from "../shared/errors.ts";
import type { JsonText } from "../shared/json/json_text.ts";
import type { Logger } from "../shared/log.ts";
import { inTurns } from "../shared/stretch.ts";
import { CatalogCache } from "./catalog/catalog_cache.ts";
import { Catalogs, findTool, pickTools, toUnknownTool } from "./catalog/catalog.ts";
import { ClientContent } from "./call/client_content.ts";
import { ClientPool } from "./connection/client_pool.ts";
import type {
  CallOptions,
  CallOutcome,
  Detail,
  Downstream,
  DownstreamServer,
  DownstreamTool,
  LoadedServer,
  SearchHit,
  ServerContent,
  ToolDoc,
  Unsearched,
} from "./downstream.ts";
import type { DownstreamClient } from "./connection/downstream_client.ts";
import { ObservedShapes, type ShapesByTool } from "./catalog/observed_shapes.ts";
import type { Asker } from "../questions/asker.ts";
import { type CallReply, isFailure } from "./call/send_call.ts";
import type { Environment } from "./transport/server_environment.ts";
import { toSafeReply } from "./connection/safe_reply.ts";
import { type RegisteredServer, ServerRegistry } from "./catalog/server_registry.ts";
import { ServerSearch } from "./docs/server_search.ts";
import { isSilent } from "../languages/python/signature.ts";
import { toStubs } from "../languages/python/stub_text.ts";
import { toToolDoc } from "./docs/tool_docs.ts";
import { unwrapResult } from "./call/unwrap_result.ts";

/** Options of {@link createDownstream}. */
export interface DownstreamOptions {
  discovery: ServerDiscovery;
  /** Folder for catalogues; without one they are kept in memory. */
  cacheDir?: string | undefined;
  log: Logger;
  /** Variables of this process; servers get those of `inheritedVariables()` and no other. */
  env: Environment;
  /** How long a server that nobody uses is kept. @default 600 */
  idleSeconds?: number;
  /** @default 30 */
  startTimeoutSeconds?: number;
}

/** The user's servers; nothing is read or started before it is asked for. */
export function createDownstream(options: DownstreamOptions): Downstream {
  return new Servers(options);
}

class Servers implements Downstream {
  readonly #registry: ServerRegistry;
  readonly #catalogs: Catalogs;
  readonly #observed: ObservedShapes;
  readonly #pool: ClientPool;
  readonly #search: ServerSearch;

  constructor(options: DownstreamOptions) {
    const { discovery, cacheDir, log, env } = options;
    const cache = new CatalogCache(cacheDir, log);
    this.#registry = new ServerRegistry(discovery, cache, log);
    this.#catalogs = new Catalogs(cache);
    this.#observed = new ObservedShapes(cache, log);
    const idleMs = (options.idleSeconds ?? 600) * 1000;
    const startTimeoutMs = (options.startTimeoutSeconds ?? 30) * 1000;
    const settings = { env, startTimeoutMs, idleMs, log };
    this.#pool = new ClientPool(settings, (digest) => this.#catalogs.memoryOf(digest));
    const { signal } = new AbortController();
    this.#search = new ServerSearch(this.#catalogs, (server, asker) => {
      const limits = { signal, timeoutMs: Infinity, keep: false };
      return this.#client(server, asker).learnTools({ ...limits, asker });
    });
  }

  async servers(): Promise<readonly DownstreamServer[]> {
    return [...(await this.#configured()).values()].map(toPlain);
  }

  skipped(): readonly SkippedEntry[] {
    return this.#registry.skipped;
  }

  async load(name: string, signal: AbortSignal, asker?: Asker): Promise<LoadedServer> {
    const server = await this.#registry.get(name);
    const known = await this.#catalogs.find(server.digest);
    if (known !== undefined) return { ...toPlain(server), tools: known.tools };
    await this.#client(server, asker).learnTools({
      signal,
      timeoutMs: Infinity,
      keep: true,
      asker,
    });
    const learned = await this.#catalogs.find(server.digest);
    if (learned === undefined) {
      throw new AppError(`"${name}" has no list of tools`);
    }
    return { ...toPlain(server), tools: learned.tools };
  }

  async callTool(
    server: string,
    tool: string,
    args: JsonText,
    options: CallOptions,
  ): Promise<CallOutcome> {
    const { reply, called, digest } = await this.#call(server, tool, args, options);
    if (reply.kind === "error") {
      return { kind: "failed", message: reply.message, result: reply.text };
    }
    const outcome = unwrapResult(reply, called.outputSchema);
    this.#observed.note(digest, called, outcome);
    return outcome;
  }

  async callToolRaw(
    server: string,
    tool: string,
    args: JsonText,
    options: CallOptions,
  ): Promise<JsonText> {
    const { reply } = await this.#call(server, tool, args, options);
    if (reply.kind === "result") return reply.text;
    throw new AppError(reply.message);
  }

  async content(server: string, options: CallOptions): Promise<ServerContent> {
    const found = await this.#registry.get(server);
    return new ClientContent(server, this.#client(found, options.asker), options);
  }

  async docs(
    server: string,
    tool: string | undefined,
    detail: Detail,
    asker?: Asker,
  ): Promise<readonly ToolDoc[]> {
    await this.#configured();
    const loaded = await this.load(server, new AbortController().signal, asker);
    const tools = pickTools(loaded, tool === undefined ? [] : [tool]);
    const withShapes = await this.#withShapes(loaded.name, tools);
    const docs: ToolDoc[] = [];
    for await (const one of inTurns(withShapes)) docs.push(toToolDoc(loaded, one, detail));
    return docs;
  }

  async stubs(
    server: string,
    tools: readonly string[],
    signal: AbortSignal,
    asker?: Asker,
  ): Promise<string> {
    await this.#configured();
    const loaded = await this.load(server, signal, asker);
    return toStubs(loaded, await this.#withShapes(loaded.name, pickTools(loaded, tools)));
  }

  async search(
    query: string,
    options: { limit: number; detail: Detail; asker?: Asker | undefined },
  ): Promise<{ hits: readonly SearchHit[]; unsearched: readonly Unsearched[] }> {
    const servers = [...(await this.#configured()).values()];
    const { ranked, unsearched } = await this.#search.search(servers, query, options);
    const hits = await Promise.all(ranked.map(async ({ server, tool, score }) => {
      const [found] = await this.#withShapes(server.name, [tool]);
      return { ...toToolDoc(server, found!, options.detail), score };
    }));
    return { hits, unsearched };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
    await Promise.all([this.#catalogs.flush(), this.#observed.flush()]);
  }

  /** Tools with what was seen of their results. */
  async #withShapes(name: string, tools: readonly DownstreamTool[]) {
    const shapes = await this.#observed.find((await this.#registry.get(name)).digest);
    return tools.map((tool) => ({ ...tool, ...shapeOf(tool, shapes) }));
  }

  /** Reads the configuration; clients of entries that are gone or others now are let go. */
  async #configured(): Promise<ReadonlyMap<string, RegisteredServer>> {
    const servers = await this.#registry.current();
    this.#pool.keepOnly(servers);
    return servers;
  }

  #client(server: RegisteredServer, asker: Asker | undefined): DownstreamClient {
    return this.#pool.get(server, asker?.abilities);
  }

  async #call(
    name: string,
    wanted: string,
    args: JsonText,
    options: CallOptions,
  ): Promise<{ reply: CallReply; called: DownstreamTool; digest: string }> {
    const server = await this.#registry.get(name);
    const deadline = performance.now() + options.timeoutMs;
    const tool = await this.#findTool(server, wanted, options);
    const timeoutMs = deadline - performance.now();
    const client = this.#client(server, options.asker);
    const answer = await client.callTool(tool, args, { ...options, timeoutMs });
    const reply = isFailure(answer) ? toSafeReply(answer, server.entry.transport) : answer;
    return { reply, called: tool, digest: server.digest };
  }

  async #findTool(
    server: RegisteredServer,
    wanted: string,
    options: CallOptions,
  ): Promise<DownstreamTool> {
    const known = await this.#catalogs.find(server.digest);
    const found = known && findTool(known.tools, wanted);
    if (found !== undefined) return found;
    // What is on disk may be of yesterday: the server itself has the last word.
    await this.#client(server, options.asker).learnTools({ ...options, keep: true });
    const tools = (await this.#catalogs.find(server.digest))?.tools ?? [];
    const listed = findTool(tools, wanted);
    if (listed === undefined) throw toUnknownTool({ ...toPlain(server), tools }, wanted);
    return listed;
  }
}

function toPlain({ entry, alias }: RegisteredServer): DownstreamServer {
  return { name: entry.name, alias, description: entry.description };
}

/** What was seen of a tool's results, where it promises nothing itself. */
function shapeOf({ name, outputSchema }: DownstreamTool, shapes: ShapesByTool) {
  const observed = shapes.get(name);
  return observed !== undefined && isSilent(outputSchema) ? { observed } : {};
}
