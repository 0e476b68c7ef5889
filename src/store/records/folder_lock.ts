/**
 * One writer at a time in a folder, over all processes. The lock is the operating system's, on an open
 * file: it goes when its process does, however that ends. The file also holds a short note, which the
 * next writer finds empty if this one did not get to the end.
 */
import { settledWithin } from "../../shared/deadline.ts";
import { AppError } from "../../shared/errors.ts";
import { lookAt } from "./record_folder.ts";

/** Longest wait for other writers. */
const PATIENCE_MS = 15_000;

/** Longest note, in bytes. */
const MAX_NOTE = 256;

/** Work under the lock: gets the note of the writer before, gives its own. */
export type LockedWork<T> = (note: string) => Promise<{ note: string; result: T }>;

/** The lock of one folder, which must be there. */
export class FolderLock {
  readonly #path: string;
  readonly #patienceMs: number;
  /** Settles when all that asked before have left. */
  #last: Promise<void> = Promise.resolve();

  constructor(folder: string, patienceMs: number = PATIENCE_MS) {
    this.#path = `${folder}/lock`;
    this.#patienceMs = patienceMs;
  }

  /**
   * Does the work while nobody else does any.
   *
   * @throws {AppError} if others do not let it in; also whatever the work or Deno throws.
   */
  async hold<T>(work: LockedWork<T>): Promise<T> {
    // Those of this process wait here, so that at most one thread waits for the system.
    const before = this.#last;
    const { promise, resolve: leave } = Promise.withResolvers<void>();
    this.#last = promise;
    if (!await settledWithin(before, this.#patienceMs)) {
      void before.then(leave);
      throw tooLong();
    }
    let entered = Promise.resolve();
    try {
      const file = open(this.#path);
      entered = enter(file);
      if (!await settledWithin(entered, this.#patienceMs)) {
        // A lock that comes after all must not stay.
        void entered.catch(() => {}).then(() => file.close());
        throw tooLong();
      }
      using _file = file;
      await entered;
      return await doWork(file, work);
    } finally {
      void entered.catch(() => {}).then(leave);
    }
  }
}

/** A pipe would keep us waiting, and a link make a lock of another file. */
function open(path: string): Deno.FsFile {
  if (lookAt(path)?.isFile === false) {
    const [folder, name] = path.split("/").slice(-2);
    throw new AppError("The state folder cannot be written: its lock is no file", {
      hint: `Remove "${folder}/${name}" from the state folder`,
    });
  }
  return Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
}

async function enter(file: Deno.FsFile): Promise<void> {
  if (!file.tryLockSync(true)) await file.lock(true);
}

async function doWork<T>(file: Deno.FsFile, work: LockedWork<T>): Promise<T> {
  const buffer = new Uint8Array(MAX_NOTE);
  const before = new TextDecoder().decode(buffer.subarray(0, file.readSync(buffer) ?? 0));
  file.truncateSync(0);
  const { note, result } = await work(before);
  file.seekSync(0, Deno.SeekMode.Start);
  file.writeSync(new TextEncoder().encode(note));
  return result;
}

function tooLong(): AppError {
  return new AppError("The state folder is busy: another writer does not end", {
    hint: "Try again; if it stays so, look for a bridge that hangs",
  });
}
