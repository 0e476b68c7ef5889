/** Functions that programs ask to keep: Python source by name, in `tools/` of the state folder. */
import { z } from "zod";
import { describeError } from "../../shared/errors.ts";
import { RecordStore } from "./record_store.ts";

/** A function as it is kept. */
const savedTool = z.object({
  /** Name and parameters, as a reader would see them. */
  signature: z.string(),
  /** First line of its docstring; empty if it has none. */
  description: z.string(),
  source: z.string(),
});

/** A function as it is kept. */
export type SavedTool = z.infer<typeof savedTool>;

/** A function by its name, or why it cannot be read. */
export type LoadedTool =
  | (SavedTool & { name: string; updated: string; error?: undefined })
  | { name: string; error: string };

/** A store of saved tools. */
export class SavedToolStore {
  readonly #records: RecordStore;

  /** `stateDir` is absent where no folder could be found; then nothing can be kept. */
  constructor(stateDir: string | undefined) {
    this.#records = new RecordStore(stateDir, {
      folder: "tools",
      noun: "tool",
      plural: "saved tools",
      remove: "delete_saved_tool",
      // Every new sandbox gets all of them, so they are few and short.
      limits: {
        keyBytes: 256,
        textBytes: 128 * 1024,
        metadataBytes: 0,
        records: 200,
        totalBytes: 2 * 1024 * 1024,
      },
    });
  }

  /** Keeps a function, in place of one of the same name. */
  async save(name: string, tool: SavedTool): Promise<void> {
    await this.#records.put(name, JSON.stringify(tool));
  }

  /** Removes one; says whether it was there. */
  async delete(name: string): Promise<boolean> {
    return await this.#records.delete(name);
  }

  /** All of them, by name; one that is damaged does not hide the others. */
  async load(): Promise<LoadedTool[]> {
    const tools: LoadedTool[] = [];
    for (const { key, error } of await this.#records.list()) {
      if (key === undefined) continue; // Nobody could call it.
      if (error !== undefined) tools.push({ name: key, error });
      else tools.push(...await this.#read(key));
    }
    return tools;
  }

  /** All of them, as a new sandbox needs them. */
  async sources(): Promise<
    Array<{ name: string; source: string } | { name: string; error: string }>
  > {
    return (await this.load()).map((tool) =>
      tool.error === undefined ? { name: tool.name, source: tool.source } : tool
    );
  }

  async #read(name: string): Promise<LoadedTool[]> {
    try {
      const record = await this.#records.get(name);
      if (record === undefined) return []; // Deleted meanwhile.
      return [{ name, updated: record.updated, ...savedTool.parse(JSON.parse(record.text)) }];
    } catch (error) {
      return [{ name, error: describeError(error) }];
    }
  }
}
