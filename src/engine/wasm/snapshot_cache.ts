/**
 * The stored memory of a booted interpreter: built once per version of Pyodide and of `runtime/python/`, found
 * by a name that holds both, replaced as a whole, so that two bridges at once cannot tear it.
 */
import { AppError, describeError } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";
import { replaceFile } from "../../shared/replace_file.ts";
import { PYODIDE_SPECIFIER } from "../../shared/version.ts";
import { RUNTIME_FILES } from "../../languages/python/runtime_files.ts";
import { withDigest } from "./snapshot_file.ts";
import { distrust, findOwnUid } from "./snapshot_trust.ts";

/** Counts changes of what is in a snapshot that neither Pyodide nor `runtime/python/` shows. */
const FORMAT = 1;

/** Snapshots of other versions that nobody has built for this long are removed. */
const STALE_MS = 30 * 24 * 60 * 60 * 1000;

/** Options of {@link SnapshotCache}. */
export interface SnapshotCacheOptions {
  /** Folder to keep it in; without one there is no snapshot. */
  folder: string | undefined;
  /** Makes the bytes of a new snapshot. */
  build: () => Promise<Uint8Array<ArrayBuffer>>;
  log: Logger;
}

/** Finds, builds and repairs the snapshot of this version. */
export class SnapshotCache {
  readonly #options: SnapshotCacheOptions;
  #building: Promise<string | undefined> | undefined;
  /** Set once the folder turned out not to be writable: it is not tried again. */
  #unusable = false;
  #ownUid: Promise<number | null> | undefined;

  constructor(options: SnapshotCacheOptions) {
    this.#options = options;
  }

  /** Path of the snapshot, built if it is not there; undefined where none can be kept. */
  async ensure(onBuild: () => void = () => {}): Promise<string | undefined> {
    const { folder, log } = this.#options;
    const path = await this.#path();
    if (folder === undefined || path === undefined) {
      return this.#unusable ? undefined : this.#giveUp("no cache folder is known");
    }
    try {
      await this.#checkFolder(folder);
      // We write a file: a link there is somebody else's.
      const info = await Deno.lstat(path);
      // Nothing can take its place, so nothing need be built.
      if (info.isDirectory) return this.#giveUp("a folder is in its place");
      const reason = info.isFile ? distrust(info, await this.#findOwnUid(folder)) : undefined;
      if (info.isFile && isReadable(info) && reason === undefined) return path;
      if (reason !== undefined) {
        log.warn(`The Python snapshot is not used but built anew: the file ${reason}`);
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) return this.#giveUp(error);
    }
    onBuild();
    return await this.rebuild();
  }

  /** Builds the snapshot anew in place of the one that is there. */
  rebuild(): Promise<string | undefined> {
    this.#building ??= this.#rebuild().finally(() => this.#building = undefined);
    return this.#building;
  }

  /** SECURITY: snapshot boundary. Who may write the folder can put another file into the place of ours. */
  async #checkFolder(folder: string): Promise<void> {
    const reason = distrust(await Deno.stat(folder), await this.#findOwnUid(folder));
    if (reason === undefined) return;
    throw new AppError(`its folder ${reason}`, {
      hint: reason === "can be written by others"
        ? `Run chmod go-w "${folder}"`
        : "Let MCP_BRIDGE_CACHE_DIR name a folder of your own",
    });
  }

  #findOwnUid(folder: string): Promise<number | null> {
    return this.#ownUid ??= findOwnUid(folder);
  }

  async #rebuild(): Promise<string | undefined> {
    const { folder, build } = this.#options;
    const path = await this.#path();
    if (folder === undefined || path === undefined) return undefined;
    try {
      await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
      // Whether files can be made there is found out before the work is done, not after it.
      await Deno.remove(await Deno.makeTempFile({ dir: folder, prefix: "snapshot-" }));
    } catch (error) {
      return this.#giveUp(error);
    }
    try {
      await replaceFile(path, await withDigest(await build()));
    } catch (error) {
      if (error instanceof AppError) throw error;
      return this.#giveUp(error);
    }
    void removeStale(folder, path);
    return path;
  }

  #giveUp(error: unknown): undefined {
    this.#unusable = true;
    this.#options.log.warn(
      `Cannot keep the Python snapshot, so every sandbox starts slowly: ${describeError(error)}`,
    );
    return undefined;
  }

  async #path(): Promise<string | undefined> {
    const { folder } = this.#options;
    if (folder === undefined || this.#unusable) return undefined;
    return `${folder}/snapshot-${await snapshotKey()}.bin`;
  }
}

/** Changes whenever a snapshot built before would not fit. */
export async function snapshotKey(): Promise<string> {
  const content = JSON.stringify([FORMAT, PYODIDE_SPECIFIER, RUNTIME_FILES]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  return new Uint8Array(digest).toHex().slice(0, 16);
}

/** The child, which reads it, cannot say what it lacks. */
function isReadable({ mode }: Deno.FileInfo): boolean {
  return mode === null || (mode & 0o400) !== 0;
}

async function removeStale(folder: string, current: string): Promise<void> {
  try {
    for await (const entry of Deno.readDir(folder)) {
      const path = `${folder}/${entry.name}`;
      if (!entry.name.startsWith("snapshot-") || path === current) continue;
      const { mtime } = await Deno.stat(path);
      if (mtime !== null && Date.now() - mtime.getTime() > STALE_MS) await Deno.remove(path);
    }
  } catch {
    // Tidying up is a courtesy: another bridge may do the same at this moment.
  }
}
