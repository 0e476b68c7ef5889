/** JSON values as Python writes them. Pure; bounded, whatever it is given. */

/** Longest text of one value. */
const MAX_CHARS = 80;

/** `value` in Python, or undefined if that would be too long to be read. */
export function toPythonLiteral(value: unknown): string | undefined {
  const text = write(value, 3);
  return text !== undefined && text.length <= MAX_CHARS ? text : undefined;
}

function write(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case "boolean":
      return value ? "True" : "False";
    case "number":
      return String(value);
    case "string":
      // JSON's escapes are Python's, too.
      return value.length > MAX_CHARS ? undefined : JSON.stringify(value);
    case "object":
      return value === null ? "None" : depth === 0 ? undefined : writeParts(value, depth - 1);
    default:
      return undefined;
  }
}

function writeParts(value: object, depth: number): string | undefined {
  const entries = Object.entries(value);
  if (entries.length > MAX_CHARS) return undefined;
  const isList = Array.isArray(value);
  const parts = entries.map(([key, part]) => {
    const text = write(part, depth);
    return text === undefined || isList ? text : `${JSON.stringify(key)}: ${text}`;
  });
  if (parts.includes(undefined)) return undefined;
  return isList ? `[${parts.join(", ")}]` : `{${parts.join(", ")}}`;
}
