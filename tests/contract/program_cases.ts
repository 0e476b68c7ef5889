/** Correct programs run as they are: nothing is found in them beforehand, and they print what they should. */
import { assert, assertEquals } from "@std/assert";
import type { EngineTarget } from "../support/engines.ts";
import { PROGRAM_SERVERS, programSessionOptions } from "../support/program_servers.ts";
import { readPrograms } from "../support/programs.ts";
import { engineCase } from "./case.ts";

/** Registers the case. */
export function programCases(target: EngineTarget): void {
  engineCase(target, "every correct program prints what it should", async ({ session }) => {
    const wrong = [];
    const programs = (await readPrograms("cells")).flatMap(({ programs }) => programs);
    for (const { title, code, stdout: expected } of programs) {
      const { stdout, stderr } = await session.run(code, { servers: [...PROGRAM_SERVERS] });
      if (stdout + stderr !== expected) wrong.push({ title, found: stdout + stderr, expected });
    }
    assertEquals(wrong, []);
    assert(programs.length >= 100, `Only ${programs.length} programs`);
  }, programSessionOptions());
}
