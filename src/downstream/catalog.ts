/** What is known of the tools of all servers: in memory, with the disk behind it. */
import { assignAliases } from "./alias.ts";
import type { CatalogCache, StoredCatalog } from "./catalog_cache.ts";
import type { RememberedLink } from "./connect_plan.ts";
import type { DownstreamTool } from "./downstream.ts";
import { type ListedTool, toReadable } from "./list_tools.ts";
import type { ServerMemory } from "./server_memory.ts";

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
        this.#update(known, tools);
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

  #update(known: Known, listed: readonly ListedTool[]): void {
    const before = known.catalog?.tools ?? [];
    const previous = new Map(before.map(({ name, alias }) => [name, alias]));
    const aliases = assignAliases(listed.map(({ name }) => name), "tool", previous);
    const tools = listed.map((tool) => ({ ...tool, alias: aliases.get(tool.name)! }));
    // Who searches builds an index of all tools anew when one catalogue has another revision.
    if (known.catalog !== undefined && isSame(before, tools)) return;
    known.catalog = { tools, revision: ++this.#revision };
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

function isSame(a: readonly DownstreamTool[], b: readonly DownstreamTool[]): boolean {
  return a.length === b.length && JSON.stringify(a.map(inOrder)) === JSON.stringify(b.map(inOrder));
}

function inOrder({ name, alias, description, inputSchema, outputSchema }: DownstreamTool) {
  return [name, alias, description, inputSchema, outputSchema];
}
