/**
 * Reads files in whose place something else may lie: a pipe would keep us waiting for who writes it, a device and
 * a file of the kernel have no end. Only regular files are opened, and read only as far as their size.
 */

/** What lies there is no regular file. */
export class NotRegularError extends Error {
  override name = "NotRegularError";
}

/**
 * Opens a regular file in place, which costs less than a thread.
 *
 * @throws {NotRegularError} if it is a folder, a pipe, a device or a link to itself; also what Deno throws.
 */
export function openRegular(path: string): Deno.FsFile {
  try {
    check(Deno.statSync(path));
  } catch (error) {
    throw asNotRegular(error);
  }
  return Deno.openSync(path);
}

/**
 * The first `maxBytes` of a regular file.
 *
 * @throws {NotRegularError} if it is none; also what Deno throws.
 */
export async function readRegular(
  path: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  check(await Deno.stat(path).catch((error) => Promise.reject(asNotRegular(error))));
  using file = await Deno.open(path);
  // Asked again: by now it may be another file.
  const info = await file.stat();
  check(info);
  const bytes = new Uint8Array(Math.min(info.size, maxBytes));
  let length = 0;
  while (length < bytes.length) {
    const count = await file.read(bytes.subarray(length));
    if (count === null) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

function check({ isFile }: Deno.FileInfo): void {
  if (!isFile) throw new NotRegularError("It is not a regular file");
}

function asNotRegular(error: unknown): unknown {
  const isLoop = error instanceof Deno.errors.FilesystemLoop;
  return isLoop ? new NotRegularError("It is a link to itself") : error;
}
