/** Recognises ourselves among the servers: a bridge that loads itself would start itself without end. */
import type { ConfigFiles } from "./config_files.ts";
import type { ServerTransport } from "./entry/server_entry.ts";
import { fileName, isAbsolutePath, isSamePath, joinPath, type Os, resolvePath } from "./os_path.ts";

/**
 * Set in the environment of every server we start. A bridge that finds it in its own was started by a
 * bridge, by whatever detour, and loads no servers.
 */
export const PARENT_MARKER = "MCP_BRIDGE_PARENT";

/** The name we answer to, as package, module, script, repository or image. */
const OUR_NAME =
  /(?:^|[/\\:])mcp[-_]server[-_]code[-_]execution[-_]mode(?:\.(?:py|pyz|git|exe|cmd|ts|js))?[/\\]?(?:$|[@:#?[~!<>])/i;

/** The program of a checkout of ours, below its folder. */
const OUR_MAIN = "main.ts";

/** A checkout that is not on this machine, such as one in a container, by the name it was cloned with. */
const OUR_FOLDER =
  /[/\\](?:mcp[-_]bridge|mcp[-_]server[-_]code[-_]execution[-_]mode)[/\\]main\.ts$/i;

/** `name` in the `deno.json` of every checkout. */
const OUR_PACKAGE_NAME = "@mcp-bridge/mcp-bridge";

/** What stands before the folder that a program is run in, or before the configuration in it. */
const FOLDER_BEFORE: ReadonlySet<string> = new Set(["cd", "--cwd", "--config", "-c"]);

const MAX_CONFIG_BYTES = 64 * 1024;

/** Our package in any registry form, also the one npm has for JSR packages. */
const OUR_PACKAGE = /@(?:mcp-bridge[/\\]mcp-bridge|jsr[/\\]mcp-bridge__mcp-bridge)(?![\w-])/i;

/** Whether the texts of an entry (its name, program and arguments) name us. */
export function isNamedLikeUs(texts: readonly string[]): boolean {
  return texts.flatMap(words).some((word) => OUR_NAME.test(word) || OUR_PACKAGE.test(word));
}

type StdioCommand = Pick<ServerTransport & { kind: "stdio" }, "command" | "args">;

/** Options of {@link runsUs}. */
export interface RunsUsOptions {
  os: Os;
  cwd: string;
  files: ConfigFiles;
  /** Real paths of what we are made of. */
  ownFiles: readonly string[];
}

/** Whether a command runs one of our own files, under whatever path, or another checkout of this program. */
export async function runsUs(
  transport: ServerTransport,
  { os, cwd, files, ownFiles }: RunsUsOptions,
): Promise<boolean> {
  if (transport.kind !== "stdio") return false;
  for (const path of new Set(findPaths(transport, os, transport.cwd ?? cwd))) {
    const real = await files.realPath(path);
    const isUs = real === undefined
      ? OUR_FOLDER.test(path)
      : ownFiles.some((own) => isSamePath(os, own, real)) || await isOurMain(real, os, files);
    if (isUs) return true;
  }
  return false;
}

/** Whether a file is a `main.ts` beside a `deno.json` of ours: others call theirs so, too. */
async function isOurMain(main: string, os: Os, files: ConfigFiles): Promise<boolean> {
  if (fileName(main) !== OUR_MAIN) return false;
  const config = joinPath(os, main.slice(0, -OUR_MAIN.length - 1), "deno.json");
  try {
    const state = await files.stat(config);
    if (state?.kind !== "file" || state.sizeBytes > MAX_CONFIG_BYTES) return false;
    const { name } = JSON.parse(
      new TextDecoder().decode(await files.read(config, MAX_CONFIG_BYTES)),
    );
    return name === OUR_PACKAGE_NAME;
  } catch {
    // Unreadable or no JSON: not as we have it.
    return false;
  }
}

/** Every path that a command names; also the program that a folder and a relative name make together. */
function findPaths({ command, args }: StdioCommand, os: Os, base: string): string[] {
  const all = [command, ...args].flatMap(words);
  const named = all.map((word) => toPath(os, word)).filter((path) => path !== undefined);
  const relative = named.filter((path) => fileName(path) === OUR_MAIN && !isAbsolutePath(os, path));
  if (all.includes("task") && all.includes("start")) relative.push(OUR_MAIN);
  const folders = [base];
  for (const [index, word] of all.entries()) {
    const folder = all[index + 1]?.replace(/(?:^|[/\\])deno\.jsonc?$/, "");
    if (folder && FOLDER_BEFORE.has(word)) folders.push(resolvePath(os, base, folder));
  }
  return [
    ...named.map((path) => resolvePath(os, base, path)),
    ...folders.flatMap((folder) => relative.map((path) => resolvePath(os, folder, path))),
  ];
}

/** The words of an argument, and itself: a shell's command line is one argument, and so is `--from=package`. */
function words(argument: string): string[] {
  const parts = argument.split(/[\s"'`=,;&|()]+/);
  return parts.length === 1 ? parts : [...parts, argument];
}

/** The path a word may be; most words are none, which spares asking the disk. */
function toPath(os: Os, word: string): string | undefined {
  if (word.startsWith("-") || word.includes("\0")) return undefined;
  if (/^file:/i.test(word)) return URL.canParse(word) ? fileUrlPath(os, new URL(word)) : undefined;
  if (/^\w{2,}:/.test(word)) return undefined;
  return /[/\\]|\.[cm]?[jt]s$|\.exe$/i.test(word) ? word : undefined;
}

/** Path of a `file:` URL. */
export function fileUrlPath(os: Os, url: URL): string | undefined {
  try {
    const path = decodeURIComponent(url.pathname);
    return os === "windows" ? path.replace(/^\/(?=[a-z]:)/i, "").replaceAll("/", "\\") : path;
  } catch {
    return undefined;
  }
}

/** Our own executable when compiled, otherwise `main.ts`; none when the sources are on a registry. */
export function ownFiles(): string[] {
  if (Deno.build.standalone) return [Deno.execPath()];
  const main = new URL("../../main.ts", import.meta.url);
  const path = main.protocol === "file:" ? fileUrlPath(Deno.build.os, main) : undefined;
  return path === undefined ? [] : [path];
}
