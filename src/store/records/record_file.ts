/**
 * What a record looks like on disk: a line of JSON that says what it is, then its text. The first line
 * alone is enough for a list; the checksums in it, one of the line and one of the text, tell a whole file from a
 * damaged one. Pure.
 */
import { z } from "zod";
import { crc32 } from "../../shared/crc32.ts";

const fields = {
  key: z.string(),
  /** Another one after each write. */
  version: z.string(),
  created: z.string(),
  updated: z.string(),
  /** Length of the text in UTF-8. */
  bytes: z.int().nonnegative(),
  /** What the owner noted beside the text: JSON, kept as it came. */
  metadata: z.string().optional(),
};

const headerSchema = z.discriminatedUnion("format", [
  /** Has no checksums; strict, so that no damage makes one of the other. */
  z.strictObject({ format: z.literal(1), ...fields }),
  z.strictObject({
    format: z.literal(2),
    ...fields,
    textCrc: z.int(),
    /** Of the line without it. */
    crc: z.int(),
  }),
]);

/** Bytes in which the first line ends, whatever its key and its metadata. */
export const MAX_HEADER_BYTES: number = 256 * 1024;

/** The first line of a record. */
export type RecordHeader = z.infer<typeof headerSchema>;

/** A record as a whole. */
export type StoredRecord = RecordHeader & { text: string };

/** A record as it is written: its header and all its bytes. */
export function formatRecord(
  fields: Pick<RecordHeader, "key" | "version" | "created" | "updated" | "metadata">,
  text: string,
): { header: RecordHeader; bytes: Uint8Array } {
  const body = encoder.encode(text);
  const unsealed = { format: 2, ...fields, bytes: body.length, textCrc: crc32(body) } as const;
  const header: RecordHeader = { ...unsealed, crc: crcOf(unsealed) };
  const line = encoder.encode(`${JSON.stringify(header)}\n`);
  const bytes = new Uint8Array(line.length + body.length);
  bytes.set(line);
  bytes.set(body, line.length);
  return { header, bytes };
}

/**
 * Reads the first line out of a file's first bytes, or all of them; undefined if the line goes on.
 *
 * @throws {Error} if it is no header.
 */
export function parseHeader(
  bytes: Uint8Array,
): { header: RecordHeader; length: number } | undefined {
  const end = bytes.indexOf(NEWLINE);
  if (end < 0) return undefined;
  const value = JSON.parse(decode(bytes.subarray(0, end)));
  const header = headerSchema.parse(value);
  const { crc, ...unsealed } = value;
  if (header.format === 2 && crc !== crcOf(unsealed)) throw new Error("The first line is damaged");
  return { header, length: end + 1 };
}

/**
 * Reads a whole file.
 *
 * @throws {Error} if it is damaged.
 */
export function parseRecord(bytes: Uint8Array): StoredRecord {
  const parsed = parseHeader(bytes);
  if (parsed === undefined) throw new Error("The first line has no end");
  const body = bytes.subarray(parsed.length);
  if (body.length !== parsed.header.bytes) {
    throw new Error(`Expected ${parsed.header.bytes} bytes, got ${body.length}`);
  }
  if (parsed.header.format === 2 && parsed.header.textCrc !== crc32(body)) {
    throw new Error("The text is damaged");
  }
  return { ...parsed.header, text: decode(body) };
}

const NEWLINE = 10;

const encoder = new TextEncoder();

function crcOf(unsealed: object): number {
  return crc32(encoder.encode(JSON.stringify(unsealed)));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
