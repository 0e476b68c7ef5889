/**
 * The file operations of a record store: reading the start of a file, counting them all.
 * Short ones are made in place, which costs less than handing them to a thread; those that wait for the
 * disk are not.
 */
import { AppError } from "../../shared/errors.ts";
import { MAX_HEADER_BYTES, parseHeader, type RecordHeader } from "./record_file.ts";
import { openRegular } from "../../shared/regular_file.ts";
import { DRAFT } from "../../shared/replace_file.ts";
import type { Usage } from "./record_kind.ts";
import { isRecordName } from "./record_name.ts";

/** Bytes that hold nearly every header. */
const HEADER_BYTES = 4096;

/** What an absent file gives instead of an error. */
export async function ifThere<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Reads the header of a file; what it gives throws if the file is damaged. */
export function readHeader(path: string): () => RecordHeader {
  using file = openRegular(path);
  const { size } = file.statSync();
  let bytes = readStart(file, Math.min(size, HEADER_BYTES));
  if (bytes.length < size && !bytes.includes(10)) {
    bytes = readStart(file, Math.min(size, MAX_HEADER_BYTES));
  }
  return () => {
    const parsed = parseHeader(bytes);
    if (parsed === undefined || parsed.length + parsed.header.bytes !== size) {
      throw new Error("The file is not whole");
    }
    return parsed.header;
  };
}

/**
 * Headers of all records in a folder, with the names of their files; none if there is no folder. What one gives
 * throws if the file cannot be read.
 */
export async function* readHeaders(
  folder: string,
): AsyncGenerator<[name: string, parse: () => RecordHeader]> {
  const entries = await ifThere(() => Array.fromAsync(Deno.readDir(folder))) ?? [];
  for (const [index, { name }] of entries.entries()) {
    if (!isRecordName(name)) continue;
    // Other sessions get their turn.
    if (index % 100 === 99) await new Promise((resolve) => setTimeout(resolve));
    const parse = await ifThere(() => readHeader(`${folder}/${name}`))
      .catch((error) => () => {
        throw error;
      });
    // Otherwise another session has deleted it meanwhile.
    if (parse !== undefined) yield [name, parse];
  }
}

/** Counts what a folder holds, and removes drafts that a killed writer left. Only for the one who writes. */
export async function takeStock(folder: string): Promise<Usage> {
  const usage = { records: 0, bytes: 0 };
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(DRAFT)) await Deno.remove(`${folder}/${name}`).catch(() => {});
    if (!isRecordName(name)) continue;
    usage.records++;
    usage.bytes += lookAt(`${folder}/${name}`)?.size ?? 0;
  }
  return usage;
}

/** What has a name, be it a link that leads nowhere; undefined if nothing has. */
export function lookAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** An error of the file system without the path that Deno puts into it: the model reads it. */
export function toStateError(what: "read" | "written", error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const reason = typeof code === "string" ? ` (${code})` : "";
  return new AppError(`The state folder cannot be ${what}${reason}`, {
    hint: "Set MCP_BRIDGE_STATE_DIR to a folder that the bridge can write",
    cause: error,
  });
}

function readStart(file: Deno.FsFile, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  file.seekSync(0, Deno.SeekMode.Start);
  for (let at = 0; at < length;) {
    const got = file.readSync(bytes.subarray(at));
    if (got === null) break;
    at += got;
  }
  return bytes;
}
