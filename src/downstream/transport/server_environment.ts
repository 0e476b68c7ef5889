/** The environment a downstream server starts with: what programs need to run at all, and its own. Pure. */
import { PARENT_MARKER } from "../../discovery/self_server.ts";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const POSIX_VARIABLES = [
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR",
] as const;

const WINDOWS_VARIABLES = [
  "APPDATA",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROGRAMW6432",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
] as const;

/** How this machine reaches the network: behind a company's proxy no `npx` or `uvx` starts without. */
const NETWORK_VARIABLES = [
  "CURL_CA_BUNDLE",
  "DENO_CERT",
  "DENO_TLS_CA_STORE",
  "NODE_EXTRA_CA_CERTS",
  "NODE_USE_ENV_PROXY",
  "NODE_USE_SYSTEM_CA",
  "NPM_CONFIG_CAFILE",
  "PIP_CERT",
  "REQUESTS_CA_BUNDLE",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
  "UV_NATIVE_TLS",
  "UV_SYSTEM_CERTS",
] as const;

/** Each is read in upper case by some programs and in lower case by others. */
const PROXY_VARIABLES = [
  "ALL_PROXY",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NPM_CONFIG_HTTPS_PROXY",
  "NPM_CONFIG_PROXY",
] as const;

/** Where the programs that start servers get packages, and where they keep them. */
const TOOL_VARIABLES = [
  "BUN_INSTALL",
  "BUN_INSTALL_CACHE_DIR",
  "DENO_DIR",
  "JSR_URL",
  "NPM_CONFIG_CACHE",
  "NPM_CONFIG_PREFIX",
  "NPM_CONFIG_REGISTRY",
  "NPM_CONFIG_USERCONFIG",
  "NVM_DIR",
  "PIPX_HOME",
  "PIP_CACHE_DIR",
  "PIP_CONFIG_FILE",
  "PIP_EXTRA_INDEX_URL",
  "PIP_INDEX_URL",
  "PNPM_HOME",
  "PYENV_ROOT",
  "UV_CACHE_DIR",
  "UV_CONFIG_FILE",
  "UV_DEFAULT_INDEX",
  "UV_EXTRA_INDEX_URL",
  "UV_INDEX_URL",
  "UV_PYTHON_INSTALL_DIR",
  "UV_TOOL_DIR",
  "VOLTA_HOME",
] as const;

/** Names of the variables that are handed on where they are set; no other is read from ours. */
export function inheritedVariables(os: typeof Deno.build.os): readonly string[] {
  const shared = [...NETWORK_VARIABLES, ...PROXY_VARIABLES, ...TOOL_VARIABLES];
  // Windows does not tell `Path` from `PATH`.
  if (os === "windows") return [...WINDOWS_VARIABLES, ...shared];
  const lower = shared.filter((name) => /_PROXY$|^NPM_/.test(name)).map((name) =>
    name.toLowerCase()
  );
  return [...POSIX_VARIABLES, ...shared, ...lower];
}

/** The whole environment of a child. `own` are the variables of its entry, `ours` those of this process. */
export function toServerEnvironment(
  own: Readonly<Record<string, string>>,
  ours: Environment,
  os: typeof Deno.build.os,
): Record<string, string> {
  const env: Record<string, string> = {};
  // Windows does not tell `Path` from `PATH`; a child that is given both may see either.
  const toKey = (name: string) => os === "windows" ? name.toUpperCase() : name;
  const ownNames = new Set(Object.keys(own).map(toKey));
  for (const name of inheritedVariables(os)) {
    const value = ours[name];
    // Old shells export functions as variables that begin so.
    if (value === undefined || value.startsWith("()") || ownNames.has(name)) continue;
    env[name] = value;
  }
  return { ...env, ...own, [PARENT_MARKER]: "1" };
}
