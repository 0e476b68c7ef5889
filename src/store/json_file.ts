/** JSON files that are replaced as a whole, so that nobody ever reads half of one. */

/** The value in a file; undefined if it is not there, cannot be read or is not JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch {
    return undefined;
  }
}

/** Puts `value` in place of what the file held; its folder is made if need be. Throws what Deno throws. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await Deno.writeTextFile(temporary, JSON.stringify(value), { mode: 0o600 });
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}
