/** What is known of the tools of all servers: in memory, with the disk behind it. */
import { inTurns } from "../../shared/stretch.ts";
import { assignAliases } from "../../languages/python/alias.ts";
import type { CatalogCache, StoredCatalog } from "./catalog_cache.ts";
import type { RememberedLink } from "../connection/connect_plan.ts";
import type { DownstreamTool } from "../downstream.ts";
import { type ListedTool, toReadable } from "./list_tools.ts";
import type { ServerMemory } from "../connection/server_memory.ts";

/** The tools of one server at one time. */
export interface Catalog {
  tools: readonly DownstreamTool[];
  /** Another number whenever the tools are others. */
  revision: number;
}

interface Known {
  link?: RememberedLink;
  catalog?: Catalog;
}

/** Catalogues by the digest of how their server is reached. */
export class Catalogs {
  readonly #cache: CatalogCache;
  readonly #known = new Map<string, Promise<Known>>();
  readonly #writing = new Set<Promise<void>>();
  #revision = 0;

  constructor(cache: CatalogCache) {
    this.#cache = cache;
  }

  /** The catalogue of a server, or undefined while it is not known. */
  async find(digest: string): Promise<Catalog | undefined> {
    return (await this.#read(digest)).catalog;
  }

  /** What a client reads and tells of its server. */
  memoryOf(digest: string): ServerMemory {
    return {
      link: async () => (await this.#read(digest)).link,
      onConnected: async (link) => {
        (await this.#read(digest)).link = link;
      },
      onTools: async (tools) => {
        const known = await this.#read(digest);
        await this.#update(known, tools);
        this.#write(digest, known);
      },
    };
  }

  /** Waits until what is to be kept is on disk. */
  async flush(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #read(digest: string): Promise<Known> {
    let known = this.#known.get(digest);
    if (known === undefined) {
      known = this.#cache.read(digest).then((stored) => this.#toKnown(stored));
      this.#known.set(digest, known);
    }
    return known;
  }

  #toKnown(stored: StoredCatalog | undefined): Known {
    const { link, tools } = stored ?? {};
    const catalog = tools && { tools: tools.map(toTool), revision: ++this.#revision };
    return { ...(link && { link }), ...(catalog && { catalog }) };
  }

  async #update(known: Known, listed: readonly ListedTool[]): Promise<void> {
    const { catalog } = known;
    const before = catalog?.tools ?? [];
    const previous = new Map(before.map(({ name, alias }) => [name, alias]));
    const aliases = assignAliases(listed.map(({ name }) => name), "tool", previous);
    const tools = listed.map((tool) => ({ ...tool, alias: aliases.get(tool.name)! }));
    // Who searches builds an index of all tools anew when one catalogue has another revision.
    const isNew = catalog === undefined || !await isSame(before, tools);
    // Another client of the server may have told its tools meanwhile.
    if (known.catalog !== catalog) return await this.#update(known, listed);
    if (isNew) known.catalog = { tools, revision: ++this.#revision };
  }

  #write(digest: string, { link, catalog }: Known): void {
    const stored = {
      ...(link && { link }),
      ...(catalog && { tools: [...catalog.tools] }),
    };
    const writing = this.#cache.write(digest, stored).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}

/** What was stored is as foreign as what a server sends. */
function toTool({ outputSchema, ...tool }: NonNullable<StoredCatalog["tools"]>[number]) {
  const [readable] = toReadable({ ...tool, ...(outputSchema && { outputSchema }) });
  return readable;
}

async function isSame(
  a: readonly DownstreamTool[],
  b: readonly DownstreamTool[],
): Promise<boolean> {
  if (a.length !== b.length) return false;
  for await (const [index, tool] of inTurns(a.entries())) {
    if (JSON.stringify(inOrder(tool)) !== JSON.stringify(inOrder(b[index]!))) return false;
  }
  return true;
}

function inOrder({ name, alias, description, inputSchema, outputSchema }: DownstreamTool) {
  return [name, alias, description, inputSchema, outputSchema];
}
