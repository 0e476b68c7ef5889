import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { crc32 } from "../../../src/shared/crc32.ts";
import { NotRegularError, openRegular, readRegular } from "../../../src/shared/regular_file.ts";
import { DAMAGES } from "../../faults/damages.ts";
import { Chance } from "../../faults/chance.ts";
import { inFolder } from "../../support/temp_folder.ts";

Deno.test("readRegular() gives the first bytes of a file, also through a link", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "abcdef");
    await Deno.symlink("file", `${folder}/link`);
    const read = async (name: string, most: number) =>
      new TextDecoder().decode(await readRegular(`${folder}/${name}`, most));
    assertEquals(await read("file", 100), "abcdef");
    assertEquals(await read("link", 3), "abc");
    await assertRejects(() => read("none", 1), Deno.errors.NotFound);
    assertThrows(() => openRegular(`${folder}/none`), Deno.errors.NotFound);
  }));

for (const { name, apply } of DAMAGES) {
  if (!/^folder$|^pipe$|itself$|zero$/.test(name)) continue;
  Deno.test(`neither readRegular() nor openRegular() opens a ${name}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/file`;
      await Deno.writeTextFile(path, "");
      await apply(path, new Chance(1));
      await assertRejects(() => readRegular(path, 10), NotRegularError);
      assertThrows(() => openRegular(path), NotRegularError);
    }));
}

Deno.test("crc32() is that of zip files, in one piece or in several", () => {
  const [one, two] = ["1234", "56789"].map((text) => new TextEncoder().encode(text));
  assertEquals(crc32(two!, crc32(one!)), 0xcbf43926);
  assertEquals(crc32(new Uint8Array()), 0);
});
