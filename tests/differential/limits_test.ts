/**
 * The table of `docs/engines.md` says what the limits of the platforms are. It is made of what the
 * programs of `scripts/limits.py` do, by
 * `deno test -A tests/differential/limits_test.ts -- --update`.
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { engineCase } from "../contract/case.ts";
import { targets } from "../support/engines.ts";
import { readPrograms } from "../support/programs.ts";
import type { TestSession } from "../support/sessions.ts";
import { type LimitRow, readTable, writeTable } from "./limits.ts";

const document = new URL("../../docs/engines.md", import.meta.url);
const limits = (await readPrograms("scripts")).find(({ name }) => name === "limits.py")!;

for (const target of targets.filter(({ name }) => !/rootless|3.11/.test(name))) {
  engineCase(target, "the limits are those of the table", async ({ session }) => {
    const text = await Deno.readTextFile(document);
    const rows = readTable(text);
    const found: LimitRow[] = [];
    for (const { title, code, stdout } of limits.programs) {
      const row = rows.find(({ feature }) => feature === title);
      const cpython = stdout!.trimEnd();
      const other = { wasm: row?.wasm ?? "", process: row?.process ?? "" };
      found.push({
        feature: title,
        cpython,
        ...other,
        [target.kind]: await outcome(session, code),
      });
    }
    if (Deno.args.includes("--update")) await Deno.writeTextFile(document, writeTable(text, found));
    else assertEquals(found, rows);
  });
}

Deno.test("the table has at most 15 rows, and each is a difference", async () => {
  const rows = readTable(await Deno.readTextFile(document));
  assert(rows.length <= 15, `${rows.length} rows`);
  for (const row of rows) assertNotEquals([row.wasm, row.process], [row.cpython, row.cpython]);
});

/** What a program printed, or the error it ended with. */
async function outcome(session: TestSession, code: string): Promise<string> {
  const { stdout, error } = await session.run(code);
  return error ?? (stdout.trimEnd() || "nothing");
}
