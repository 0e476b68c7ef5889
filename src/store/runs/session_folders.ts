/** Folders for what one session alone may see: made for it, removed with it. */

/** After so long without a run, a folder is one that a killed process left behind. */
const STALE_MS = 7 * 24 * 3600 * 1000;

/** Folders below the state folder, one for each session. */
export class SessionFolders {
  readonly #parent: string | undefined;
  #cleaned: Promise<void> | undefined;

  /** `stateDir` is absent where nothing can be kept. */
  constructor(stateDir: string | undefined) {
    this.#parent = stateDir === undefined ? undefined : `${stateDir}/sessions`;
  }

  /** A folder that nothing is in; it is made with the first file. */
  next(): string | undefined {
    if (this.#parent === undefined) return undefined;
    this.#cleaned ??= this.#removeStale(this.#parent);
    return `${this.#parent}/${crypto.randomUUID()}`;
  }

  /** Removes a folder with all that is in it. */
  async remove(folder: string): Promise<void> {
    await this.#cleaned;
    // One that cannot be removed now is stale one day.
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }

  async #removeStale(parent: string): Promise<void> {
    try {
      for await (const { name } of Deno.readDir(parent)) {
        const folder = `${parent}/${name}`;
        // Each run is a new entry in `runs`, so that folder has the time of the last one.
        const { mtime } = await Deno.stat(`${folder}/runs`).catch(() => Deno.stat(folder));
        if (Date.now() - (mtime?.getTime() ?? 0) < STALE_MS) continue;
        await Deno.remove(folder, { recursive: true });
      }
    } catch {
      // Nothing is there, or another process is cleaning up, too.
    }
  }
}
