/**
 * Python in the sandbox is Python: every script prints what CPython itself printed. That was recorded by
 * `tests/support/record_outputs.py`.
 */
import { assert, assertEquals } from "@std/assert";
import { engineCase } from "../contract/case.ts";
import { targets } from "../support/engines.ts";
import { type Program, readPrograms } from "../support/programs.ts";
import type { TestSession } from "../support/sessions.ts";

const files = (await readPrograms("scripts")).filter(({ name }) => name !== "limits.py");

for (const target of targets.filter(({ name }) => !/rootless|3.11/.test(name))) {
  for (const { name, programs } of files) {
    engineCase(target, `${name} prints what CPython prints`, async ({ session }) => {
      const different = [];
      for (const program of programs) {
        const found = await seen(session, program);
        if (found !== program.stdout) different.push({ title: program.title, found });
      }
      // All of them at once; the outputs of the others would only hide these.
      assertEquals(
        different,
        different.map(({ title }) => ({
          title,
          found: programs.find((program) => program.title === title)?.stdout,
        })),
      );
    });
  }
}

Deno.test("there are at least 300 scripts, each with a title of its own and a recorded output", () => {
  const programs = files.flatMap(({ programs }) => programs);
  assertEquals(programs.filter(({ stdout }) => !stdout).map(({ title }) => title), []);
  assertEquals(new Set(programs.map(({ title }) => title)).size, programs.length);
  assert(programs.length >= 300, `Only ${programs.length}`);
});

/** What a script printed; with how it ended, unless that was well and quiet. */
async function seen(session: TestSession, { code }: Program): Promise<string> {
  const { stdout, stderr, status } = await session.run(code);
  // The one name that cannot be the same; the recorded outputs have it so, too.
  const text = stdout.replaceAll(/<run-\d+>/g, "program.py");
  return status === "success" && stderr === "" ? text : `${text}[${status}]\n${stderr}`;
}
