/**
 * Files that a sandbox sends in pieces. Each grows beside its place and takes it when it is whole, so that
 * nobody reads half a file.
 */
import { AppError } from "../../shared/errors.ts";
import { nameProblem, toClashKey, toDiskName } from "./file_name.ts";
import type { FilePiece } from "./run_files.ts";
import { guard, MAX_RUN_BYTES, type RunFolder, writeAll } from "./run_folder.ts";
import { describeFile, type StoredFile } from "./stored_file.ts";

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
  return new AppError("artifact", `Cannot keep the file ${JSON.stringify(shown)}: ${reason}`);
}
