/** The folder of one run: made with its first byte, bounded in what it takes. */
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
