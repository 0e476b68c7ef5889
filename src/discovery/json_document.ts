/** JSON as clients' users write it: with comments and trailing commas. */
import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { ConfigDocument } from "./config_document.ts";
import { ConfigProblem } from "./config_problem.ts";
import { createLineFinder, createLineIndex, type KeyPlace } from "./line_finder.ts";

/**
 * Parses JSON with comments and trailing commas.
 *
 * @throws {ConfigProblem} with the line of the first error.
 */
export function parseJson(text: string): ConfigDocument {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const first = errors[0];
  if (first !== undefined) {
    // "ColonExpected" → "colon expected"
    const why = printParseErrorCode(first.error).replaceAll(/\B[A-Z]/g, " $&").toLowerCase();
    const line = createLineIndex(text)(first.offset);
    throw new ConfigProblem(`Cannot read the file: not valid JSON: ${why}`, { line });
  }
  return {
    value: root === undefined ? undefined : getNodeValue(root),
    lineOf: createLineFinder(text, root, keysOf),
  };
}

function* keysOf(node: Node): Iterable<KeyPlace<Node>> {
  if (node.type !== "object") return;
  for (const { offset, children } of node.children ?? []) {
    yield { key: String(children?.[0]?.value), offset, value: children?.[1] };
  }
}
