/** JSON as clients' users write it: with comments and trailing commas. */
import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { members, type Span, valueSpan } from "../../shared/json/json_span.ts";
import type { ConfigDocument } from "./config_document.ts";
import { ConfigProblem } from "../config_problem.ts";
import { createLineFinder, createLineIndex, type KeyPlace } from "./line_finder.ts";

/** Longest text with comments that is read, in characters: its parser is slow, and keeps a tree of it. */
const MAX_COMMENTED_CHARS = 1024 ** 2;

/**
 * Parses JSON with comments and trailing commas.
 *
 * @throws {ConfigProblem} with the line of the first error.
 */
export function parseJson(text: string): ConfigDocument {
  const plain = parsePlain(text);
  if (plain !== undefined) return plain;
  if (text.length > MAX_COMMENTED_CHARS) {
    throw new ConfigProblem(
      "Cannot read the file: it is no plain JSON; with comments it may have 1 MiB",
    );
  }
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

/** Clients' own files are plain JSON, and may be long: what it takes to read them is done by the engine. */
function parsePlain(text: string): ConfigDocument | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return { value, lineOf: createLineFinder(text, valueSpan(text), (span) => keysIn(text, span)) };
}

function* keysIn(text: string, { start }: Span): Iterable<KeyPlace<Span>> {
  for (const member of members(text, start)) {
    yield { key: member.name, offset: text.lastIndexOf(":", member.start), value: member };
  }
}

function* keysOf(node: Node): Iterable<KeyPlace<Node>> {
  if (node.type !== "object") return;
  for (const { offset, children } of node.children ?? []) {
    yield { key: String(children?.[0]?.value), offset, value: children?.[1] };
  }
}
