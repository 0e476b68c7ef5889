/** A record store whose files are not as it left them. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { AppError } from "../../../../src/shared/errors.ts";
import { RecordStore } from "../../../../src/store/records/record_store.ts";
import { Chance } from "../../../faults/chance.ts";
import { DAMAGES } from "../../../faults/damages.ts";
import { inFolder } from "../../../support/temp_folder.ts";

const KIND = {
  folder: "notes",
  noun: "note",
  plural: "notes",
  remove: "delete_note",
  limits: { keyBytes: 100, textBytes: 100, metadataBytes: 100, records: 3, totalBytes: 10_000 },
};

function damage(name: string, path: string): Promise<void> {
  return DAMAGES.find((damage) => damage.name === name)!.apply(path, new Chance(1));
}

const OTHERS = DAMAGES.map(({ name }) => name).filter((name) =>
  /^folder|^pipe|^64 MB|^link/.test(name)
);

for (const name of OTHERS) {
  Deno.test(`a ${name} in the place of a record costs no other, and is told with its key`, () =>
    inFolder(async (folder) => {
      const store = new RecordStore(folder, KIND);
      for (const key of ["a", "b"]) await store.put(key, key);
      await damage(name, `${folder}/notes/k-a.jsonl`);
      const isGone = name === "link to nowhere";
      for (const ask of [() => store.get("a"), () => store.info("a")]) {
        if (isGone) assertEquals(await ask(), undefined);
        else await assertRejects(ask, AppError, 'The note "a" is damaged on disk');
      }
      const listed = (await store.list()).map(({ key, error }) => [key, error !== undefined]);
      assertEquals(listed, isGone ? [["b", false]] : [["a", true], ["b", false]]);
      assertEquals((await store.get("b"))?.text, "b");
      if (name.startsWith("folder")) {
        for (const ask of [() => store.put("a", "new"), () => store.delete("a")]) {
          const error = await assertRejects(ask, AppError, 'in the place of the note "a"');
          assertEquals(error.hint, 'Remove "notes/k-a.jsonl" from the state folder');
        }
        return;
      }
      await store.put("a", "new");
      assertEquals((await store.get("a"))?.text, "new");
      await damage(name, `${folder}/notes/k-a.jsonl`);
      assertEquals(await store.delete("a"), true);
      assertEquals((await store.list()).map(({ key }) => key), ["b"]);
    }));

  Deno.test(`a ${name} in the place of the lock refuses writers or is a lock, and costs no reader`, () =>
    inFolder(async (folder) => {
      const store = new RecordStore(folder, KIND);
      await store.put("a", "1");
      await damage(name, `${folder}/notes/lock`);
      if (name.startsWith("64 MB")) return void await store.put("a", "2");
      const error = await assertRejects(() => store.put("a", "2"), AppError, "its lock is no file");
      assertEquals(error.hint, 'Remove "notes/lock" from the state folder');
      assertEquals((await store.get("a"))?.text, "1");
    }));
}

Deno.test("no byte of a record can change unseen", () =>
  inFolder(async (folder) => {
    const store = new RecordStore(folder, KIND);
    await store.put("a", '{"n": 1}', '{"m": 2}');
    const path = `${folder}/notes/k-a.jsonl`;
    const whole = await Deno.readFile(path);
    for (let at = 0; at < whole.length; at++) {
      const bytes = whole.slice();
      bytes[at]! ^= 1;
      await Deno.writeFile(path, bytes);
      await assertRejects(() => store.get("a"), AppError, 'The note "a" is damaged on disk');
    }
    await Deno.writeFile(path, whole);
    assertMatch((await store.get("a"))!.text, /1/);
  }));

Deno.test("a record of before it had checksums is read", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/notes`);
    const header = { format: 1, key: "a", version: "v", created: "c", updated: "u", bytes: 1 };
    await Deno.writeTextFile(`${folder}/notes/k-a.jsonl`, `${JSON.stringify(header)}\n5`);
    const store = new RecordStore(folder, KIND);
    assertEquals(await store.get("a"), { ...header, text: "5" } as unknown);
    assertEquals(await store.list(), [header] as unknown[]);
  }));

Deno.test("a note in the lock that was changed is not believed", () =>
  inFolder(async (folder) => {
    const store = new RecordStore(folder, KIND);
    await store.put("a", "1");
    const path = `${folder}/notes/lock`;
    const note = await Deno.readTextFile(path);
    assertMatch(note, /^1 /);
    await Deno.writeTextFile(path, `3${note.slice(1)}`);
    await store.put("b", "1");
    assertEquals((await store.list()).length, 2);
  }));
