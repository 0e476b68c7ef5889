/**
 * How deep JSON of a server may be nested where the host reads it: schemas, questions, shapes. Whatever reads
 * those may then be recursive. Results are not among them: they are handed on as text.
 */

/** Schemas of real tools have about ten levels, recursive ones written out some thirty. */
export const MAX_DEPTH = 100;

/** Whether a value has more levels than may be read. Goes through it without recursion. */
export function isTooDeep(value: unknown, maxDepth: number = MAX_DEPTH): boolean {
  let level: object[] = isPart(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) return true;
    const next: object[] = [];
    for (const part of level) {
      for (const inner of Array.isArray(part) ? part : Object.values(part)) {
        if (isPart(inner)) next.push(inner);
      }
    }
    level = next;
  }
  return false;
}

function isPart(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
