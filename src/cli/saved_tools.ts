/** `mcp-bridge saved-tools`: shows the functions that programs kept, and deletes one, without starting Python. */
import type { Flags } from "../config/schema.ts";
import { SavedToolStore } from "../store/records/saved_tool_store.ts";
import { didYouMean } from "../shared/did_you_mean.ts";
import { AppError } from "../shared/errors.ts";
import { printable } from "../shared/printable.ts";
import { loadSettings } from "./settings.ts";

const USAGE = 'Write "mcp-bridge saved-tools" or "mcp-bridge saved-tools delete <name>"';

/** {@link savedTools} in the state folder that the settings name. */
export async function runSavedTools(words: readonly string[], flags: Flags): Promise<string> {
  return await savedTools(words, loadSettings(flags).stateDir);
}

/**
 * Carries out the command and gives what it prints.
 *
 * @throws {AppError} `config` for other words, another for a name that nothing has.
 */
export async function savedTools(
  words: readonly string[],
  stateDir: string | undefined,
): Promise<string> {
  const [verb, name, ...more] = words;
  if (verb !== undefined && (verb !== "delete" || name === undefined || more.length > 0)) {
    const said = words.map((word) => JSON.stringify(word)).join(" ");
    throw new AppError(`Cannot use ${said} after saved-tools`, { code: "config", hint: USAGE });
  }
  const store = new SavedToolStore(stateDir);
  return name === undefined ? await list(store) : await remove(store, name);
}

async function list(store: SavedToolStore): Promise<string> {
  const tools = await store.load();
  if (tools.length === 0) return "No saved tools\n";
  return tools.map((tool) => {
    if (tool.error !== undefined) return `${tool.name}: cannot be read: ${tool.error}`;
    return tool.description === "" ? tool.signature : `${tool.signature}: ${tool.description}`;
  }).map((line) => `${printable(line)}\n`).join("");
}

async function remove(store: SavedToolStore, name: string): Promise<string> {
  if (await store.delete(name)) return `Deleted the saved tool ${JSON.stringify(name)}\n`;
  const names = (await store.load()).map((tool) => tool.name);
  const near = didYouMean(name, names);
  throw new AppError(`There is no saved tool ${JSON.stringify(name)}`, {
    hint: near === undefined
      ? '"mcp-bridge saved-tools" lists all'
      : `Did you mean ${JSON.stringify(near)}?`,
  });
}
