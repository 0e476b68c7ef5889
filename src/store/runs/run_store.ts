/**
 * Past runs in the state folder: `runs/<run>/<name>`, the code, the output and the files of each. Written
 * by the host alone, each run bounded in size, the oldest runs out first.
 */
import { AppError } from "../../shared/errors.ts";
import { NotRegularError, openRegular } from "../../shared/regular_file.ts";
import { fromDiskName, toDiskName } from "./file_name.ts";
import { describeFile, mimeTypeOf, type StoredFile } from "./stored_file.ts";
import { RunFiles, type RunTexts } from "./run_files.ts";
import { isWhole, readAt, RunFolder, type Seal } from "./run_folder.ts";
import { WriteQueue } from "./write_queue.ts";

/** Runs that are kept. */
export const MAX_RUNS = 50;

/** Runs that are listed: who looks for a file looks for a recent one. */
const LISTED_RUNS = 20;

/** Files after which a page ends, with the run they belong to. */
const PAGE_FILES = 100;

/** Names of runs, so that none leads out of the folder. */
const RUN_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,127}$/;

/** A name that `#newName` gives, and can give a later one. */
const OWN_NAME = /^[1-8]\d{16}-[0-9a-f]{8}$/;

/** What {@link FilePage} names as the next one: a run, as `#newName` names them. */
const PAGE_NAME = /^\d{17,20}-[0-9a-f]{8}$/;

/** Bytes out of a stored file. */
export interface StoredBytes {
  bytes: Uint8Array<ArrayBuffer>;
  size: number;
  mimeType: string;
}

/** Files of some runs. */
export interface FilePage {
  artifacts: StoredFile[];
  /** The run before which those of the next page were; absent on the last page. */
  next?: string;
}

/** Keeps the files of runs below one folder. */
export class RunStore {
  readonly #parent: string | undefined;
  /** Runs that are going on: they are not removed, however many come and go meanwhile. */
  readonly #open = new Set<string>();
  /** What was kept of the texts of the last runs, or why it could not be. */
  readonly #texts = new Map<string, Map<string, Seal | AppError>>();
  readonly #waiting = new WriteQueue(MAX_RUNS, () => this.#removeOldest());
  #lastName: string | undefined;

  /** `stateDir` is absent where no folder could be found; then nothing can be kept. */
  constructor(stateDir: string | undefined) {
    this.#parent = stateDir === undefined ? undefined : `${stateDir}/runs`;
  }

  /** Room for the files of one run; nothing is made on disk before the first byte. */
  newRun(): RunFiles {
    const name = this.#newName();
    this.#open.add(name);
    return new RunFiles(new RunFolder(name, this.#parent), {
      onClose: () => this.#open.delete(name),
      onKept: (file, seal) => this.#note(name, file, seal),
      onLost: (file, reason) => this.#note(name, file, reason),
    });
  }

  /** Keeps the text of a run that is over, as soon as no other follows at once: answers come first. */
  keep(files: RunFiles, texts: RunTexts): void {
    this.#waiting.push(files, texts);
  }

  /** Resolves when everything that was to be kept is on disk, or could not be written. */
  async settled(): Promise<void> {
    await this.#waiting.settled();
  }

