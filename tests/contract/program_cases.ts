/** Correct programs run as they are: nothing is found in them beforehand, and none fails. */
import { assert, assertEquals } from "@std/assert";
import type { EngineTarget } from "../support/engines.ts";
import { PROGRAM_SERVERS, programSessionOptions } from "../support/program_servers.ts";
import { engineCase } from "./case.ts";

const folder = new URL("../fixtures/programs/", import.meta.url);

/** Registers the case. */
export function programCases(target: EngineTarget): void {
  engineCase(target, "every correct program runs", async ({ session }) => {
    const failed: string[] = [];
    let count = 0;
    for (const { title, code } of await programs()) {
      count++;
      const { status, stderr } = await session.run(code, { servers: [...PROGRAM_SERVERS] });
      if (status !== "success" || stderr !== "") failed.push(`${title}: ${stderr}`);
    }
    assertEquals(failed, []);
    assert(count >= 200, `Only ${count} programs`);
  }, programSessionOptions());
}

async function programs(): Promise<{ title: string; code: string }[]> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name)
    .filter((name) => name.endsWith(".py")).sort();
  const found = await Promise.all(names.map(async (name) => {
    const text = await Deno.readTextFile(new URL(name, folder));
    return text.split("# %% ").slice(1).map((part) => {
      const end = part.indexOf("\n");
      return { title: `${name}: ${part.slice(0, end)}`, code: part.slice(end + 1) };
    });
  }));
  return found.flat();
}
