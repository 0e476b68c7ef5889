/** The file system as discovery sees it: a port, and the real one behind it. */

/** What is known of a file without reading it. */
export interface FileState {
  kind: "file" | "folder" | "other";
  sizeBytes: number;
  modifiedMs: number;
}

/** Reads files and folders. What cannot be read is an error; what is not there is not. */
export interface ConfigFiles {
  /** `undefined` when there is nothing. */
  stat(path: string): Promise<FileState | undefined>;
  read(path: string): Promise<Uint8Array>;
  /** Names in a folder; none when there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** The path without links; `undefined` when it leads nowhere. Never throws. */
  realPath(path: string): Promise<string | undefined>;
}

/** The files of this machine. Nobody waits in place: a home folder can be on a slow network. */
export const machineFiles: ConfigFiles = {
  stat: (path) =>
    unlessAbsent(async () => {
      const { isFile, isDirectory, size, mtime } = await Deno.stat(path);
      return {
        kind: isFile ? "file" : isDirectory ? "folder" : "other",
        sizeBytes: size,
        modifiedMs: mtime?.getTime() ?? 0,
      };
    }),
  read: (path) => Deno.readFile(path),
  list: async (folder) => {
    const entries = await unlessAbsent(() => Array.fromAsync(Deno.readDir(folder)));
    return (entries ?? []).map((entry) => entry.name);
  },
  realPath: async (path) => {
    try {
      return await Deno.realPath(path);
    } catch {
      return undefined;
    }
  },
};

async function unlessAbsent<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    const { NotFound, NotADirectory } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotADirectory) return undefined;
    throw error;
  }
}
