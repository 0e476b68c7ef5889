import { assert, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import {
  isRecordName,
  keyOfRecordName,
  toRecordName,
} from "../../../../src/store/records/record_name.ts";

const key = fc.oneof(
  fc.string({ minLength: 1, unit: "binary", maxLength: 400 }),
  fc.string({ minLength: 1, unit: "grapheme", maxLength: 200 }),
  fc.string({ minLength: 1, unit: fc.constantFrom("a", "A", ".", "/", "\\", "=", "%", "\0", "é") }),
);

Deno.test("toRecordName() gives a name that every file system keeps as it is", async () => {
  await fc.assert(fc.asyncProperty(key, async (key) => {
    const name = await toRecordName(key);
    assert(/^[a-z0-9][a-z0-9=_-]*\.jsonl$/.test(name), name);
    assert(name.length <= 140, name);
    assert(isRecordName(name), name);
  }));
});

Deno.test("toRecordName() gives no two keys one file, whatever a file system takes as equal", async () => {
  await fc.assert(fc.asyncProperty(key, key, async (a, b) => {
    const [one, two] = [await toRecordName(a), await toRecordName(b)];
    const folded = (name: string) => name.normalize("NFC").toLowerCase();
    assertEquals(folded(one) === folded(two), a === b);
  }));
});

Deno.test("keyOfRecordName() gives the key back that a name spells out", async () => {
  await fc.assert(fc.asyncProperty(key, async (key) => {
    const name = await toRecordName(key);
    assertEquals(keyOfRecordName(name), name.startsWith("k-") ? key : undefined);
  }));
});

Deno.test("toRecordName() keeps apart what some file systems do not", async () => {
  const keys = ["a", "A", "é", "e\u0301", "con", "CON", "a.", "a ", "a", "../a", "a/b", "a\\b"];
  const names = new Set(await Promise.all(keys.map(toRecordName)));
  assertEquals(names.size, new Set(keys).size);
  assertEquals(await toRecordName("con"), "k-con.jsonl");
  assertEquals(await toRecordName("../A"), "k-=2e=2e=2f=41.jsonl");
});

Deno.test("toRecordName() spells out a key up to a length and digests a longer one", async () => {
  assertEquals(await toRecordName("a".repeat(120)), `k-${"a".repeat(120)}.jsonl`);
  const long = await toRecordName("a".repeat(121));
  assert(/^d-[0-9a-f]{64}\.jsonl$/.test(long), long);
  // The name of a digest is not the name of a key that spells that digest.
  assertNotEquals(await toRecordName(long.slice(2, -6)), long);
});

for (
  const name of ["lock", "k-.jsonl", "k-A.jsonl", "d-12.jsonl", "x.draft", "k-a.json", "../k-a"]
) {
  Deno.test(`isRecordName() does not take ${name}`, () => {
    assertEquals(isRecordName(name), false);
    assertEquals(keyOfRecordName(name), undefined);
  });
}
