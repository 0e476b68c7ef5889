/** The file format of a snapshot: the interpreter's memory, then the SHA-256 of it. */

const DIGEST_BYTES = 32;

/** The bytes to store for a snapshot. */
export async function withDigest(snapshot: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const file = new Uint8Array(snapshot.length + DIGEST_BYTES);
  file.set(snapshot);
  file.set(await digest(snapshot), snapshot.length);
  return file;
}

/** The snapshot in a stored file, without a copy. */
export function withoutDigest(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return file.subarray(0, Math.max(0, file.length - DIGEST_BYTES));
}

/** Whether a stored file is the one that was written; the bytes may be given away after the call. */
export async function isIntact(file: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (file.length <= DIGEST_BYTES) return false;
  const expected = file.slice(file.length - DIGEST_BYTES);
  const actual = await digest(withoutDigest(file));
  return actual.every((byte, at) => byte === expected[at]);
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
