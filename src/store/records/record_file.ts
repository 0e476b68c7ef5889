/**
 * What a record looks like on disk: a line of JSON that says what it is, then its text. The first line
 * alone is enough for a list; the length in it tells a whole file from a damaged one. Pure.
 */
import { z } from "zod";

const headerSchema = z.object({
  format: z.literal(1),
  key: z.string(),
  /** Another one after each write. */
  version: z.string(),
  created: z.string(),
  updated: z.string(),
  /** Length of the text in UTF-8. */
  bytes: z.int().nonnegative(),
  /** What the owner noted beside the text: JSON, kept as it came. */
  metadata: z.string().optional(),
});

/** The first line of a record. */
export type RecordHeader = z.infer<typeof headerSchema>;

/** A record as a whole. */
export interface StoredRecord extends RecordHeader {
  text: string;
}

/** A record as it is written: its header and all its bytes. */
export function formatRecord(
  fields: Omit<RecordHeader, "format" | "bytes">,
  text: string,
): { header: RecordHeader; bytes: Uint8Array } {
  const encoder = new TextEncoder();
  const body = encoder.encode(text);
  const header: RecordHeader = { format: 1, ...fields, bytes: body.length };
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
  const header = headerSchema.parse(JSON.parse(decode(bytes.subarray(0, end))));
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
  return { ...parsed.header, text: decode(body) };
}

const NEWLINE = 10;

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
