/**
 * Which file holds a key. One to one, on every file system: names are lower case ASCII, so that neither
 * case nor the forms of an accented letter make two keys one; a prefix keeps them apart from the names
 * Windows reserves; a key that is too long for a name goes by its digest.
 */

const SUFFIX = ".jsonl";

/** Longest encoded key in a name; every file system takes names of 255 bytes. */
const MAX_ENCODED = 120;

/** A name that {@link toRecordName} can give. */
const RECORD_NAME = /^(?:k-(?:[a-z0-9_-]|=[0-9a-f]{2})+|d-[0-9a-f]{64})\.jsonl$/;

/** The name of the file that holds `key`, which must be well-formed Unicode. */
export async function toRecordName(key: string): Promise<string> {
  const bytes = new TextEncoder().encode(key);
  const encoded = bytes.length > MAX_ENCODED ? undefined : encode(bytes);
  if (encoded !== undefined && encoded.length <= MAX_ENCODED) return `k-${encoded}${SUFFIX}`;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `d-${digest.toHex()}${SUFFIX}`;
}

/** Whether a file of this name holds a key. */
export function isRecordName(name: string): boolean {
  return RECORD_NAME.test(name);
}

/** The key that a name spells out; undefined if it only has its digest, or none. */
export function keyOfRecordName(name: string): string | undefined {
  if (!name.startsWith("k-") || !isRecordName(name)) return undefined;
  const spelt = name.slice(2, -SUFFIX.length).replaceAll("=", "%");
  try {
    return decodeURIComponent(spelt);
  } catch {
    return undefined;
  }
}

function encode(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    text += /[a-z0-9_-]/.test(char) ? char : `=${byte.toString(16).padStart(2, "0")}`;
  }
  return text;
}
