import { assertEquals } from "@std/assert";
import { RUNTIME_FILES } from "../../../../src/languages/python/runtime_files.ts";

const root = new URL("../../../../runtime/python/", import.meta.url);

async function* paths(folder = ""): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(folder, root))) {
    if (entry.name === "__pycache__" || entry.name === "image") continue;
    if (entry.isDirectory) yield* paths(`${folder}${entry.name}/`);
    else yield `${folder}${entry.name}`;
  }
}

Deno.test("RUNTIME_FILES holds every file of runtime/ as it is", async () => {
  const expected: Record<string, string> = {};
  for await (const path of paths()) expected[path] = await Deno.readTextFile(new URL(path, root));
  assertEquals(Object.keys(RUNTIME_FILES).sort(), Object.keys(expected).sort());
  assertEquals({ ...RUNTIME_FILES }, expected);
});
