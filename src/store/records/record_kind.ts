/** What a store of records is for and what it takes. Pure. */
import { AppError } from "../../shared/errors.ts";
import { crc32 } from "../../shared/crc32.ts";
import { NotRegularError } from "../../shared/regular_file.ts";

/** Most that a store takes. */
export interface RecordLimits {
  /** Longest key, in bytes of UTF-8. */
  keyBytes: number;
  /** Longest text, in bytes of UTF-8. */
  textBytes: number;
  /** Longest metadata, in bytes of UTF-8. */
  metadataBytes: number;
  records: number;
  /** All files together. */
  totalBytes: number;
}

/** One kind of record. */
export interface RecordKind {
  /** Its folder below the state folder. */
  folder: string;
  /** A record in the words of an error, such as "memory". */
  noun: string;
  /** Several of them. */
  plural: string;
  /** The function of the sandbox that removes one. */
  remove: string;
  limits: RecordLimits;
}

/** How much a folder holds. */
export interface Usage {
  records: number;
  bytes: number;
}

/** What a writer gives: the folder as it is now. */
export interface Written<T> {
  usage: Usage;
  result: T;
}

/**
 * Refuses a key that cannot be one.
 *
 * @throws {AppError} that names the limit.
 */
export function checkKey({ noun, limits }: RecordKind, key: string): void {
  const refuse = (problem: string) => {
    throw new AppError(`Cannot use ${quoteKey(key)} as the key of a ${noun}: ${problem}`);
  };
  if (key === "") refuse("it is empty");
  if (!key.isWellFormed()) refuse("it has half of a surrogate pair");
  const length = byteLength(key);
  if (length > limits.keyBytes) {
    refuse(`it has ${count(length)} bytes, at most ${count(limits.keyBytes)} are allowed`);
  }
}

/**
 * Refuses a text, or metadata, that is too long.
 *
 * @throws {AppError} that names the limit.
 */
export function checkSize(
  { noun, limits }: RecordKind,
  { key, text, metadata = "" }: { key: string; text: string; metadata?: string | undefined },
): void {
  const parts = [
    ["it", text, limits.textBytes],
    ["its metadata", metadata, limits.metadataBytes],
  ] as const;
  for (const [what, part, most] of parts) {
    const length = byteLength(part);
    if (length <= most) continue;
    throw new AppError(
      `Cannot save the ${noun} ${quoteKey(key)}: ${what} would take ${count(length)} bytes, ` +
        `at most ${count(most)} are allowed`,
      { hint: "Keep less of it, or split it over several keys" },
    );
  }
}

/**
 * Refuses what would fill a folder beyond its bounds; one that is over them already may still shrink.
 *
 * @throws {AppError} that names the limit.
 */
export function checkUsage(kind: RecordKind, key: string, before: Usage, after: Usage): void {
  const { noun, plural, remove, limits } = kind;
  const refuse = (problem: string) => {
    throw new AppError(`Cannot save the ${noun} ${quoteKey(key)}: ${problem}`, {
      hint: `Make room: ${remove}(…)`,
    });
  };
  if (after.records > limits.records && after.records > before.records) {
    refuse(
      `there are ${count(before.records)} ${plural}, at most ${count(limits.records)} are kept`,
    );
  }
  if (after.bytes > limits.totalBytes && after.bytes > before.bytes) {
    refuse(
      `all ${plural} together would take ${count(after.bytes)} bytes, ` +
        `at most ${count(limits.totalBytes)} are allowed`,
    );
  }
}

/** A record that is not what was written. */
export function damaged(kind: RecordKind, key: string, cause?: unknown): AppError {
  return trouble(kind, key, "is damaged on disk", cause);
}

/** A record that the system does not let us read; undefined if the trouble is not with the record alone. */
export function unreadable(kind: RecordKind, key: string, cause: unknown): AppError | undefined {
  if (cause instanceof NotRegularError) return damaged(kind, key, cause);
  const { PermissionDenied, NotCapable } = Deno.errors;
  if (!(cause instanceof PermissionDenied || cause instanceof NotCapable)) return undefined;
  return trouble(kind, key, "cannot be read: permission denied", cause);
}

/** A folder in the place of a record: it is somebody's, and stays. */
export function inTheWay({ noun, folder }: RecordKind, key: string, path: string): AppError {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return new AppError(`A folder is in the place of the ${noun} ${quoteKey(key)}`, {
    hint: `Remove "${folder}/${name}" from the state folder`,
  });
}

function trouble(
  { noun, remove }: RecordKind,
  key: string,
  what: string,
  cause: unknown,
): AppError {
  return new AppError(`The ${noun} ${quoteKey(key)} ${what}`, {
    hint: `Save it again, or remove it with ${remove}(${quoteKey(key)})`,
    cause,
  });
}

/** How much a folder holds, as a note for the next writer. */
export function formatUsage({ records, bytes }: Usage): string {
  const text = `${records} ${bytes}`;
  return `${text} ${crc32(new TextEncoder().encode(text))}`;
}

/** Reads such a note; undefined if it is none, or not as it was written. */
export function parseUsage(note: string): Usage | undefined {
  const [records, bytes] = note.split(" ", 2).map(Number);
  if (records === undefined || bytes === undefined) return undefined;
  const usage = { records, bytes };
  return formatUsage(usage) === note ? usage : undefined;
}

/** A key in an error, cut where it is long. */
function quoteKey(key: string): string {
  const chars = Array.from(key.slice(0, 200));
  return JSON.stringify(chars.length <= 80 ? key : `${chars.slice(0, 80).join("")}…`);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
