/** The file operations of a record store: reading the start of a file, replacing one, counting them all. */
import { AppError } from "../shared/errors.ts";
import { parseHeader, type RecordHeader } from "./record_file.ts";
import type { Usage } from "./record_kind.ts";
import { isRecordName } from "./record_name.ts";

/** Bytes that hold nearly every header. */
const HEADER_BYTES = 4096;

/** Ends the name of a file that is being written. */
const DRAFT = ".draft";

/** What an absent file gives instead of an error. */
export async function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Reads the header of a file; what it gives throws if the file is damaged. */
export async function readHeader(path: string): Promise<() => RecordHeader> {
  using file = await Deno.open(path);
  const { size } = await file.stat();
  const start = new Uint8Array(Math.min(size, HEADER_BYTES));
  await fill(file, start);
  const whole = async () => {
    const bytes = new Uint8Array(size);
    bytes.set(start);
    await fill(file, bytes.subarray(start.length));
    return bytes;
  };
  const bytes = start.length < size && !start.includes(10) ? await whole() : start;
  return () => {
    const parsed = parseHeader(bytes);
    if (parsed === undefined || parsed.length + parsed.header.bytes !== size) {
      throw new Error("The file is not whole");
    }
    return parsed.header;
  };
}

/**
 * Puts bytes in place of a file. Whoever reads, and whatever comes between, finds the old or the new
 * bytes: they are on the disk before the name is theirs.
 */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path.slice(0, path.lastIndexOf("/"))}/${crypto.randomUUID()}${DRAFT}`;
  try {
    {
      using file = await Deno.open(draft, { write: true, createNew: true, mode: 0o600 });
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
      await file.syncData();
    }
    await Deno.rename(draft, path);
  } catch (error) {
    await Deno.remove(draft).catch(() => {});
    throw error;
  }
}

/** Counts what a folder holds, and removes drafts that a killed writer left. Only for the one who writes. */
export async function takeStock(folder: string): Promise<Usage> {
  const usage = { records: 0, bytes: 0 };
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(DRAFT)) await Deno.remove(`${folder}/${name}`).catch(() => {});
    if (!isRecordName(name)) continue;
    usage.records++;
    usage.bytes += await sizeOf(`${folder}/${name}`) ?? 0;
  }
  return usage;
}

/** Size of a file, or undefined if there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return (await orUndefined(Deno.stat(path)))?.size;
}

/** An error of the file system without the path that Deno puts into it: the model reads it. */
export function toStateError(what: "read" | "written", error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const reason = typeof code === "string" ? ` (${code})` : "";
  return new AppError("state_folder", `The state folder cannot be ${what}${reason}`, {
    hint: "Set MCP_BRIDGE_STATE_DIR to a folder that the bridge can write",
    cause: error,
  });
}

async function fill(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const got = await file.read(bytes.subarray(at));
    if (got === null) return;
    at += got;
  }
}
