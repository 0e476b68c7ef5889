/** Expansion of the texts of one field, with the field named in what goes wrong. */
import { ConfigProblem, quoted } from "../config_problem.ts";
import { type ExpandContext, expandPath, expandText, requireVariable } from "./expand.ts";

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
