import { assertEquals, assertNotEquals } from "@std/assert";
import { SessionFolders } from "../../../../src/store/runs/session_folders.ts";
import { inFolder } from "../../../support/temp_folder.ts";

const DAY_MS = 24 * 3600 * 1000;

Deno.test("SessionFolders removes what a killed process left long ago, and no folder with a recent run", () =>
  inFolder(async (stateDir) => {
    const parent = `${stateDir}/sessions`;
    for (const [name, days] of [["old", 30], ["recent", 1]] as const) {
      await Deno.mkdir(`${parent}/${name}/runs`, { recursive: true });
      const time = new Date(Date.now() - days * DAY_MS);
      await Deno.utime(`${parent}/${name}/runs`, time, time);
    }
    const folders = new SessionFolders(stateDir);
    const [one, two] = [folders.next()!, folders.next()!];
    assertNotEquals(one, two);
    await Deno.mkdir(`${one}/runs`, { recursive: true });
    await folders.remove(one);
    const left = await Array.fromAsync(Deno.readDir(parent));
    assertEquals(left.map(({ name }) => name), ["recent"]);
  }));

Deno.test("SessionFolders has none where nothing can be kept", () => {
  assertEquals(new SessionFolders(undefined).next(), undefined);
});
