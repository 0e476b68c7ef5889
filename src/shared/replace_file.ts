/** Files that are replaced as a whole, so that nobody ever reads half of one. */

/** Ends the name of a file that is being written. */
export const DRAFT = ".draft";

/** Options of {@link replaceFile}. */
export interface ReplaceFileOptions {
  /** Whether the bytes are to be on the disk before the name is theirs: what cannot be made again. @default false */
  durable?: boolean;
}

/**
 * Puts bytes in place of what a file held. Whoever reads, and whatever comes between, finds the old or the
 * new bytes. Throws what Deno throws.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  { durable = false }: ReplaceFileOptions = {},
): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}${DRAFT}`;
  try {
    {
      using file = Deno.openSync(draft, { write: true, createNew: true, mode: 0o600 });
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
      if (durable) await file.syncData();
    }
    Deno.renameSync(draft, path);
  } catch (error) {
    await Deno.remove(draft).catch(() => {});
    throw error;
  }
}
