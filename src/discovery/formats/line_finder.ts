/** From a path of keys to a line, over the tree of any parser. */
import { LineCounter } from "yaml";

/** A key of an object: where it stands and what it leads to. */
export interface KeyPlace<Node> {
  key: string;
  offset: number;
  value: Node | undefined;
}

/** Finds the line of the key at a path, or of the nearest one above it; `keysOf` lists the keys of a node. */
export function createLineFinder<Node extends object>(
  text: string,
  root: Node | undefined,
  keysOf: (node: Node) => Iterable<KeyPlace<Node>>,
): (path: readonly string[]) => number {
  const places = new Map<Node, Map<string, KeyPlace<Node>>>();
  const lineAt = createLineIndex(text);
  return (path) => {
    let node = root;
    let offset = 0;
    for (const key of path) {
      if (node === undefined) break;
      let keys = places.get(node);
      if (keys === undefined) {
        keys = new Map();
        for (const place of keysOf(node)) keys.set(place.key, place);
        places.set(node, keys);
      }
      const place = keys.get(key);
      if (place === undefined) break;
      ({ offset, value: node } = place);
    }
    return lineAt(offset);
  };
}

/** The line, from 1, at an offset. */
export function createLineIndex(text: string): (offset: number) => number {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    lines.addNewLine(at + 1);
  }
  return (offset) => lines.linePos(offset).line;
}
