import { assertEquals, assertRejects } from "@std/assert";
import {
  addTrusted,
  contentDigest,
  parseTrusted,
  TRUST_FILE,
} from "../../../src/discovery/trust_store.ts";
import { Chance } from "../../faults/chance.ts";
import { DAMAGES } from "../../faults/damages.ts";
import { inFolder } from "../../support/temp_folder.ts";

Deno.test("contentDigest() is SHA-256 in hexadecimal", async () => {
  assertEquals(
    await contentDigest(new TextEncoder().encode("abc")),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

Deno.test("parseTrusted() allows nothing where it cannot read", () => {
  for (const text of ["", "{", "null", "[]", "1", '{"files":null}', '{"files":{"/a":1}}']) {
    assertEquals(parseTrusted(text).size, 0, text);
  }
});

Deno.test("addTrusted() adds, replaces, and leaves no draft", async () => {
  const root = await Deno.makeTempDir();
  try {
    const stateDir = `${root}/new/state`;
    await addTrusted(stateDir, "/p/.mcp.json", "1");
    await addTrusted(stateDir, "/q/.mcp.json", "2");
    await addTrusted(stateDir, "/p/.mcp.json", "3");
    const text = await Deno.readTextFile(`${stateDir}/${TRUST_FILE}`);
    assertEquals([...parseTrusted(text)], [["/p/.mcp.json", "3"], ["/q/.mcp.json", "2"]]);
    const entries = await Array.fromAsync(Deno.readDir(stateDir));
    assertEquals(entries.map((entry) => entry.name), [TRUST_FILE]);
    if (Deno.build.os !== "windows") {
      assertEquals((await Deno.stat(`${stateDir}/${TRUST_FILE}`)).mode! & 0o777, 0o600);
      assertEquals((await Deno.stat(stateDir)).mode! & 0o777, 0o700);
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

for (const { name, apply } of DAMAGES) {
  Deno.test(`addTrusted() allows a file where the store is damaged, or leaves no draft: ${name}`, () =>
    inFolder(async (folder) => {
      await addTrusted(folder, "/p/.mcp.json", "1");
      await apply(`${folder}/${TRUST_FILE}`, new Chance(1));
      if (name.startsWith("folder")) {
        await assertRejects(() => addTrusted(folder, "/q/.mcp.json", "2"));
      } else {
        await addTrusted(folder, "/q/.mcp.json", "2");
        const text = await Deno.readTextFile(`${folder}/${TRUST_FILE}`);
        assertEquals(parseTrusted(text).get("/q/.mcp.json"), "2");
      }
      const entries = await Array.fromAsync(Deno.readDir(folder));
      assertEquals(entries.map((entry) => entry.name), [TRUST_FILE]);
    }));
}
