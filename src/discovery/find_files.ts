/** From a place with `*` in it to the files that are there. */
import type { ConfigFiles } from "./config_files.ts";
import type { ConfigSource } from "./config_sources.ts";
import { joinPath, type Os } from "./os_path.ts";

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
