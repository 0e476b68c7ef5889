/** The folder of one run: made with its first byte, bounded in what it takes. */
import { AppError } from "../../shared/errors.ts";
import { crc32 } from "../../shared/crc32.ts";

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
      throw new AppError("state_folder", "No state folder is known", {
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
    "state_folder",
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
