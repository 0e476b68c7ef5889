/**
 * The limits of the platforms: the only scripts whose output may differ, and the table of them in
 * `docs/engines.md`. Pure.
 */

/** One row of the table, in the columns' order. */
export interface LimitRow {
  feature: string;
  cpython: string;
  wasm: string;
  process: string;
}

const HEAD: LimitRow = {
  feature: "what a program uses",
  cpython: "CPython",
  wasm: "embedded",
  process: "podman, docker",
};

const SAME = "the same";

/** The rows that a document shows. */
export function readTable(text: string): LimitRow[] {
  const lines = text.split("\n");
  return lines.slice(headLine(lines) + 2, endLine(lines)).map((line) => {
    const [feature = "", ...cells] = line.slice(1, -1).split("|").map((cell) => cell.trim());
    const [cpython = "", wasm = "", process = ""] = cells.map((cell) => cell.replaceAll("`", ""));
    const same = (cell: string) => cell === SAME ? cpython : cell;
    return { feature, cpython, wasm: same(wasm), process: same(process) };
  });
}

/** The document with other rows, laid out as the formatter wants it. */
export function writeTable(text: string, rows: readonly LimitRow[]): string {
  const cells = [HEAD, ...rows.map(toCells)].map((row) => Object.values(row));
  const widths = HEAD_KEYS.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)));
  const line = (row: string[]) => `| ${row.map((c, at) => c.padEnd(widths[at]!)).join(" | ")} |`;
  const [head = [], ...body] = cells;
  const rule = widths.map((width) => "-".repeat(width));
  const lines = text.split("\n");
  lines.splice(
    headLine(lines),
    endLine(lines) - headLine(lines),
    ...[head, rule, ...body].map(line),
  );
  return lines.join("\n");
}

const HEAD_KEYS = Object.keys(HEAD);

function toCells({ feature, cpython, wasm, process }: LimitRow): LimitRow {
  const cell = (value: string) => value === cpython ? SAME : `\`${value}\``;
  return { feature, cpython: `\`${cpython}\``, wasm: cell(wasm), process: cell(process) };
}

function headLine(lines: readonly string[]): number {
  const at = lines.findIndex((line) => line.startsWith(`| ${HEAD.feature} `));
  if (at === -1) throw new Error(`There is no table that starts with "${HEAD.feature}"`);
  return at;
}

function endLine(lines: readonly string[]): number {
  const from = headLine(lines);
  const rows = lines.slice(from).findIndex((line) => !line.startsWith("|"));
  return rows === -1 ? lines.length : from + rows;
}
