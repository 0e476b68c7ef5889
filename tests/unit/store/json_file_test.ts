import { assertEquals, assertRejects } from "@std/assert";
import { readJsonFile, writeJsonFile } from "../../../src/store/json_file.ts";
import { Chance } from "../../faults/chance.ts";
import { DAMAGES } from "../../faults/damages.ts";
import { inFolder } from "../../support/temp_folder.ts";

Deno.test("writeJsonFile() replaces a file as a whole and leaves nothing beside it", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/a/b.json`;
    await Promise.all(Array.from({ length: 20 }, (_, value) => writeJsonFile(path, { value })));
    const { value } = await readJsonFile(path) as { value: number };
    assertEquals(Number.isInteger(value), true);
    const names = (await Array.fromAsync(Deno.readDir(`${folder}/a`))).map(({ name }) => name);
    assertEquals(names, ["b.json"]);
    if (Deno.build.os !== "windows") assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("readJsonFile() gives nothing for what is not there or not JSON", async () => {
  assertEquals(await readJsonFile("/no/such/file.json"), undefined);
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "{half");
  assertEquals(await readJsonFile(path), undefined);
  await Deno.remove(path);
});

Deno.test("writeJsonFile() throws where it cannot write", async () => {
  await assertRejects(() => writeJsonFile("/proc/no/such.json", {}));
});

Deno.test("readJsonFile() gives nothing for what was changed, is a pipe or has no end", () =>
  inFolder(async (folder) => {
    const path = `${folder}/a.json`;
    await writeJsonFile(path, { value: 1 });
    const whole = await Deno.readFile(path);
    assertEquals(JSON.parse(new TextDecoder().decode(whole)).value, { value: 1 });
    for (let at = 0; at < whole.length - "}\n".length; at++) {
      const bytes = whole.slice();
      bytes[at]! ^= 1;
      await Deno.writeFile(path, bytes);
      assertEquals(await readJsonFile(path), undefined, String(at));
    }
    for (const { name, apply } of DAMAGES) {
      await Deno.remove(path, { recursive: true }).catch(() => {});
      await writeJsonFile(path, { value: 1 });
      await apply(path, new Chance(1));
      assertEquals(await readJsonFile(path), undefined, name);
    }
  }));
