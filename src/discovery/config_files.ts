/** The file system as discovery sees it: a port, and the real one behind it. */
import type { ConfigSource } from "./config_sources.ts";
import { joinPath, type Os } from "./os_path.ts";
import { readRegular } from "../shared/regular_file.ts";

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
  /** The first `maxBytes` of a file. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
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
      // What the kernel makes up as it is read has no size, may have no end, and may make a reader wait.
      const isMadeUp = isFile && size === 0 && isOfKernel(await Deno.realPath(path));
      return {
        kind: isFile && !isMadeUp ? "file" : isDirectory ? "folder" : "other",
        sizeBytes: size,
        modifiedMs: mtime?.getTime() ?? 0,
      };
    }),
  read: readRegular,
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

/** LIMITATION: by name, since Deno does not tell the kind of a file system. */
function isOfKernel(path: string): boolean {
  return Deno.build.os === "linux" && /^\/(proc|sys)\//.test(path);
}

async function unlessAbsent<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    const { NotFound, NotADirectory } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotADirectory) return undefined;
    throw error;
  }
}

/**
 * Paths of a source, in order of their names; a path without `*` is given whether or not it exists.
 *
 * @throws if a folder cannot be listed.
 */
export async function findFiles(
  source: ConfigSource,
  os: Os,
  files: ConfigFiles,
): Promise<string[]> {
  let paths = [source.base];
  for (const name of source.names) {
    if (!name.includes("*")) {
      paths = paths.map((path) => joinPath(os, path, name));
      continue;
    }
    const pattern = toPattern(name);
    const found = paths.map(async (path) => {
      const names = (await files.list(path)).filter((name) => pattern.test(name));
      return names.sort().map((name) => joinPath(os, path, name));
    });
    paths = (await Promise.all(found)).flat();
  }
  return paths;
}

/** As in a shell, `*` does not stand for a leading dot: macOS leaves `._name.json` beside files. */
function toPattern(name: string): RegExp {
  const escaped = name.split("*").map((part) => part.replaceAll(/[^\w-]/g, "\\$&"));
  return new RegExp(`^(?!\\.)${escaped.join(".*")}$`, "s");
}
