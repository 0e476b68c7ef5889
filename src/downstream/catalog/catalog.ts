/**
 * What is known of the tools of all servers: in memory, with the disk behind it; and finding a tool by a name
 * that somebody wrote.
 */
import { inTurns } from "../../shared/stretch.ts";
import { assignAliases } from "../../languages/python/alias.ts";
import type { CatalogCache, StoredCatalog } from "./catalog_cache.ts";
import type { RememberedLink } from "../connection/connect_plan.ts";
import { didYouMean } from "../../shared/did_you_mean.ts";
import { AppError } from "../../shared/errors.ts";
import type { DownstreamTool, LoadedServer } from "../downstream.ts";
import { type ListedTool, toReadable } from "./list_tools.ts";
import type { ServerMemory } from "../connection/server_memory.ts";

/** Most names in an error. */
const MAX_LISTED = 20;

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

/** The tool with this raw name or, failing that, this alias; with `anyCase`, however it is written. */
export function findTool(
  tools: readonly DownstreamTool[],
  wanted: string,
  options: { anyCase: boolean } = { anyCase: false },
): DownstreamTool | undefined {
  const { exact, anyCase } = indexOf(tools);
  return exact.get(wanted) ?? (options.anyCase ? anyCase.get(wanted.toLowerCase()) : undefined);
}

/** Tools by what they can be called: raw names, then aliases that no raw name is. */
interface NameIndex {
  exact: ReadonlyMap<string, DownstreamTool>;
  anyCase: ReadonlyMap<string, DownstreamTool>;
}

const INDEXES = new WeakMap<readonly DownstreamTool[], NameIndex>();

/** Made once per list: a program can ask ten thousand times for a tool among thousands. */
function indexOf(tools: readonly DownstreamTool[]): NameIndex {
  const known = INDEXES.get(tools);
  if (known !== undefined) return known;
  const [exact, anyCase] = [new Map<string, DownstreamTool>(), new Map<string, DownstreamTool>()];
  for (const key of ["name", "alias"] as const) {
    for (const tool of tools) {
      const [name, lower] = [tool[key], tool[key].toLowerCase()];
      if (!exact.has(name)) exact.set(name, tool);
      if (!anyCase.has(lower)) anyCase.set(lower, tool);
    }
  }
  INDEXES.set(tools, { exact, anyCase });
  return { exact, anyCase };
}

/**
 * The tools that `wanted` names, in that order; all if it names none.
 *
 * @throws {AppError} if there is no such tool.
 */
export function pickTools(
  server: LoadedServer,
  wanted: readonly string[],
): readonly DownstreamTool[] {
  if (wanted.length === 0) return server.tools;
  const found = wanted.map((name) => {
    const tool = findTool(server.tools, name, { anyCase: true });
    if (tool === undefined) throw toUnknownTool(server, name);
    return tool;
  });
  return [...new Set(found)];
}

/** The error for a tool that a server does not have. */
export function toUnknownTool({ name, tools }: LoadedServer, wanted: string): AppError {
  const near = didYouMean(wanted, indexOf(tools).exact.keys());
  const listed = tools.slice(0, MAX_LISTED).map((tool) => tool.name).join(", ");
  const more = tools.length > MAX_LISTED ? ` and ${tools.length - MAX_LISTED} more` : "";
  const all = tools.length === 0 ? "It has no tools" : `Its tools: ${listed}${more}`;
  return new AppError(`Server "${name}" has no tool "${wanted.slice(0, 80)}"`, {
    hint: near === undefined ? all : `Did you mean "${near}"?`,
  });
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
