/** Where a user's state and cache live on each system. Pure: whether a folder can be made is for those who need it. */

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

/** The folders used when none are set. */
export function defaultFolders(os: typeof Deno.build.os, env: Environment): Folders {
  if (os === "windows") {
    const base = env.LOCALAPPDATA || (env.USERPROFILE && `${env.USERPROFILE}\\AppData\\Local`);
    return base ? { state: `${base}\\${NAME}\\state`, cache: `${base}\\${NAME}\\cache` } : {};
  }
  const home = env.HOME;
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

/** `path` with a leading `~` replaced: clients start us without a shell that would do it. */
export function expandHome(path: string, env: Environment): string {
  const home = env.HOME || env.USERPROFILE;
  return home && /^~($|[/\\])/.test(path) ? home + path.slice(1) : path;
}

/** The XDG specification has relative paths ignored. */
function absolute(path: string | undefined): string | undefined {
  return path?.startsWith("/") ? path : undefined;
}
