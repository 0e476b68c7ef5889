/**
 * Files of past runs in the state folder: `runs/<run>/<name>`. Written by the host alone, each run
 * bounded in size, the oldest runs out first.
 */
import { AppError } from "../shared/errors.ts";
import { SERVER_NAME } from "../shared/version.ts";

/** Runs that are kept. */
const MAX_RUNS = 50;

/** Bytes that one run may keep. */
const MAX_RUN_BYTES = 256 * 1024 * 1024;

/** Names of runs and files, so that none leads out of the folder. */
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** A stored file. */
export interface StoredFile {
  name: string;
  uri: string;
  mimeType: string;
  size: number;
}

/** Bytes out of a stored file. */
export interface StoredBytes {
  bytes: Uint8Array<ArrayBuffer>;
  size: number;
  mimeType: string;
}

/** Keeps the files of runs below one folder. */
export class RunStore {
  readonly #folder: string | undefined;

  /** `stateDir` is absent where no folder could be found; then nothing can be kept. */
  constructor(stateDir: string | undefined) {
    this.#folder = stateDir === undefined ? undefined : `${stateDir}/runs`;
  }

  /** Room for the files of one run; nothing is made on disk before the first byte. */
  newRun(): RunFiles {
    return new RunFiles(() => this.#createFolder());
  }

  /** All files, newest run first. */
  async list(): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    for (const run of (await this.#runs()).reverse()) {
      try {
        for await (const entry of Deno.readDir(`${this.#folder}/${run}`)) {
          if (!entry.isFile || !SAFE_NAME.test(entry.name)) continue;
          const { size } = await Deno.stat(`${this.#folder}/${run}/${entry.name}`);
          files.push(describe(run, entry.name, size));
        }
      } catch {
        // Another bridge removed the run while we looked.
      }
    }
    return files;
  }

  /** Up to `length` bytes from `offset` on, or undefined if there is no such file. */
  async read(
    run: string,
    name: string,
    offset: number,
    length: number,
  ): Promise<StoredBytes | undefined> {
    if (this.#folder === undefined || !SAFE_NAME.test(run) || !SAFE_NAME.test(name)) {
      return undefined;
    }
    try {
      using file = await Deno.open(`${this.#folder}/${run}/${name}`);
      const { size, isFile } = await file.stat();
      if (!isFile) return undefined;
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      await file.seek(offset, Deno.SeekMode.Start);
      for (let at = 0; at < bytes.length;) {
        const got = await file.read(bytes.subarray(at));
        if (got === null) return { bytes: bytes.slice(0, at), size, mimeType: mimeType(name) };
        at += got;
      }
      return { bytes, size, mimeType: mimeType(name) };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      // The client reads this text: Deno's own would name a path of the host.
      throw new AppError("state_folder", "The state folder cannot be read", { cause: error });
    }
  }

  #createFolder(): { run: string; path: string } {
    if (this.#folder === undefined) {
      throw new AppError("state_folder", "No state folder is known", {
        hint: "Set MCP_BRIDGE_STATE_DIR",
      });
    }
    const time = new Date().toISOString().replaceAll(/[^0-9]/g, "");
    const run = `${time}-${crypto.randomUUID().slice(0, 8)}`;
    const path = `${this.#folder}/${run}`;
    try {
      Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new AppError("state_folder", "The state folder cannot be written", { cause: error });
    }
    void this.#removeOldest();
    return { run, path };
  }

  async #removeOldest(): Promise<void> {
    const runs = await this.#runs();
    for (const run of runs.slice(0, -MAX_RUNS)) {
      await Deno.remove(`${this.#folder}/${run}`, { recursive: true }).catch(() => {});
    }
  }

  /** Names of the stored runs, oldest first: they begin with the time. */
  async #runs(): Promise<string[]> {
    if (this.#folder === undefined) return [];
    try {
      const entries = await Array.fromAsync(Deno.readDir(this.#folder));
      return entries.filter((entry) => entry.isDirectory && SAFE_NAME.test(entry.name))
        .map((entry) => entry.name).sort();
    } catch {
      return [];
    }
  }
}

/** The files of one run while they are written. */
export class RunFiles {
  readonly #create: () => { run: string; path: string };
  readonly #open = new Map<string, { file: Deno.FsFile; size: number }>();
  readonly #encoder = new TextEncoder();
  #folder: { run: string; path: string } | undefined;
  #bytes = 0;
  #full = false;

  constructor(create: () => { run: string; path: string }) {
    this.#create = create;
  }

  /** Whether something was left out because the run was over its size. */
  get isFull(): boolean {
    return this.#full;
  }

  /**
   * Adds text to a file; what does not fit any more is left out.
   *
   * @throws {AppError} if the folder cannot be written.
   */
  append(name: string, text: string): void {
    const entry = this.#entry(name);
    const bytes = this.#encoder.encode(text);
    const room = MAX_RUN_BYTES - this.#bytes;
    if (bytes.length > room) this.#full = true;
    const part = bytes.subarray(0, room);
    for (let at = 0; at < part.length;) at += entry.file.writeSync(part.subarray(at));
    entry.size += part.length;
    this.#bytes += part.length;
  }

  /** Ends a file; undefined if nothing was ever added to it. */
  close(name: string): StoredFile | undefined {
    const entry = this.#open.get(name);
    if (entry === undefined || this.#folder === undefined) return undefined;
    this.#open.delete(name);
    entry.file.close();
    return describe(this.#folder.run, name, entry.size);
  }

  /** Closes whatever is still open. */
  [Symbol.dispose](): void {
    for (const name of [...this.#open.keys()]) this.close(name);
  }

  #entry(name: string): { file: Deno.FsFile; size: number } {
    let entry = this.#open.get(name);
    if (entry === undefined) {
      this.#folder ??= this.#create();
      const options = { write: true, createNew: true, mode: 0o600 };
      entry = { file: Deno.openSync(`${this.#folder.path}/${name}`, options), size: 0 };
      this.#open.set(name, entry);
    }
    return entry;
  }
}

function describe(run: string, name: string, size: number): StoredFile {
  const uri = `resource://${SERVER_NAME}/runs/${run}/${name}`;
  return { name, uri, mimeType: mimeType(name), size };
}

function mimeType(name: string): string {
  return name.endsWith(".txt") ? "text/plain" : "application/octet-stream";
}
