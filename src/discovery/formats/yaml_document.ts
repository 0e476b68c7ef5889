/** YAML, which goose writes. */
import { isAlias, isMap, isScalar, type Node, parseDocument } from "yaml";
import type { ConfigDocument } from "./config_document.ts";
import { ConfigProblem } from "../config_problem.ts";
import { createLineFinder, createLineIndex, type KeyPlace } from "./line_finder.ts";

/**
 * Parses one YAML document.
 *
 * @throws {ConfigProblem} with the line of the first error.
 */
export function parseYaml(text: string): ConfigDocument {
  const document = parseDocument(text, {
    prettyErrors: false,
    logLevel: "silent",
    // The check takes quadratic time; the last of two equal keys wins, as in JSON.
    uniqueKeys: false,
  });
  const first = document.errors[0];
  if (first !== undefined) {
    // The code alone: messages can hold a piece of the file.
    const why = first.code.toLowerCase().replaceAll("_", " ");
    const line = createLineIndex(text)(first.pos[0]);
    throw new ConfigProblem(`Cannot read the file: not valid YAML: ${why}`, { line });
  }
  function* keysOf(node: Node): Iterable<KeyPlace<Node>> {
    const map = isAlias(node) ? node.resolve(document) : node;
    if (!isMap<Node, Node | null>(map)) return;
    for (const { key, value } of map.items) {
      const offset = key.range?.[0] ?? 0;
      yield { key: isScalar(key) ? String(key.value) : "", offset, value: value ?? undefined };
    }
  }
  return {
    // A few lines of aliases can stand for gigabytes; the library's own bound stops them.
    value: document.toJS({ maxAliasCount: 100 }) ?? undefined,
    lineOf: createLineFinder(text, document.contents ?? undefined, keysOf),
  };
}
