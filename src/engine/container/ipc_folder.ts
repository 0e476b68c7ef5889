/**
 * The folder that holds the runtime of one sandbox and is mounted at `/ipc`. Its name says whose it
 * is, so that what a killed bridge left behind can be told from what a live one uses.
 */
import { HOSTS_FILE, type OwnerIdentity } from "./container_args.ts";
import { judgeOwner, type LookUpProcess, type OwnerState } from "./owner.ts";

/** Start of the name of every such folder. */
const IPC_PREFIX = "mcp-bridge-ipc-";

/** Most folders that stay although nobody can say whose they are. */
const MAX_UNCLAIMED = 50;

const HOSTS = "127.0.0.1 localhost\n::1 localhost\n";

/** A folder that is there until it is disposed of. */
export interface IpcFolder extends AsyncDisposable {
  readonly path: string;
}

/** Files of the runtime: relative path, with slashes → text. */
export type RuntimeFiles = Readonly<Record<string, string>>;

/** Writes the runtime into a new folder under `tempDir` that any user id can read. */
export async function makeIpcFolder(
  tempDir: string,
  files: RuntimeFiles,
  owner: OwnerIdentity,
): Promise<IpcFolder> {
  // A name nobody can foresee, made in one step: a link planted in a shared folder catches nothing.
  const path = await Deno.makeTempDir({ dir: tempDir, prefix: toFolderPrefix(owner) });
  const remove = () => Deno.remove(path, { recursive: true }).catch(() => {});
  try {
    await writeFiles(path, { ...files, [HOSTS_FILE]: HOSTS });
    await makeReadable(path, 0o755);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}

/** Makes each folder once, then writes the files side by side: they are many, and small. */
async function writeFiles(root: string, files: RuntimeFiles): Promise<void> {
  for (const folder of foldersOf(Object.keys(files))) {
    await Deno.mkdir(`${root}/${folder}`);
    await makeReadable(`${root}/${folder}`, 0o755);
  }
  await Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      await Deno.writeTextFile(`${root}/${name}`, text, { createNew: true });
      await makeReadable(`${root}/${name}`, 0o644);
    }),
  );
}

/** Every folder that the files lie in, a parent before its children. */
function foldersOf(names: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const name of names) {
    const parts = name.split("/").slice(0, -1);
    parts.forEach((_, depth) => folders.add(parts.slice(0, depth + 1).join("/")));
  }
  return [...folders].sort();
}

/** Undoes the umask: the sandbox runs as another user. */
async function makeReadable(path: string, mode: number): Promise<void> {
  if (Deno.build.os !== "windows") await Deno.chmod(path, mode);
}

/** Options of {@link pruneIpcFolders}. */
export interface PruneOptions {
  /** Ours: its folders stay, and only folders of its user are touched. */
  owner: OwnerIdentity;
  lookUp: LookUpProcess;
  /** Leaves the rest for another time. */
  signal?: AbortSignal;
}

/** Removes folders of dead bridges, and the oldest of those without an owner; never rejects. */
export async function pruneIpcFolders(tempDir: string, options: PruneOptions): Promise<void> {
  try {
    const uid = await findOwnUid(tempDir, options.owner);
    const ours = toFolderPrefix(options.owner);
    const unclaimed: { path: string; time: number }[] = [];
    for await (const entry of Deno.readDir(tempDir)) {
      if (options.signal?.aborted) return;
      const path = `${tempDir}/${entry.name}`;
      if (!entry.name.startsWith(IPC_PREFIX) || entry.name.startsWith(ours)) continue;
      const info = await Deno.lstat(path).catch(() => undefined);
      if (info === undefined || info.uid !== uid || !info.isDirectory) continue;
      const state = await judgeFolder(entry.name, options.lookUp);
      if (state === "dead") await removeQuietly(path);
      if (state === "unclaimed") unclaimed.push({ path, time: info.mtime?.getTime() ?? 0 });
    }
    unclaimed.sort((a, b) => b.time - a.time);
    for (const { path } of unclaimed.slice(MAX_UNCLAIMED)) await removeQuietly(path);
  } catch {
    // Tidying is a courtesy; a temp folder that cannot be listed costs nobody a run.
  }
}

/** Our user id as files have it; Deno tells it outright only with a permission of its own. */
async function findOwnUid(tempDir: string, owner: OwnerIdentity): Promise<number | null> {
  const path = await Deno.makeTempDir({ dir: tempDir, prefix: toFolderPrefix(owner) });
  const { uid } = await Deno.lstat(path);
  await Deno.remove(path);
  return uid;
}

/** `unclaimed`: of no bridge we know how to ask for, such as one of another boot. */
async function judgeFolder(
  name: string,
  lookUp: LookUpProcess,
): Promise<OwnerState | "unclaimed"> {
  const owner = parseFolderName(name);
  if (owner === undefined) return "unclaimed";
  const seen = await lookUp(owner.pid);
  if (seen === undefined) return "unknown";
  // A name holds tokens, so tokens are compared.
  const start = seen.start === undefined ? {} : { start: toToken(seen.start) };
  const tokens = { boot: toToken(seen.boot), pidns: toToken(seen.pidns), ...start };
  const state = judgeOwner(owner, tokens, false);
  return state === "unknown" ? "unclaimed" : state;
}

async function removeQuietly(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(() => {});
}

/** `mcp-bridge-ipc-<pid>-<start>-<boot>-<pidns>-`, to which random letters are added. */
export function toFolderPrefix(owner: OwnerIdentity): string {
  const parts = [toToken(owner.start), toToken(owner.boot), toToken(owner.pidns)];
  return `${IPC_PREFIX}${owner.pid}-${parts.join("-")}-`;
}

/** The owner that a folder's name speaks of; `undefined` for a name of another form. */
export function parseFolderName(name: string): OwnerIdentity | undefined {
  const match = /^(\d+)-(\w+)-(\w+)-(\w*)-\w+$/.exec(name.slice(IPC_PREFIX.length));
  if (match === null) return undefined;
  const [, pid, start = "", boot = "", pidns = ""] = match;
  return { pid: Number(pid), start, boot, pidns };
}

function toToken(text: string): string {
  return text.replace(/\W/g, "").slice(0, 20);
}
