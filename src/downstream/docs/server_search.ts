/**
 * Search over the tools of all servers. A first search has the servers tell their tools that nobody knows
 * yet; what it could not look through, it says.
 */
import { type RankedTool, type SearchableServer, ToolSearch } from "./tool_search.ts";
import type { Catalogs } from "../catalog/catalog.ts";
import type { RegisteredServer } from "../catalog/server_registry.ts";
import type { Unsearched } from "../downstream.ts";
import type { Asker } from "../../questions/asker.ts";
import { settledWithin } from "../../shared/deadline.ts";
import { describeError } from "../../shared/errors.ts";

/** Has a server tell its tools, and stops it again if it was started for that. */
export type Learn = (server: RegisteredServer, asker: Asker | undefined) => Promise<void>;

/** Finds tools of any server. */
export class ServerSearch {
  readonly #catalogs: Catalogs;
  readonly #learn: Learn;
  readonly #index = new ToolSearch();
  /** Servers that were started for a search; that is done once. Those that failed have a reason. */
  readonly #tried = new Map<string, string | undefined>();
  #learning: Promise<void> | undefined;

  constructor(catalogs: Catalogs, learn: Learn) {
    this.#catalogs = catalogs;
    this.#learn = learn;
  }

  /** The tools that fit best, and the servers that could not be looked through. */
  async search(
    servers: readonly RegisteredServer[],
    query: string,
    { limit, asker }: { limit: number; asker?: Asker | undefined },
  ): Promise<{ ranked: RankedTool[]; unsearched: Unsearched[] }> {
    await this.#learnUnknown(servers, asker);
    const known: SearchableServer[] = [];
    const unsearched: Unsearched[] = [];
    for (const { entry: { name, description }, alias, digest } of servers) {
      const catalog = await this.#catalogs.find(digest);
      const reason = this.#tried.get(digest);
      if (catalog !== undefined) known.push({ name, alias, description, ...catalog });
      else unsearched.push({ name, ...(reason !== undefined && { reason }) });
    }
    return { ranked: await this.#index.search(known, query, limit), unsearched };
  }

  /** Those who search at the same time wait together. */
  async #learnUnknown(
    servers: readonly RegisteredServer[],
    asker: Asker | undefined,
  ): Promise<void> {
    const known = await Promise.all(servers.map(({ digest }) => this.#catalogs.find(digest)));
    const unknown = servers.filter(({ digest }, index) =>
      known[index] === undefined && !this.#tried.has(digest)
    );
    if (unknown.length === 0 && this.#learning === undefined) return;
    this.#learning ??= learnUnknown(unknown, async (server) => {
      const { digest } = server;
      this.#tried.set(digest, undefined);
      await this.#learn(server, asker).catch((error) =>
        this.#tried.set(digest, describeError(error))
      );
    }).finally(() => this.#learning = undefined);
    await this.#learning;
  }
}

/** Options of {@link learnUnknown}. */
export interface LearnOptions {
  /** Servers that are started at the same time. @default 8 */
  atOnce?: number;
  /** Time for all of them together. @default 10_000 */
  limitMs?: number;
}

/**
 * Calls `learn` for each server, a few at a time, and returns when all are done or the time is over. Those
 * that are under way then go on by themselves; those that have not begun are left for another time.
 */
export async function learnUnknown<T>(
  servers: readonly T[],
  learn: (server: T) => Promise<void>,
  { atOnce = 8, limitMs = 10_000 }: LearnOptions = {},
): Promise<void> {
  const queue = [...servers];
  let isOver = false;
  const work = async () => {
    for (let next = queue.shift(); next !== undefined && !isOver; next = queue.shift()) {
      // A server that fails costs only itself; the search names it as unknown.
      await learn(next).catch(() => {});
    }
  };
  const workers = Array.from({ length: Math.min(atOnce, queue.length) }, work);
  await settledWithin(Promise.all(workers), limitMs);
  isOver = true;
}
