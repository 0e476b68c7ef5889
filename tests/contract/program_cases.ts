/** Correct programs run as they are: nothing is found in them beforehand, and none fails. */
import { assert, assertEquals } from "@std/assert";
import type { EngineTarget } from "../support/engines.ts";
import { PROGRAM_SERVERS, programSessionOptions } from "../support/program_servers.ts";
import { readPrograms } from "../support/programs.ts";
import { engineCase } from "./case.ts";

/** Registers the case. */
export function programCases(target: EngineTarget): void {
  engineCase(target, "every correct program runs", async ({ session }) => {
    const failed: string[] = [];
    const programs = (await readPrograms("cells")).flatMap(({ programs }) => programs);
    for (const { title, code } of programs) {
      const { status, stderr } = await session.run(code, { servers: [...PROGRAM_SERVERS] });
      if (status !== "success" || stderr !== "") failed.push(`${title}: ${stderr}`);
    }
    assertEquals(failed, []);
    assert(programs.length >= 100, `Only ${programs.length} programs`);
  }, programSessionOptions());
}
