/**
 * Catalogues on disk, one file per way to reach a server, so that search and signatures work before any
 * server was started. A file is good until it is replaced: it has no time to live. What cannot be read is
 * not known; what cannot be written is kept in memory alone.
 */
import { z } from "zod";
import { describeError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import { readJsonFile, writeJsonFile } from "../../store/json_file.ts";
import { readShape, type Shape } from "./observed_shape.ts";

/** Changes whenever a file of before would be read wrongly. */
const FORMAT = 1;

/** Files that nobody has used for so long belong to entries that are gone. */
const FORGET_MS = 180 * 24 * 60 * 60 * 1000;

const jsonObject = z.record(z.string(), z.unknown());

const storedSchema = z.object({
  format: z.literal(FORMAT),
  link: z.object({
    kind: z.enum(["stdio", "http", "sse"]),
    era: z.enum(["legacy", "modern"]),
    at: z.number(),
  }).optional(),
  tools: z.array(z.object({
    name: z.string(),
    alias: z.string(),
    description: z.string(),
    inputSchema: jsonObject,
    outputSchema: jsonObject.optional(),
  })).optional(),
});

const aliasesSchema = z.object({
  format: z.literal(FORMAT),
  aliases: z.record(z.string(), z.string()),
});

const observedSchema = z.object({
  format: z.literal(FORMAT),
  observed: z.record(z.string(), z.unknown()),
});

/** What is kept of one server. */
export type StoredCatalog = Omit<z.output<typeof storedSchema>, "format">;

/** Reads and writes catalogues below one folder. */
export class CatalogCache {
  readonly #folder: string | undefined;
  readonly #log: Logger;
  #warned = false;
  #swept = false;

  /** `cacheDir` is absent where no folder could be found; then nothing is kept. */
  constructor(cacheDir: string | undefined, log: Logger) {
    this.#folder = cacheDir === undefined ? undefined : `${cacheDir}/catalogs`;
    this.#log = log;
  }

  async read(digest: string): Promise<StoredCatalog | undefined> {
    if (this.#folder === undefined) return undefined;
    const parsed = storedSchema.safeParse(await readJsonFile(`${this.#folder}/${digest}.json`));
    return parsed.success ? parsed.data : undefined;
  }

  write(digest: string, catalog: StoredCatalog): Promise<void> {
    return this.#write(`${digest}.json`, { format: FORMAT, ...catalog });
  }

  /** Shapes of results, by the tool they came from; see `observed_shapes.ts`. */
  async readObserved(digest: string): Promise<ReadonlyMap<string, Shape>> {
    if (this.#folder === undefined) return new Map();
    const path = `${this.#folder}/${digest}.observed.json`;
    const parsed = observedSchema.safeParse(await readJsonFile(path));
    const shapes = parsed.success ? Object.entries(parsed.data.observed) : [];
    return new Map(shapes.flatMap(([tool, stored]) => {
      const shape = readShape(stored);
      return shape === undefined ? [] : [[tool, shape]];
    }));
  }

  writeObserved(digest: string, observed: ReadonlyMap<string, Shape>): Promise<void> {
    const value = { format: FORMAT, observed: Object.fromEntries(observed) };
    return this.#write(`${digest}.observed.json`, value);
  }

  /** Aliases that servers were given, by name. */
  async readAliases(): Promise<Map<string, string>> {
    if (this.#folder === undefined) return new Map();
    const parsed = aliasesSchema.safeParse(await readJsonFile(`${this.#folder}/aliases.json`));
    return new Map(parsed.success ? Object.entries(parsed.data.aliases) : []);
  }

  writeAliases(aliases: ReadonlyMap<string, string>): Promise<void> {
    return this.#write("aliases.json", { format: FORMAT, aliases: Object.fromEntries(aliases) });
  }

  async #write(name: string, value: unknown): Promise<void> {
    if (this.#folder === undefined) return;
    try {
      await writeJsonFile(`${this.#folder}/${name}`, value);
      if (!this.#swept) await this.#sweep(this.#folder);
    } catch (error) {
      if (!this.#warned) this.#log.warn(`Cannot keep tool catalogues: ${describeError(error)}`);
      this.#warned = true;
    }
  }

  async #sweep(folder: string): Promise<void> {
    this.#swept = true;
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile) continue;
      const path = `${folder}/${name}`;
      const { mtime } = await Deno.stat(path).catch(() => ({ mtime: null }));
      if (mtime === null || Date.now() - mtime.getTime() < FORGET_MS) continue;
      await Deno.remove(path).catch(() => {});
    }
  }
}
