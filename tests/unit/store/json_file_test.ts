import { assertEquals, assertRejects } from "@std/assert";
import { readJsonFile, writeJsonFile } from "../../../src/store/json_file.ts";

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
