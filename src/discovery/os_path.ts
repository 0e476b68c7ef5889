/** Paths as each system writes them, so that the places of one system can be tested on another. */
import { isAbsolute as isAbsolutePosix } from "@std/path/posix/is-absolute";
import { join as joinPosix } from "@std/path/posix/join";
import { basename } from "@std/path/windows/basename";
import { isAbsolute as isAbsoluteWindows } from "@std/path/windows/is-absolute";
import { join as joinWindows } from "@std/path/windows/join";

/** A system, by the name Deno gives it. */
export type Os = typeof Deno.build.os;

/** A path below `base`. */
export function joinPath(os: Os, base: string, ...names: readonly string[]): string {
  return os === "windows" ? joinWindows(base, ...names) : joinPosix(base, ...names);
}

/** Whether a path does not depend on the current folder. */
export function isAbsolutePath(os: Os, path: string): boolean {
  return os === "windows" ? isAbsoluteWindows(path) : isAbsolutePosix(path);
}

/** `path` if absolute, otherwise below `base`: as it is written, since `link/..` is for the system to follow. */
export function resolvePath(os: Os, base: string, path: string): string {
  if (isAbsolutePath(os, path)) return path;
  return joinPath(os, base, "/") + path.replace(/^\.[/\\]/, "");
}

/** Whether two spellings name one place; Windows tells neither case nor slashes apart. */
export function isSamePath(os: Os, a: string, b: string): boolean {
  return canonical(os, a) === canonical(os, b);
}

/** The last name of a path, of any system. */
export function fileName(path: string): string {
  return basename(path);
}

function canonical(os: Os, path: string): string {
  if (os !== "windows") return path.replace(/(?<=.)\/+$/, "");
  return path.replace(/^[/\\]{2}\?[/\\]/, "").replaceAll("/", "\\").replace(/\\+$/, "")
    .toLowerCase();
}
