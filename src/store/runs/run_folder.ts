/** The folder of one run: made with its first byte, bounded in what it takes; and the files that a sandbox sends. */
import { nameProblem, toClashKey, toDiskName } from "./file_name.ts";
import type { FilePiece } from "./run_files.ts";
import { describeFile, type StoredFile } from "./stored_file.ts";
import { crc32 } from "../../shared/crc32.ts";
import { AppError } from "../../shared/errors.ts";

/** Bytes that one run may keep, its output and its files together. */
export const MAX_RUN_BYTES: number = 256 * 1024 * 1024;

/** Where the files of one run lie, and how much they are. */
export class RunFolder {
  /** Name of the run; later ones sort behind it. */
  readonly run: string;
  readonly #parent: string | undefined;
  #path: string | undefined;
  /** Bytes kept so far. */
  bytes = 0;

  /** `parent` is absent where no folder is known. */
  constructor(run: string, parent: string | undefined) {
    this.run = run;
    this.#parent = parent;
  }

  /** Bytes that still fit. */
  get room(): number {
    return MAX_RUN_BYTES - this.bytes;
  }

  /**
   * The folder's path; it is made now if it is not there.
   *
   * @throws {AppError} if that cannot be done.
   */
  create(): string {
    if (this.#path !== undefined) return this.#path;
    if (this.#parent === undefined) {
      throw new AppError("No state folder is known", {
        hint: "Set MCP_BRIDGE_STATE_DIR",
      });
    }
    const path = `${this.#parent}/${this.run}`;
    guard(() => Deno.mkdirSync(path, { recursive: true, mode: 0o700 }));
    return this.#path = path;
  }
}

/** Does something in the state folder. */
export function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFolderError(error);
  }
}

/** What went wrong in the state folder; it must not name a path of the host, since others read it. */
export function toFolderError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const full = error instanceof Error && /no space left|quota|too large/i.test(error.message);
  return new AppError(
    full ? "The disk of the state folder is full" : "The state folder cannot be written",
    { cause: error },
  );
}

/** Writes all of `bytes`; a single call may take fewer. */
export function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

/** What a file held when it was written: one that is other now is damaged. */
export interface Seal {
  size: number;
  crc: number;
}

/** Whether a file is as it was sealed. */
export async function isWhole(file: Deno.FsFile, seal: Seal): Promise<boolean> {
  const part = new Uint8Array(Math.min(seal.size, 1024 * 1024));
  let crc = 0;
  for (let at = 0; at < seal.size;) {
    const count = await readAt(file, at, part);
    if (count === 0) return false;
    crc = crc32(part.subarray(0, count), crc);
    at += count;
  }
  return crc === seal.crc;
}

/** Fills `bytes` from `offset` on; gives how many there were. */
export async function readAt(
  file: Deno.FsFile,
  offset: number,
  bytes: Uint8Array,
): Promise<number> {
  await file.seek(offset, Deno.SeekMode.Start);
  for (let at = 0; at < bytes.length;) {
    const count = await file.read(bytes.subarray(at));
    if (count === null) return at;
    at += count;
  }
  return bytes.length;
}

/** Files that one run may keep. */
const MAX_FILES = 100;

interface Upload {
  name: string;
  path: string;
  file: Deno.FsFile;
  size: number;
}

/** The uploads of one run. */
export class Uploads implements Disposable {
  readonly #folder: RunFolder;
  /** Files that are whole, and those that grow, by what no two of them may share. */
  readonly #kept = new Map<string, StoredFile>();
  readonly #growing = new Map<string, Upload>();
  #parts = 0;

  constructor(folder: RunFolder) {
    this.#folder = folder;
  }

  /** The files that are whole. */
  kept(): StoredFile[] {
    return [...this.#kept.values()];
  }

  /** Whether a file of this very name is whole. */
  has(name: string): boolean {
    return this.#kept.get(toClashKey(name))?.name === name;
  }

  /** Takes a piece; gives the file with its last one. */
  put({ name, offset, bytes, last }: FilePiece): StoredFile | undefined {
    const upload = offset === 0 ? this.#begin(name) : this.#growing.get(toClashKey(name));
    if (upload?.name !== name || upload.size !== offset) {
      throw refusal(name, `a piece for offset ${offset} does not follow the one before`);
    }
    const key = toClashKey(name);
    try {
      this.#check(upload, bytes.length);
      guard(() => writeAll(upload.file, bytes));
    } catch (error) {
      this.#drop(upload);
      throw error;
    }
    upload.size += bytes.length;
    this.#folder.bytes += bytes.length;
    if (!last) return undefined;
    this.#growing.delete(key);
    upload.file.close();
    guard(() => Deno.renameSync(upload.path, `${this.#folder.create()}/${toDiskName(name)}`));
    this.#folder.bytes -= this.#kept.get(key)?.size ?? 0;
    const file = describeFile(this.#folder.run, name, upload.size);
    this.#kept.set(key, file);
    return file;
  }

  /** Drops what did not come to its end. */
  [Symbol.dispose](): void {
    for (const upload of [...this.#growing.values()]) this.#drop(upload);
  }

  /** SECURITY: state folder. Name and number of files, before anything is made for one. */
  #begin(name: string): Upload {
    const problem = nameProblem(name);
    if (problem !== undefined) throw refusal(name, problem);
    const key = toClashKey(name);
    const known = this.#kept.get(key) ?? this.#growing.get(key);
    if (known !== undefined && known.name !== name) {
      throw refusal(
        name,
        `${JSON.stringify(known.name)} is there already, and some systems take both for the same`,
      );
    }
    const files = new Set([...this.#kept.keys(), ...this.#growing.keys(), key]).size;
    if (files > MAX_FILES) throw refusal(name, `a run keeps at most ${MAX_FILES} files`);
    const before = this.#growing.get(key);
    if (before !== undefined) this.#drop(before);
    // No name of a sandbox starts with a dot.
    const path = `${this.#folder.create()}/.part-${++this.#parts}`;
    const options = { write: true, createNew: true, mode: 0o600 };
    const upload = { name, path, file: guard(() => Deno.openSync(path, options)), size: 0 };
    this.#growing.set(key, upload);
    return upload;
  }

  #check({ name, size }: Upload, more: number): void {
    // A file that takes the place of another one frees what that has.
    const room = this.#folder.room + (this.#kept.get(toClashKey(name))?.size ?? 0);
    if (more <= room) return;
    throw refusal(
      name,
      `a run keeps at most ${MAX_RUN_BYTES / 1024 ** 2} MiB, and of this file ` +
        `only ${(size + room).toLocaleString("en-US")} bytes fit`,
    );
  }

  #drop(upload: Upload): void {
    this.#growing.delete(toClashKey(upload.name));
    this.#folder.bytes -= upload.size;
    upload.file.close();
    try {
      Deno.removeSync(upload.path);
    } catch {
      // It goes with the folder of the run.
    }
  }
}

function refusal(name: string, reason: string): AppError {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return new AppError(`Cannot keep the file ${JSON.stringify(shown)}: ${reason}`);
}
