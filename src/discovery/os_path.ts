/** Paths as each system writes them, so that the places of one system can be tested on another. */

/** A system, by the name Deno gives it. */
export type Os = typeof Deno.build.os;

/** A path below `base`. */
export function joinPath(os: Os, base: string, ...names: readonly string[]): string {
  const separator = os === "windows" ? "\\" : "/";
  return [base.replace(os === "windows" ? /[/\\]+$/ : /\/+$/, ""), ...names].join(separator);
}

/** Whether a path does not depend on the current folder. */
export function isAbsolutePath(os: Os, path: string): boolean {
  return (os === "windows" ? /^([a-z]:)?[/\\]/i : /^\//).test(path);
}

/** `path` as it is if absolute, otherwise below `base`. */
export function resolvePath(os: Os, base: string, path: string): string {
  return isAbsolutePath(os, path) ? path : joinPath(os, base, path.replace(/^\.[/\\]/, ""));
}

/** Whether two spellings name one place; Windows tells neither case nor slashes apart. */
export function isSamePath(os: Os, a: string, b: string): boolean {
  return canonical(os, a) === canonical(os, b);
}

/** The last name of a path. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

function canonical(os: Os, path: string): string {
  if (os !== "windows") return path.replace(/(?<=.)\/+$/, "");
  return path.replace(/^[/\\]{2}\?[/\\]/, "").replaceAll("/", "\\").replace(/\\+$/, "")
    .toLowerCase();
}
