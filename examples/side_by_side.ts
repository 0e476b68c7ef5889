/** Two texts next to each other, wrapped to the width of a terminal. Pure. */

const RULE = " │ ";

/** Styles a piece of text; the width it takes must not change. */
export type Style = (text: string) => string;

/** Rows with `left` and `right` next to each other, `width` columns in all. */
export function sideBySide(
  left: string,
  right: string,
  options: { width: number; leftStyle: Style; rightStyle: Style },
): string {
  const { width, leftStyle, rightStyle } = options;
  const leftWidth = Math.floor((width - RULE.length) / 2);
  const rightWidth = width - RULE.length - leftWidth;
  const rows = { left: wrap(left, leftWidth), right: wrap(right, rightWidth) };
  const count = Math.max(rows.left.length, rows.right.length);
  return Array.from({ length: count }, (_, row) => {
    const code = (rows.left[row] ?? "").padEnd(leftWidth);
    return `${leftStyle(code)}${RULE}${rightStyle(rows.right[row] ?? "")}`;
  }).join("\n");
}

/** Lines of at most `width` characters; a long line goes on under its own indentation. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    const indent = line.slice(0, line.length - line.trimStart().length);
    const rows: string[] = [];
    for (let rest = line; rest.length > width;) {
      const space = rest.lastIndexOf(" ", width);
      const at = space > indent.length + width / 3 ? space : width;
      rows.push(rest.slice(0, at));
      rest = indent.slice(0, width / 2) + "  " + rest.slice(at).trimStart();
      line = rest;
    }
    return [...rows, line];
  });
}
