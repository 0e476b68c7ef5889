/** TOML, which Codex writes. */
import { parse, TomlError } from "smol-toml";
import type { ConfigDocument } from "./config_document.ts";
import { ConfigProblem } from "../config_problem.ts";

/**
 * Parses TOML.
 *
 * @throws {ConfigProblem} with the line of the error.
 */
export function parseToml(text: string): ConfigDocument {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Below its first line the message shows the file.
    const why = error.message.split("\n")[0]!.replace("Invalid TOML document: ", "");
    const { line } = error;
    throw new ConfigProblem(`Cannot read the file: not valid TOML: ${why}`, { line });
  }
  let lines: ReadonlyMap<string, number> | undefined;
  return {
    value,
    lineOf(path) {
      lines ??= indexLines(text);
      for (let length = path.length; length > 0; length--) {
        const line = lines.get(JSON.stringify(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return 1;
    },
  };
}

const MAX_DEPTH = 4;

/**
 * Path of keys → line where it first stands.
 *
 * LIMITATION: the parser gives no positions, so this goes by lines: keys inside an inline table have its
 * line, and a line of a long string that looks like a header can be taken for one.
 */
function indexLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  let table: readonly string[] = [];
  text.split(/\r?\n/).forEach((content, index) => {
    const isHeader = content.trimStart().startsWith("[");
    const own = readPath(isHeader ? content : `${content.split("=", 1)[0]} = 0`);
    if (own.length === 0) return;
    // `mcp_servers`, server, table, key: nobody asks for what is below.
    const path = (isHeader ? own : [...table, ...own]).slice(0, MAX_DEPTH);
    if (isHeader) table = own;
    for (let length = 1; length <= path.length; length++) {
      const prefix = JSON.stringify(path.slice(0, length));
      if (!lines.has(prefix)) lines.set(prefix, index + 1);
    }
  });
  return lines;
}

/** `[a."b.c"]` → `["a", "b.c"]`, by the parser itself; empty for any line that is not a header or a key. */
function readPath(line: string): string[] {
  const path: string[] = [];
  try {
    let value: unknown = parse(line);
    while (typeof value === "object" && value !== null) {
      const [key] = Object.keys(value);
      if (key === undefined) break;
      // The one element of an array of tables.
      if (!Array.isArray(value)) path.push(key);
      value = (value as Record<string, unknown>)[key];
    }
  } catch {
    return [];
  }
  return path;
}
