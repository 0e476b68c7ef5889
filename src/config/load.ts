/** The settings of this process. The one file that reads the environment. */
import {
  absolute,
  defaultFolders,
  type Environment,
  FOLDER_VARIABLES,
  resolvePath,
} from "./folders.ts";
import { AppError } from "../shared/errors.ts";
import { resolveConfig } from "./resolve.ts";
import { type Config, flagOf, type Flags, SETTING_KEYS, SETTINGS } from "./schema.ts";
import { DENIED, type Variable } from "./variable.ts";

/** Options of {@link loadConfig}. */
export interface LoadConfigOptions {
  /** @default the variables in {@link ENVIRONMENT_NAMES} of this process */
  env?: Environment;
  /** @default the system this process runs on */
  os?: typeof Deno.build.os;
}

/** Every variable the settings depend on; {@link loadConfig} needs permission for these and no others. */
export const ENVIRONMENT_NAMES: readonly string[] = [
  ...SETTING_KEYS.map((key) => SETTINGS[key].env),
  ...FOLDER_VARIABLES,
];

/**
 * The settings out of flags, environment and defaults. `stateDir` and `cacheDir` are absent only where
 * no home folder is known.
 *
 * @throws {AppError} `config` if a value is not allowed.
 */
export function loadConfig(flags: Flags, options: LoadConfigOptions = {}): Config {
  const { env = readEnvironment(), os = Deno.build.os } = options;
  const config = resolveConfig(flags, env);
  const folders = defaultFolders(os, env);
  const resolve = (path: string) => resolvePath(path, env, Deno.cwd);
  const stateDir = config.stateDir === undefined ? folders.state : resolve(config.stateDir);
  const cacheDir = config.cacheDir === undefined ? folders.cache : resolve(config.cacheDir);
  const serversConfig = config.serversConfig && resolve(config.serversConfig);
  if (serversConfig !== undefined) checkServersConfig(serversConfig, flags);
  return {
    ...config,
    ...(stateDir && { stateDir }),
    ...(cacheDir && { cacheDir }),
    ...(serversConfig && { serversConfig }),
  };
}

/** A file that was named and is not there is a slip of the pen: without it, its servers would be missed in silence. */
function checkServersConfig(path: string, flags: Flags): void {
  const problem = findProblem(path);
  if (problem === undefined) return;
  const isFlag = flags.serversConfig !== undefined;
  const source = isFlag ? flagOf("serversConfig") : SETTINGS.serversConfig.env;
  throw new AppError(`Cannot use ${source}=${JSON.stringify(path)}: ${problem}`, {
    code: "config",
    hint: `Name a file with MCP servers, or leave ${source} out`,
  });
}

/** What cannot be looked at, or holds something wrong, is reported where it is read. */
function findProblem(path: string): string | undefined {
  try {
    return Deno.statSync(path).isDirectory ? "it is a folder" : undefined;
  } catch (error) {
    const { NotFound, NotADirectory } = Deno.errors;
    const isAbsent = error instanceof NotFound || error instanceof NotADirectory;
    return isAbsent ? "there is no such file" : undefined;
  }
}

/** A variable that somebody's configuration names, where the granted permissions cover it. */
export function readVariable(name: string): Variable {
  try {
    // Asked first: reading without permission would stop a terminal with Deno's own question.
    const { state } = Deno.permissions.querySync({ name: "env", variable: name });
    return state === "granted" ? Deno.env.get(name) : DENIED;
  } catch (error) {
    // Anything else is a name no variable can have, such as one with "=" in it.
    return error instanceof Deno.errors.NotCapable ? DENIED : undefined;
  }
}

/** Variables that say where container engines and temporary files are. */
const SYSTEM_VARIABLES: readonly string[] = [
  "DOCKER_HOST",
  "TEMP",
  "TMP",
  "TMPDIR",
];

/** What this system says of itself. */
export function loadSystem(): { cwd: string; tempDir: string; dockerHost?: string } {
  const [dockerHost, temp, tmp, tmpDir] = SYSTEM_VARIABLES.map((name) => Deno.env.get(name));
  const windows = Deno.build.os === "windows";
  const tempDir = windows ? temp || tmp || "C:\\Windows\\Temp" : tmpDir || "/tmp";
  return { cwd: Deno.cwd(), tempDir, ...(dockerHost && { dockerHost }) };
}

/**
 * Variables by which Deno finds its module cache and registry. The child of the embedded engine gets
 * these and no others.
 */
const DENO_VARIABLES: readonly string[] = [
  "DENO_DIR",
  "HOME",
  "LOCALAPPDATA",
  "NPM_CONFIG_REGISTRY",
  "SystemRoot",
  "USERPROFILE",
  "XDG_CACHE_HOME",
];

/** Those of {@link DENO_VARIABLES} that are set; the child has another working folder, so no path is relative. */
export function loadDenoEnvironment(): Record<string, string> {
  const entries = DENO_VARIABLES.flatMap((name): [string, string][] => {
    const value = Deno.env.get(name);
    if (!value) return [];
    return [[name, isUrl(name) ? value : absolute(value) ?? `${Deno.cwd()}/${value}`]];
  });
  return Object.fromEntries(entries);
}

function isUrl(name: string): boolean {
  return name === "NPM_CONFIG_REGISTRY";
}

function readEnvironment(): Environment {
  return Object.fromEntries(ENVIRONMENT_NAMES.map((name) => [name, Deno.env.get(name)]));
}
