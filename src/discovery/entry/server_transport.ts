/** From an entry's fields to how its server is reached: expanded, complete and checked. */
import { DENIED } from "../../config/variable.ts";
import { ConfigProblem } from "../config_problem.ts";
import {
  expandAt,
  type ExpandContext,
  expandTable,
  problemAt,
  requireVariableAt,
  type Texts,
} from "./expand.ts";
import { resolvePath } from "../os_path.ts";
import type { ServerTransport } from "./server_entry.ts";
import type { ServerFields } from "./server_fields.ts";

type Kind = ServerTransport["kind"];

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["stdio", "stdio"],
  ["local", "stdio"],
  ["http", "http"],
  ["streamable-http", "http"],
  ["streamable_http", "http"],
  ["streamablehttp", "http"],
  ["sse", "sse"],
  ["remote", "auto"],
]);

/**
 * How the server is reached.
 *
 * @throws {ConfigProblem} with the field and no value; its path is relative to the entry.
 */
export function toTransport(fields: ServerFields, context: ExpandContext): ServerTransport {
  const command = commandLine(fields);
  const url = urlField(fields);
  const kind = chooseKind(fields, command.length > 0, url);
  if (kind !== "stdio") return toRemote(kind, url!, fields, context);
  const [program, ...args] = command.map(({ text, path }) => expandAt(path, text, context, "path"));
  if (!program?.trim()) throw problemAt(command[0]!.path, "expected text that is not blank");
  const cwd = fields.cwd ? expandAt(["cwd"], fields.cwd, context, "path") : undefined;
  return {
    kind,
    command: program,
    args,
    env: environment(fields, context),
    ...(cwd && { cwd: resolvePath(context.os, context.cwd, cwd) }),
  };
}

interface Located {
  text: string;
  path: readonly string[];
}

/** Program and arguments, each with its place; a blank program counts as none. */
function commandLine(fields: ServerFields): Located[] {
  const located = (texts: readonly string[] | null | undefined, ...path: string[]) =>
    (texts ?? []).map((text) => ({ text, path }));
  const command = fields.command ?? fields.cmd;
  const key = fields.command ? "command" : "cmd";
  const line = typeof command === "string" || command === null || command === undefined
    ? located(command ? [command] : [], key)
    : command instanceof Array
    ? located(command, key)
    : [...located([command.path], key, "path"), ...located(command.args, key, "args")];
  return line[0]?.text.trim() ? [...line, ...located(fields.args, "args")] : [];
}

function urlField(fields: ServerFields): Located | undefined {
  for (const key of ["httpUrl", "url", "serverUrl", "uri"] as const) {
    const text = fields[key];
    if (text) return { text, path: [key] };
  }
  return undefined;
}

function chooseKind(fields: ServerFields, hasCommand: boolean, url: Located | undefined): Kind {
  const { type } = fields;
  if (!type) {
    if (hasCommand && url !== undefined) {
      throw new ConfigProblem('Cannot choose between "command" and a URL: "type" is not set');
    }
    if (hasCommand) return "stdio";
    // Gemini's name for Streamable HTTP; all other names leave it open.
    if (url !== undefined) return url.path[0] === "httpUrl" ? "http" : "auto";
    throw new ConfigProblem(
      fields.source === "extension"
        ? "Cannot use the entry: only Zed can start the server of an extension"
        : 'Cannot use the entry: neither "command" nor "url" is set',
    );
  }
  const kind = KINDS.get(type.toLowerCase());
  const path = ["type"];
  if (kind === undefined) {
    throw new ConfigProblem('Cannot use "type": expected stdio, http, sse, local or remote', {
      path,
    });
  }
  const needed = kind === "stdio" ? !hasCommand && "command" : url === undefined && "url";
  if (needed) throw new ConfigProblem(`Cannot use "type": "${needed}" is not set`, { path });
  return kind;
}

function toRemote(
  kind: Exclude<Kind, "stdio">,
  { text, path }: Located,
  fields: ServerFields,
  context: ExpandContext,
): ServerTransport {
  const url = expandAt(path, text, context);
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isHttp) throw problemAt(path, "expected an http or https URL");
  return { kind, url, headers: headers(fields, context) };
}

function environment(fields: ServerFields, context: ExpandContext): Texts {
  let env: Texts = {};
  for (const name of fields.env_vars ?? []) {
    const value = typeof name === "string" ? context.readVariable(name) : undefined;
    // As in Codex, one that is not set is not handed on.
    if (value !== undefined && value !== DENIED) env[name as string] = value;
  }
  const { command } = fields;
  if (command && typeof command === "object" && "env" in command) {
    env = { ...env, ...expandTable(["command", "env"], command.env, context, "path") };
  }
  for (const key of ["envs", "environment", "env"] as const) {
    env = { ...env, ...expandTable([key], fields[key], context, "path") };
  }
  if (Object.keys(env).some((name) => !/^[^=\0]+$/.test(name))) {
    throw problemAt(["env"], 'expected names without "="');
  }
  return env;
}

function headers(fields: ServerFields, context: ExpandContext): Texts {
  const all = new Headers();
  const set = (path: readonly string[], name: string, value: string) => {
    try {
      all.set(name, value);
    } catch {
      throw problemAt(path, "expected a name and a value that HTTP allows");
    }
  };
  for (const key of ["http_headers", "headers"] as const) {
    const own = expandTable([key], fields[key], context);
    for (const [name, value] of Object.entries(own)) set([key, name], name, value);
  }
  for (const [name, variable] of Object.entries(fields.env_http_headers ?? {})) {
    const path = ["env_http_headers", name];
    if (variable) set(path, name, requireVariableAt(path, variable, context));
  }
  const token = fields.bearer_token_env_var;
  const path = ["bearer_token_env_var"];
  if (token) set(path, "authorization", `Bearer ${requireVariableAt(path, token, context)}`);
  return Object.fromEntries(all);
}
