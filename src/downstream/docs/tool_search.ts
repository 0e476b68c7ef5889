/** Ranked search over all known tools, forgiving of typos. The index is built once per set of catalogues. */
import MiniSearch from "minisearch";
import type { DownstreamTool } from "../downstream.ts";
import { isSchema, own } from "../../shared/json/schema_part.ts";
import { inTurns } from "../../shared/stretch.ts";

/** Most hits of one search. */
export const MAX_HITS = 20;

/** Longest query that is looked at. */
const MAX_QUERY_CHARS = 300;
const MAX_QUERY_TERMS = 20;

/** Most typos in a word. */
const MAX_TYPOS = 2;

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

/** The tools of some servers, ready to be searched. */
interface Indexed {
  tools: readonly Found[];
  index: MiniSearch<IndexedTool>;
}

/** Finds tools. */
export class ToolSearch {
  #key = "";
  #indexed: Promise<Indexed> | undefined;

  /** The tools that fit `query` best; of all, in their order, when it says nothing. */
  async search(
    servers: readonly SearchableServer[],
    query: string,
    most: number,
  ): Promise<RankedTool[]> {
    const { tools, index } = await this.#indexOf(servers);
    const limit = Math.min(Math.max(1, Math.trunc(most) || 1), MAX_HITS);
    const terms = toSearchTerms(query.slice(0, MAX_QUERY_CHARS)).slice(0, MAX_QUERY_TERMS);
    const ranked = terms.length === 0
      ? tools.slice(0, limit).map((_, id) => ({ id, score: 0 }))
      : await rank(index, terms);
    return ranked.slice(0, limit).map(({ id, score }) => ({
      ...tools[id]!,
      score: Math.round(score * 100) / 100,
    }));
  }

  /** Those who search while it is being made wait for the same one. */
  #indexOf(servers: readonly SearchableServer[]): Promise<Indexed> {
    const key = JSON.stringify(
      servers.map(({ name, alias, description, revision }) => [name, alias, description, revision]),
    );
    if (this.#indexed === undefined || key !== this.#key) {
      this.#key = key;
      this.#indexed = makeIndex(servers);
    }
    return this.#indexed;
  }
}

/** Word by word, since one may fit very many that are like it. */
async function rank(
  index: MiniSearch<IndexedTool>,
  terms: readonly string[],
): Promise<Array<{ id: number; score: number }>> {
  const found = new Map<number, { score: number; terms: number }>();
  for await (const term of inTurns(terms)) {
    for (const { id, score } of index.search(term)) {
      const before = found.get(id);
      if (before === undefined) found.set(id, { score, terms: 1 });
      else {
        before.score += score;
        before.terms++;
      }
    }
  }
  // A tool that fits the whole query comes before one that fits a word of it very well.
  return [...found].map(([id, one]) => ({ id, score: one.score * one.terms ** 2 / terms.length }))
    .sort((a, b) => b.score - a.score);
}

async function makeIndex(servers: readonly SearchableServer[]): Promise<Indexed> {
  const tools = servers.flatMap((server) => server.tools.map((tool) => ({ server, tool })));
  const index = createIndex();
  for await (const [id, found] of inTurns(tools.entries())) index.add(toIndexed(found, id));
  return { tools, index };
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
      maxFuzzy: MAX_TYPOS,
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

/** Scripts that are written without spaces: each letter is a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Longest text that is looked at. */
const MAX_CHARS = 4000;

/** Longest word; of a longer one its beginning counts. */
const MAX_TERM_CHARS = 64;

/** The words of a text or of a name: `getUser_byID` → get, user, by, id, getuser. */
export function toSearchTerms(text: string): string[] {
  const words = text.slice(0, MAX_CHARS).normalize("NFKC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const terms = words.flatMap((word) => {
    if (UNSPACED.test(word)) return [...word];
    const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+/gu) ?? [word];
    return parts.length > 1 ? [...parts, word] : parts;
  });
  return [...new Set(terms.map((term) => term.toLowerCase().slice(0, MAX_TERM_CHARS)))];
}
