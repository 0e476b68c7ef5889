/**
 * Whether the memory that every interpreter starts from can be somebody else's work. As ssh does with its files:
 * what it is read from, and the folder around that, belong to us or to root, and nobody else may write them.
 * Windows shows neither owner nor mode: there nothing is found wrong.
 */

const WRITABLE_BY_OTHERS = 0o022;

/** What is wrong with a file or folder; undefined where it can be trusted. */
export type Distrust = "belongs to another user" | "can be written by others";

/** Judges what the system says of a file or folder. */
export function distrust(
  { uid, mode }: Pick<Deno.FileInfo, "uid" | "mode">,
  ownUid: number | null,
): Distrust | undefined {
  if (uid === null || mode === null) return undefined;
  if (uid !== 0 && uid !== ownUid) return "belongs to another user";
  if ((mode & WRITABLE_BY_OTHERS) !== 0) return "can be written by others";
  return undefined;
}

/**
 * The user we run as; null where it cannot be known. To ask the system takes a permission that we do not have;
 * whoever makes a file owns it, be it in the system's folder for such files or in this one.
 */
export async function findOwnUid(folder: string): Promise<number | null> {
  for (const dir of [undefined, folder]) {
    try {
      const path = await Deno.makeTempFile({ prefix: "mcp-bridge-", ...(dir && { dir }) });
      const { uid } = await Deno.stat(path).finally(() => Deno.remove(path));
      return uid;
    } catch {
      // It cannot be written there.
    }
  }
  return null;
}
