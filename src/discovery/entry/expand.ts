/**
 * References in the texts of an entry, such as `${TOKEN}` and `~`, replaced by what they stand for. The
 * problems found here say why; which field it is the caller knows.
 */
import { DENIED, type ReadVariable } from "../../config/variable.ts";
import { ConfigProblem, quoted } from "../config_problem.ts";
import { fileName, type Os } from "../os_path.ts";

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
export function requireVariable(name: string, context: ExpandContext): string {
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
