/** A piece of an artifact as resource contents: text where it is text, base64 elsewhere. Pure. */

/** Longest piece that is moved at once. */
export const MAX_PIECE_BYTES = 4 * 1024 * 1024;

/** Bytes read beyond a piece, enough to see whether it ends inside a character. */
export const LOOKAHEAD_BYTES = 3;

/** Bytes of an artifact from some offset on. */
export interface ArtifactBytes {
  bytes: Uint8Array;
  /** Size of the whole artifact, in bytes. */
  size: number;
  mimeType: string;
}

/** Where a piece lies. */
export interface PieceRange {
  offset: number;
  length: number;
}

/** The piece of `read` that begins at `offset` and has about `length` bytes. */
export function toContents(uri: string, read: ArtifactBytes, { offset, length }: PieceRange) {
  const { bytes, size, mimeType } = read;
  const isText = isTextType(mimeType);
  const end = isText ? characterEnd(bytes, length) : Math.min(length, bytes.length);
  const piece = bytes.subarray(0, end);
  const text = isText ? decode(piece) : undefined;
  const nextOffset = offset + end;
  return {
    uri,
    mimeType,
    ...(text !== undefined ? { text } : { blob: piece.toBase64() }),
    _meta: { size, offset, ...(nextOffset < size && { nextOffset }) },
  };
}

/** The end of the last character within `length` bytes, or of the first one when even that is longer. */
function characterEnd(bytes: Uint8Array, length: number): number {
  if (length >= bytes.length) return bytes.length;
  for (let end = length; end > 0 && length - end <= LOOKAHEAD_BYTES; end--) {
    if (!isContinuation(bytes[end])) return end;
  }
  let end = 1;
  while (end <= LOOKAHEAD_BYTES && isContinuation(bytes[end])) end++;
  return Math.max(end, length);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function isTextType(mimeType: string): boolean {
  return /^text\/|^application\/(json|jsonl|x-ndjson|sql|xml|yaml|toml)\b|\+(json|xml)\b/.test(
    mimeType,
  );
}

/** The text of `bytes`, or undefined where it is in another encoding or begins inside a character. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
