/**
 * What one run may reach of the user's servers. Every request of its program passes here: who may be
 * asked, for how long, and for whom is decided in this one place.
 */
import type { Asker } from "../questions/asker.ts";
import { AppError, describeError } from "../shared/errors.ts";
import type { JsonText } from "../shared/json/json_text.ts";
import type { PausableClock } from "../shared/pausable_clock.ts";
import type { Unread } from "../shared/byte_budget.ts";
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
import { describeRefusal, describeUnknownServers, type KnownServers } from "./unknown_server.ts";

/** The run, as its servers see it. */
export interface RunScope {
  /** Servers it was given; no other can be called. */
  servers: readonly string[];
  /** Aborted when it is over. */
  signal: AbortSignal;
  /** Milliseconds that are left of its time. */
  remainingMs(): number;
  /** Its client, to whom questions of servers go. The sandbox has no part in them. */
  asker?: Asker | undefined;
  /** Its time, which stands still while somebody is asked. */
  clock?: PausableClock | undefined;
  /** What was sent to its sandbox and not read yet, once it has one. */
  unread?(): Unread | undefined;
  /** Told of each request that goes to a server. */
  onCall?(label: string): void;
}

/** A server that was given to a run and cannot be used in it. */
export interface FailedServer extends Pick<DownstreamServer, "name" | "alias"> {
  error: string;
}

/** Gives each run what it may reach. */
export type ForRun = (scope: RunScope) => Promise<RunReach>;

/** Reads the configuration once for each run; rejects if it names one that is not there. */
export function forRun(downstream: Downstream): ForRun {
  return async (scope) => {
    const configured = await downstream.servers();
    const names = configured.map(({ name }) => name);
    const known = { names, skipped: downstream.skipped() };
    const unknown = describeUnknownServers(scope.servers, known);
    if (unknown !== undefined) throw new AppError(unknown);
    return new RunReach(downstream, scope, configured, known);
  };
}

/** The user's servers for one run. */
export class RunReach {
  readonly #downstream: Downstream;
  readonly #scope: RunScope;
  readonly #configured: readonly DownstreamServer[];
  readonly #known: KnownServers;

  constructor(
    downstream: Downstream,
    scope: RunScope,
    configured: readonly DownstreamServer[],
    known: KnownServers,
  ) {
    this.#downstream = downstream;
    this.#scope = scope;
    this.#configured = configured;
    this.#known = known;
  }

  /** Names of the servers that the run was given. */
  get servers(): readonly string[] {
    return this.#scope.servers;
  }

  /** Every configured server: name → description. */
  get discovered(): Record<string, string> {
    return Object.fromEntries(this.#configured.map(({ name, description }) => [name, description]));
  }

  /** Those that the run was given, all at the same time; one that fails does not stop the others. */
  load(signal: AbortSignal): Promise<ReadonlyArray<LoadedServer | FailedServer>> {
    const aliases = new Map(this.#configured.map(({ name, alias }) => [name, alias]));
    return Promise.all(this.servers.map(async (name) => {
      try {
        return await this.#downstream.load(name, signal, this.#scope.asker);
      } catch (error) {
        return { name, alias: aliases.get(name) ?? name, error: describeError(error) };
      }
    }));
  }

  /** Calls a tool; see {@link Downstream.callTool}. */
  async callTool(server: string, tool: string, args: JsonText): Promise<CallOutcome> {
    const options = this.#admit(server, `${server}.${tool}`);
    return await this.#downstream.callTool(server, tool, args, options);
  }

  /** The whole result as it came; see {@link Downstream.callToolRaw}. */
  async callToolRaw(server: string, tool: string, args: JsonText): Promise<JsonText> {
    const options = this.#admit(server, `${server}.${tool}`);
    return await this.#downstream.callToolRaw(server, tool, args, options);
  }

  /** The `resources` or the `prompts` of a server. */
  async content(server: string, what: "resources" | "prompts"): Promise<ServerContent> {
    return await this.#downstream.content(server, this.#admit(server, `${server}: ${what}`));
  }

  /** Tools of any configured server. */
  async tools(server: string): Promise<readonly DownstreamTool[]> {
    const { signal, asker } = this.#scope;
    return (await this.#downstream.load(server, signal, asker)).tools;
  }

  /** Docs of any configured server's tools, or of one. */
  async docs(
    server: string,
    tool: string | undefined,
    detail: Detail,
  ): Promise<readonly ToolDoc[]> {
    return await this.#downstream.docs(server, tool, detail, this.#scope.asker);
  }

  /** Python stubs of any configured server's tools, or of some. */
  async stubs(server: string, tools: readonly string[]): Promise<string> {
    const { signal, asker } = this.#scope;
    return await this.#downstream.stubs(server, tools, signal, asker);
  }

  /** The tools that fit some words best, whoever has them. */
  async search(
    query: string,
    options: { limit: number; detail: Detail },
  ): Promise<{ hits: readonly SearchHit[]; unsearched: readonly Unsearched[] }> {
    return await this.#downstream.search(query, { ...options, asker: this.#scope.asker });
  }

  /** SECURITY: allow-list of the run, whatever objects code kept of earlier runs. */
  #admit(server: string, label: string): CallOptions {
    const { servers, signal, asker, clock, unread, remainingMs, onCall } = this.#scope;
    if (!servers.includes(server)) {
      throw new AppError(describeRefusal(server, this.#known));
    }
    onCall?.(label);
    return { signal, timeoutMs: remainingMs(), asker, clock, unread: unread?.() };
  }
}
