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
      return writeNumber(value);
    case "string":
      // JSON's escapes are Python's, too.
      return value.length > MAX_CHARS ? undefined : JSON.stringify(value);
    case "object":
      return value === null ? "None" : depth === 0 ? undefined : writeParts(value, depth - 1);
    default:
      return undefined;
  }
}

/** As Python's `repr` has it: `1e-05`, where JavaScript says `0.00001`. */
function writeNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const isSmall = value !== 0 && Math.abs(value) < 1e-4;
  return (isSmall ? value.toExponential() : String(value)).replace(/e-(\d)$/, "e-0$1");
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
