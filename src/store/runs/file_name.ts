/**
 * Names of a run's files: which are allowed, and what they are called on disk. The same on every system, so
 * that a name that works here works elsewhere. Pure; `tests/fixtures/file_names.json` holds examples that
 * the runtime checks as well.
 */

/** Longest name on disk, in bytes of UTF-8: file systems take 255. */
const MAX_NAME_BYTES = 200;

/** Names the host itself uses in the folder of a run. */
export const OWN_FILES = {
  code: "run_python.py",
  stdout: "stdout.txt",
  stderr: "stderr.txt",
} as const;

const OWN_NAMES: ReadonlySet<string> = new Set(Object.values(OWN_FILES));

const FORBIDDEN = /[\\:*?"<>|]/;
// Control characters, and those that turn the direction of text around and so hide what a name is.
// deno-lint-ignore no-control-regex
const UNSEEN = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]/;
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

/**
 * SECURITY: state folder. What is wrong with a name that a sandbox gives a file, or undefined.
 * `/` separates folders; none of its parts leads anywhere else.
 */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "it is empty";
  if (!name.isWellFormed()) return "it is not valid Unicode";
  if (encoder.encode(toDiskName(name)).length > MAX_NAME_BYTES) {
    return `it is longer than ${MAX_NAME_BYTES} bytes`;
  }
  if (OWN_NAMES.has(toClashKey(name))) return "the host keeps the run's own text under that name";
  const forbidden = FORBIDDEN.exec(name)?.[0];
  if (forbidden !== undefined) return `it contains ${forbidden}`;
  if (UNSEEN.test(name)) return "it contains a character that cannot be seen";
  if (name.startsWith("/")) return "it is an absolute path";
  for (const part of name.split("/")) {
    if (part === "") return "it has an empty part";
    if (part === "..") return "it leads out of the folder";
    if (part.startsWith(".")) return "a part of it starts with a dot";
    if (/^ |[ .]$/.test(part)) return "a part of it starts or ends with a space or ends with a dot";
    if (RESERVED.test(part.split(".")[0]!.trimEnd())) return "Windows keeps that name for a device";
  }
  return undefined;
}

/** What two names have in common when some file system takes them for the same. */
export function toClashKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** The name on disk: folders become part of it, so that a run is one folder. */
export function toDiskName(name: string): string {
  return name.replaceAll("%", "%25").replaceAll("/", "%2F");
}

/** The name behind one on disk, or undefined if it is none of ours. */
export function fromDiskName(diskName: string): string | undefined {
  const name = diskName.replaceAll("%2F", "/").replaceAll("%25", "%");
  if (toDiskName(name) !== diskName) return undefined;
  return OWN_NAMES.has(name) || nameProblem(name) === undefined ? name : undefined;
}

const encoder = new TextEncoder();
