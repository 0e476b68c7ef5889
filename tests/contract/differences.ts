/**
 * What differs between the two kinds of interpreter, as one table: `docs/engines.md` shows it, the
 * contract suite checks every row.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { EngineTarget } from "../support/engines.ts";
import { engineCase } from "./case.ts";

/** A feature, a program that uses it and prints `works`, and the error where it does not. */
export interface Difference {
  feature: string;
  code: string;
  wasm: string;
  process: "works" | string;
}

/** The table. */
export const DIFFERENCES: readonly Difference[] = [
  {
    feature: "Threads",
    code:
      "import threading\nt = threading.Thread(target=lambda: print('works'))\nt.start()\nt.join()",
    wasm: "RuntimeError: can't start new thread",
    process: "works",
  },
  {
    feature: "Child processes",
    code: "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'print(\"works\")'])\n'';",
    wasm: "OSError: [Errno 138] emscripten does not support processes.",
    process: "works",
  },
];

/** Registers a test for each row. */
export function differenceCases(target: EngineTarget): void {
  for (const row of DIFFERENCES) {
    engineCase(target, `${row.feature}: ${row[target.kind]}`, async ({ session }) => {
      const result = await session.run(row.code);
      const expected = row[target.kind];
      if (expected === "works") assertEquals(result.stdout, "works\n");
      else assertStringIncludes(result.error ?? result.stdout, expected);
    });
  }
}
