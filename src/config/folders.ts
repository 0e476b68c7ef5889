/** Where a user's state and cache live on each system. Pure: whether a folder can be made is for those who need it. */

import { AppError } from "../shared/errors.ts";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables the default folders depend on. */
export const FOLDER_VARIABLES = [
  "HOME",
  "XDG_STATE_HOME",
  "XDG_CACHE_HOME",
  "LOCALAPPDATA",
  "USERPROFILE",
] as const;

/** Folders of one user; absent where the system does not say whose home it is. */
export interface Folders {
  state?: string;
  cache?: string;
}

const NAME = "mcp-bridge";

/** The folders used when none are set. A relative home counts as none: it would be another in each folder. */
export function defaultFolders(os: typeof Deno.build.os, env: Environment): Folders {
  if (os === "windows") {
    const profile = absolute(env.USERPROFILE);
    const base = absolute(env.LOCALAPPDATA) ?? (profile && `${profile}\\AppData\\Local`);
    return base ? { state: `${base}\\${NAME}\\state`, cache: `${base}\\${NAME}\\cache` } : {};
  }
  const home = absolute(env.HOME);
  if (os === "darwin") {
    if (!home) return {};
    const library = `${home}/Library`;
    return { state: `${library}/Application Support/${NAME}`, cache: `${library}/Caches/${NAME}` };
  }
  const state = absolute(env.XDG_STATE_HOME) ?? (home && `${home}/.local/state`);
  const cache = absolute(env.XDG_CACHE_HOME) ?? (home && `${home}/.cache`);
  return {
    ...(state && { state: `${state}/${NAME}` }),
    ...(cache && { cache: `${cache}/${NAME}` }),
  };
}

/**
 * `path` as an absolute one, with a leading `~` replaced: clients start us without a shell that would do
 * it, and our own child has another working directory.
 *
 * @throws {AppError} `config` if it begins with `~` and no home folder is known.
 */
export function resolvePath(path: string, env: Environment, cwd: () => string): string {
  if (!/^~($|[/\\])/.test(path)) return absolute(path) ?? `${cwd()}/${path}`;
  const home = absolute(env.HOME) ?? absolute(env.USERPROFILE);
  if (home !== undefined) return home + path.slice(1);
  throw new AppError(`Cannot use ${JSON.stringify(path)}: no home folder is known`, {
    code: "config",
    hint: "Write the whole path, or set HOME to an absolute one",
  });
}

/** The path if it does not depend on the current folder; the XDG specification has others ignored. */
export function absolute(path: string | undefined): string | undefined {
  return path !== undefined && /^([/\\]|[A-Za-z]:[/\\])/.test(path) ? path : undefined;
}
