/** Small tools of the bench: time, quantiles, memory of a process, and the table. */

/** Milliseconds that `body` takes. */
export async function time(body: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await body();
  return performance.now() - startedAt;
}

/** The value below which the share `share` of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** Resident memory of a process in megabytes, and of its children. */
export async function residentMegabytes(pid: number): Promise<{ own: number; children: number }> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "pid=,ppid=,rss="] }).output();
  const rows = new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const sum = (test: (row: number[]) => boolean) =>
    rows.filter(test).reduce((total, row) => total + row[2]! / 1024, 0);
  return { own: sum(([id]) => id === pid), children: sum(([, parent]) => parent === pid) };
}

/** One line of the table. */
export interface Row {
  what: string;
  ours: number;
  unit: string;
  /** What the floor is, and its value in the same run. */
  floor?: { what: string; value: number };
  /** What is asked for: at most so many times the floor, or at most so much. */
  target?: { times?: number; most?: number };
}

/** Whether a row is within its target. */
export function isWithinTarget({ ours, floor, target }: Row): boolean {
  const byFloor = target?.times === undefined || floor === undefined ||
    ours <= target.times * floor.value;
  return byFloor && (target?.most === undefined || ours <= target.most);
}

/** The table as text. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    `${round(row.ours)} ${row.unit}`,
    row.floor === undefined ? "" : `${round(row.floor.value)} ${row.unit} (${row.floor.what})`,
    row.floor === undefined ? "" : `${(row.ours / row.floor.value).toFixed(2)}×`,
    describeTarget(row),
    row.target === undefined ? "" : isWithinTarget(row) ? "ok" : "MISSED",
  ]);
  const table = [["", "ours", "floor in the same run", "ratio", "target", ""], ...cells];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join("  ").trimEnd())
    .join("\n");
}

function describeTarget({ unit, target }: Row): string {
  const parts = [
    ...(target?.times === undefined ? [] : [`≤ ${round(target.times)}×`]),
    ...(target?.most === undefined ? [] : [`≤ ${target.most} ${unit}`]),
  ];
  return parts.join(", ");
}

function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
