/** Text of servers as part of Python source: one line, bounded, and unable to end the comment or string it is in. */

/** `text` on one line, cut at a word if it is longer than `maxChars`. */
export function toOneLine(text: string, maxChars: number): string {
  // A text can have megabytes; what is looked at is bounded before anything is searched in it.
  const some = text.slice(0, maxChars * 4).toWellFormed();
  const line = some.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), maxChars / 2))}…`;
}

/** Lines as a docstring, each indented by four blanks; none for no lines. */
export function toDocstring(lines: readonly string[]): string[] {
  const [first, ...others] = lines.map((line) =>
    line.replaceAll("\\", "\\\\").replaceAll(/"(?="|$)/g, '\\"')
  );
  if (first === undefined) return [];
  if (others.length === 0) return [`    """${first}"""`];
  return [`    """${first}`, ...others.map((line) => `    ${line}`), '    """'];
}
