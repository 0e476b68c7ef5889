/** The environment a downstream server starts with: what programs need to run at all, and its own. Pure. */
import { PARENT_MARKER } from "../discovery/self_server.ts";

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

/** Where the certificates are that this machine trusts; behind a company's proxy nothing loads without. */
const CERTIFICATE_VARIABLES = [
  "CURL_CA_BUNDLE",
  "DENO_CERT",
  "DENO_TLS_CA_STORE",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
] as const;

/** Names of the variables that are handed on where they are set; no other is read from ours. */
export function inheritedVariables(os: typeof Deno.build.os): readonly string[] {
  return [...(os === "windows" ? WINDOWS_VARIABLES : POSIX_VARIABLES), ...CERTIFICATE_VARIABLES];
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
