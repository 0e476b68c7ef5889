/** Ranked search over all known tools, forgiving of typos. The index is built once per set of catalogues. */
import MiniSearch from "minisearch";
import type { DownstreamTool } from "./downstream.ts";
import { isSchema, own } from "./schema_part.ts";
import { toSearchTerms } from "./search_terms.ts";

/** Most hits of one search. */
export const MAX_HITS = 20;

/** Longest query that is looked at. */
const MAX_QUERY_CHARS = 300;

/** A server whose tools can be found. */
export interface SearchableServer {
  name: string;
  alias: string;
  description: string;
  tools: readonly DownstreamTool[];
  /** Another number whenever the tools are others. */
  revision: number;
}

interface Found {
  server: SearchableServer;
  tool: DownstreamTool;
}

/** A tool that was found; more is better. */
export interface RankedTool extends Found {
  score: number;
}

interface IndexedTool {
  id: number;
  name: string;
  server: string;
  description: string;
  parameters: string;
}

/** Finds tools. */
export class ToolSearch {
  #key = "";
  #tools: readonly Found[] = [];
  #index = createIndex();

  /** The tools that fit `query` best; of all, in their order, when it says nothing. */
  search(servers: readonly SearchableServer[], query: string, most: number): RankedTool[] {
    this.#update(servers);
    const limit = Math.min(Math.max(1, Math.trunc(most) || 1), MAX_HITS);
    const wanted = query.slice(0, MAX_QUERY_CHARS);
    const terms = toSearchTerms(wanted).length;
    const ranked: Array<{ id: number; score: number }> = terms === 0
      ? this.#tools.map((_, id) => ({ id, score: 0 }))
      // A tool that fits the whole query comes before one that fits a word of it very well.
      : this.#index.search(wanted).map(({ id, score, queryTerms }) => ({
        id,
        score: score * queryTerms.length / terms,
      })).sort((a, b) => b.score - a.score);
    return ranked.slice(0, limit).map(({ id, score }) => ({
      ...this.#tools[id]!,
      score: Math.round(score * 100) / 100,
    }));
  }

  #update(servers: readonly SearchableServer[]): void {
    const key = JSON.stringify(
      servers.map(({ name, alias, description, revision }) => [name, alias, description, revision]),
    );
    if (key === this.#key) return;
    this.#key = key;
    this.#tools = servers.flatMap((server) => server.tools.map((tool) => ({ server, tool })));
    this.#index = createIndex();
    this.#index.addAll(this.#tools.map(toIndexed));
  }
}

function createIndex(): MiniSearch<IndexedTool> {
  return new MiniSearch<IndexedTool>({
    fields: ["name", "server", "description", "parameters"],
    tokenize: toSearchTerms,
    searchOptions: {
      tokenize: toSearchTerms,
      boost: { name: 4, server: 2, parameters: 0.8 },
      prefix: (term) => term.length >= 3,
      // Short words are all near to each other.
      fuzzy: (term) => term.length >= 5 ? 0.25 : term.length === 4 ? 1 : false,
      weights: { fuzzy: 0.3, prefix: 0.5 },
    },
  });
}

function toIndexed({ server, tool }: Found, id: number): IndexedTool {
  return {
    id,
    name: tool.name === tool.alias ? tool.name : `${tool.name} ${tool.alias}`,
    server: `${server.name} ${server.description}`,
    description: tool.description,
    parameters: parameterText(tool.inputSchema),
  };
}

function parameterText(schema: Record<string, unknown>): string {
  const properties = own(schema, "properties");
  if (!isSchema(properties)) return "";
  return Object.entries(properties).map(([name, part]) => {
    const description = isSchema(part) ? own(part, "description") : undefined;
    return typeof description === "string" ? `${name} ${description}` : name;
  }).join(" ");
}
