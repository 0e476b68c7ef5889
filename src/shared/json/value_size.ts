/** How much of memory a value out of JSON takes, about: without recursion, and no further than is asked for. */

/** What a value takes beside the characters of a text. */
const BYTES_PER_VALUE = 32;

/** The bytes of a value and all in it; counting ends where they are more than `most`. */
export function sizeOf(value: unknown, most: number): number {
  const left: unknown[] = [value];
  let bytes = 0;
  while (left.length > 0 && bytes <= most) {
    const part = left.pop();
    bytes += BYTES_PER_VALUE;
    if (typeof part === "string") bytes += part.length;
    if (typeof part !== "object" || part === null) continue;
    for (const [name, item] of Object.entries(part)) {
      if (!Array.isArray(part)) bytes += name.length;
      left.push(item);
    }
  }
  return bytes;
}
