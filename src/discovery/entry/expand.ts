/**
 * References in the texts of an entry, such as `${TOKEN}` and `~`, replaced by what they stand for. The
 * problems found here say why; which field it is the caller knows.
 */
import { ConfigProblem, quoted } from "../config_problem.ts";
import { fileName, type Os } from "../os_path.ts";
import { DENIED, type ReadVariable } from "../../config/variable.ts";

/** Whose references besides the common ones: OpenCode's `{env:NAME}`, Gemini's `$NAME`. */
export type Dialect = "plain" | "opencode" | "gemini";

/** What references stand for. */
export interface ExpandContext {
  os: Os;
  readVariable: ReadVariable;
  /** `${workspaceFolder}` */
  cwd: string;
  /** `${userHome}` and `~` */
  home: string | undefined;
  dialect: Dialect;
}

const REFERENCES: Readonly<Record<Dialect, RegExp>> = {
  plain: /\$\{([^{}]*)\}/g,
  opencode: /\$?\{(env:[^{}]*|file:[^{}]*)\}|\$\{([^{}]*)\}/g,
  gemini: /\$\{([^{}]*)\}|\$([A-Za-z_]\w*)/g,
};

/**
 * The text with each reference replaced, once: what comes out of a variable is never read again.
 * `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${workspaceFolder}`, `${userHome}` and their like are
 * references; whatever else stands in braces stays as it is.
 *
 * @throws {ConfigProblem} if a variable is not set, or a reference is one that only an editor can resolve.
 */
export function expandText(text: string, context: ExpandContext): string {
  if (/\$\{[^{}]*\$\{/.test(text)) throw new ConfigProblem("a reference within a reference");
  return text.replaceAll(
    REFERENCES[context.dialect],
    (whole: string, body: string | undefined, other: string | undefined) => {
      // Gemini leaves `$word` alone where no such variable is set: it may be part of a password.
      if (context.dialect === "gemini" && body === undefined) {
        return readVariable(other!, context) ?? whole;
      }
      return resolveReference(body ?? other ?? "", context) ?? whole;
    },
  );
}

/** Like {@link expandText}, with a leading `~` replaced by the home folder. */
export function expandPath(text: string, context: ExpandContext): string {
  const expanded = expandText(text, context);
  return context.home !== undefined && /^~($|[/\\])/.test(text)
    ? context.home + expanded.slice(1)
    : expanded;
}

/**
 * A variable that must be set.
 *
 * @throws {ConfigProblem} if it is not.
 */
function requireVariable(name: string, context: ExpandContext): string {
  const value = readVariable(name, context);
  if (value === undefined) throw new ConfigProblem(`the variable ${quoted(name)} is not set`);
  return value;
}

/** What `${body}` stands for; `undefined` if it is no reference. */
function resolveReference(body: string, context: ExpandContext): string | undefined {
  const { cwd, home, os } = context;
  switch (body) {
    case "workspaceFolder":
      return cwd;
    case "workspaceFolderBasename":
      return fileName(cwd);
    case "userHome":
      if (home === undefined) throw new ConfigProblem("the home folder is not known");
      return home;
    case "pathSeparator":
    case "/":
      return os === "windows" ? "\\" : "/";
  }
  const [, named, plain, preset] = /^(?:env:([^:]+)|([A-Za-z_]\w*))(?::-(.*))?$/s.exec(body) ?? [];
  const name = named ?? plain;
  if (name !== undefined) {
    if (preset === undefined) return requireVariable(name, context);
    // As in a shell, a variable that is set to nothing gives way to the default.
    return readVariable(name, context) || preset;
  }
  const kind = /^([a-z]\w*):(?!-)/.exec(body)?.[1];
  if (kind === undefined) return undefined;
  throw new ConfigProblem(`only the client it was written for can resolve ${quoted(`${kind}:…`)}`);
}

function readVariable(name: string, context: ExpandContext): string | undefined {
  const value = context.readVariable(name);
  if (value !== DENIED) return value;
  const why = "is not readable with the granted permissions";
  throw new ConfigProblem(`the variable ${quoted(name)} ${why}`);
}

/** Names with texts. */
export type Texts = Record<string, string>;

type Path = readonly string[];

/**
 * The text of the field at `path`, expanded; as a `path` also its leading `~`.
 *
 * @throws {ConfigProblem} that names the field.
 */
export function expandAt(path: Path, text: string, context: ExpandContext, kind?: "path"): string {
  const expanded = within(path, () => (kind === "path" ? expandPath : expandText)(text, context));
  // No process and no request can be given one.
  if (expanded.includes("\0")) throw problemAt(path, "expected text without a zero character");
  return expanded;
}

/**
 * A table of texts, expanded; a name without a value is left out.
 *
 * @throws {ConfigProblem} that names the field.
 */
export function expandTable(
  path: Path,
  table: Readonly<Record<string, string | null>> | null | undefined,
  context: ExpandContext,
  kind?: "path",
): Texts {
  const entries = Object.entries(table ?? {}).flatMap(([name, text]) =>
    text === null ? [] : [[name, expandAt([...path, name], text, context, kind)]]
  );
  return Object.fromEntries(entries);
}

/**
 * The value of the variable that the field at `path` names.
 *
 * @throws {ConfigProblem} that names the field.
 */
export function requireVariableAt(path: Path, name: string, context: ExpandContext): string {
  return within(path, () => requireVariable(name, context));
}

/** A problem with the field at `path`. */
export function problemAt(path: Path, why: string): ConfigProblem {
  return new ConfigProblem(`Cannot use ${quoted(path.join("."))}: ${why}`, { path });
}

function within<T>(path: Path, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw error instanceof ConfigProblem ? problemAt(path, error.message) : error;
  }
}
