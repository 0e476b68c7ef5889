/** JSON files that are replaced as a whole, so that nobody ever reads half of one, and not believed once damaged. */
import { dirname } from "@std/path/dirname";
import { crc32 } from "../shared/crc32.ts";
import { readRegular } from "../shared/regular_file.ts";
import { replaceFile } from "../shared/replace_file.ts";

/** The most that is read of one. */
const MAX_BYTES = 48 * 1024 * 1024;

/** What stands around the value: its checksum first, so that its text need not be searched. */
const head = (bytes: Uint8Array) =>
  `{"crc":"${crc32(bytes).toString(16).padStart(8, "0")}","value":`;
const HEAD_BYTES = head(new Uint8Array()).length;
const TAIL = "}\n";

/** The value in a file; undefined if it is not there, cannot be read or is not what was written. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    const bytes = await readRegular(path, MAX_BYTES);
    const value = bytes.subarray(HEAD_BYTES, -TAIL.length);
    const decoder = new TextDecoder();
    if (decoder.decode(bytes.subarray(0, HEAD_BYTES)) !== head(value)) return undefined;
    return JSON.parse(decoder.decode(value));
  } catch {
    return undefined;
  }
}

/** Puts `value` in place of what the file held; its folder is made if need be. Throws what Deno throws. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const text = JSON.stringify(value);
  const stored = head(new TextEncoder().encode(text)) + text + TAIL;
  await replaceFile(path, new TextEncoder().encode(stored));
}
