/** Recognises ourselves among the servers: a bridge that loads itself would start itself without end. */
import type { ConfigFiles } from "./config_files.ts";
import { isSamePath, type Os, resolvePath } from "./os_path.ts";
import type { ServerTransport } from "./server_entry.ts";

/**
 * Set in the environment of every server we start. A bridge that finds it in its own was started by a
 * bridge, by whatever detour, and loads no servers.
 */
export const PARENT_MARKER = "MCP_BRIDGE_PARENT";

/** The name we answer to, as package, module, script, repository or image. */
const OUR_NAME =
  /(?:^|[/\\:])mcp[-_]server[-_]code[-_]execution[-_]mode(?:\.(?:py|pyz|git|exe|cmd|ts|js))?[/\\]?(?:$|[@:#?[~!<>])/i;

/** Our package in any registry form, also the one npm has for JSR packages. */
const OUR_PACKAGE = /@(?:mcp-bridge[/\\]mcp-bridge|jsr[/\\]mcp-bridge__mcp-bridge)(?![\w-])/i;

/** Whether the texts of an entry (its name, program and arguments) name us. */
export function isNamedLikeUs(texts: readonly string[]): boolean {
  return texts.flatMap(words).some((word) => OUR_NAME.test(word) || OUR_PACKAGE.test(word));
}

/** Options of {@link runsOwnFile}. */
export interface RunsOwnFileOptions {
  os: Os;
  cwd: string;
  files: ConfigFiles;
  /** Real paths of what we are made of. */
  ownFiles: readonly string[];
}

/** Whether a command runs one of our own files, under whatever path. */
export async function runsOwnFile(
  transport: ServerTransport,
  { os, cwd, files, ownFiles }: RunsOwnFileOptions,
): Promise<boolean> {
  if (transport.kind !== "stdio" || ownFiles.length === 0) return false;
  const base = transport.cwd ?? cwd;
  for (const word of [transport.command, ...transport.args].flatMap(words)) {
    const path = toPath(os, word);
    if (path === undefined) continue;
    const real = await files.realPath(resolvePath(os, base, path));
    if (real !== undefined && ownFiles.some((own) => isSamePath(os, own, real))) return true;
  }
  return false;
}

/** The argument and its words: a shell's command line is one argument, and so is `--from=package`. */
function words(argument: string): string[] {
  return [argument, ...argument.split(/[\s"'`=,;&|()]+/)];
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