  /** Files of recent runs, newest run first; of those before `next` of another page, if it is one. */
  async list(next?: string): Promise<FilePage | undefined> {
    if (next !== undefined && !PAGE_NAME.test(next)) return undefined;
    await this.settled();
    const recent = (await this.#runs()).slice(-LISTED_RUNS).reverse();
    // By the time in its name, since the run itself may be gone by now.
    const runs = next === undefined ? recent : recent.filter((run) => run < next);
    const artifacts: StoredFile[] = [];
    for (const run of runs) {
      artifacts.push(...await this.#filesOf(run));
      if (artifacts.length >= PAGE_FILES && run !== runs.at(-1)) return { artifacts, next: run };
    }
    return { artifacts };
  }

  async #filesOf(run: string): Promise<StoredFile[]> {
    const folder = `${this.#parent}/${run}`;
    const files: StoredFile[] = [];
    try {
      const entries = await Array.fromAsync(Deno.readDir(folder));
      for (const entry of entries.sort((one, two) => one.name < two.name ? -1 : 1)) {
        const name = entry.isFile ? fromDiskName(entry.name) : undefined;
        if (name === undefined) continue;
        const { size } = await Deno.stat(`${folder}/${entry.name}`);
        files.push(describeFile(run, name, size));
      }
    } catch {
      // Another bridge removed the run while we looked.
    }
    return files;
  }

  /**
   * Up to `length` bytes from `offset` on, or undefined if there is no such file.
   *
   * @throws {AppError} if it cannot be read, could not be kept, or is not what this store has written.
   */
  async read(
    run: string,
    name: string,
    offset: number,
    length: number,
  ): Promise<StoredBytes | undefined> {
    // SECURITY: state folder. Both names are the client's own words.
    const diskName = toDiskName(name);
    if (!RUN_NAME.test(run) || fromDiskName(diskName) !== name) return undefined;
    await this.settled();
    if (this.#parent === undefined) return undefined;
    const seal = this.#texts.get(run)?.get(name);
    if (seal instanceof AppError) {
      throw new AppError(`The ${name} of that run was not kept: ${seal.message}`);
    }
    try {
      using file = openRegular(`${this.#parent}/${run}/${diskName}`);
      const { size } = await file.stat();
      if (
        seal !== undefined && (size !== seal.size || offset === 0 && !await isWhole(file, seal))
      ) {
        throw new AppError(`The ${name} of that run is damaged on disk`);
      }
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      const got = await readAt(file, offset, bytes);
      return { bytes: bytes.subarray(0, got), size, mimeType: mimeTypeOf(name) };
    } catch (error) {
      const { NotFound, NotADirectory } = Deno.errors;
      if (error instanceof NotFound || error instanceof NotADirectory) return undefined;
      if (error instanceof AppError) throw error;
      if (error instanceof NotRegularError) {
        throw new AppError(`The ${name} of that run is no file`, { cause: error });
      }
      // The client reads this text: Deno's own would name a path of the host.
      throw new AppError("The state folder cannot be read", { cause: error });
    }
  }

  /** Names of the texts that a run has, or would have; undefined if it is too long ago. */
  textsOf(run: string): readonly string[] | undefined {
    const texts = this.#texts.get(run);
    return texts && [...texts.keys()];
  }

  #note(run: string, file: string, seal: Seal | AppError): void {
    const files = this.#texts.get(run) ?? new Map<string, Seal | AppError>();
    this.#texts.set(run, files.set(file, seal));
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_RUNS) this.#texts.delete(oldest!);
  }

  /**
   * Begins with the time, and no run has the name of one before it, also if the clock was set back since: the
   * first names go first.
   */
  #newName(): string {
    const time = new Date().toISOString().replaceAll(/[^0-9]/g, "");
    this.#lastName ??= this.#newestName();
    const last = this.#lastName.slice(0, time.length);
    // Two runs in one millisecond sort in their order, too.
    const stamp = time > last ? time : String(BigInt(last) + 1n);
    return this.#lastName = `${stamp}-${crypto.randomUUID().slice(0, 8)}`;
  }

  #newestName(): string {
    if (this.#parent === undefined) return "";
    try {
      const names = Array.from(Deno.readDirSync(this.#parent), ({ name }) => name);
      return names.filter((name) => OWN_NAME.test(name)).sort().at(-1) ?? "";
    } catch {
      return "";
    }
  }

  async #removeOldest(): Promise<void> {
    const runs = await this.#runs();
    for (const run of runs.slice(0, -MAX_RUNS)) {
      if (this.#open.has(run)) continue;
      await Deno.remove(`${this.#parent}/${run}`, { recursive: true }).catch(() => {});
    }
  }

  /** Names of the stored runs, oldest first: they begin with the time. */
  async #runs(): Promise<string[]> {
    if (this.#parent === undefined) return [];
    try {
      const entries = await Array.fromAsync(Deno.readDir(this.#parent));
      const runs = entries.filter((entry) => entry.isDirectory && RUN_NAME.test(entry.name))
        .map((entry) => entry.name).sort();
      const newest = runs.findLast((run) => OWN_NAME.test(run)) ?? "";
      if (this.#lastName !== undefined && newest > this.#lastName) this.#lastName = newest;
      return runs;
    } catch {
      return [];
    }
  }
}
