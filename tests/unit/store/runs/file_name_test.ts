import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { fromDiskName, nameProblem, toDiskName } from "../../../../src/store/runs/file_name.ts";
import examples from "../../../fixtures/file_names.json" with { type: "json" };

for (const name of examples.allowed) {
  Deno.test(`nameProblem() has nothing against ${JSON.stringify(name)}`, () => {
    assertEquals(nameProblem(name), undefined);
    assertEquals(fromDiskName(toDiskName(name)), name);
  });
}

for (const [name, problem] of Object.entries(examples.refused)) {
  Deno.test(`nameProblem() refuses ${JSON.stringify(name)}`, () => {
    assertEquals(nameProblem(name), problem);
  });
}

Deno.test("nameProblem() refuses half a character", () => {
  assertEquals(nameProblem("a\ud800"), "it is not valid Unicode");
});

Deno.test("nameProblem() counts the bytes of a name", () => {
  assertEquals(nameProblem("é".repeat(examples.longest / 2)), undefined);
  for (
    const name of ["é".repeat(examples.longest / 2) + "a", "%".repeat(67), "a/".repeat(60) + "a"]
  ) {
    assertEquals(nameProblem(name), "it is longer than 200 bytes");
  }
});

Deno.test("a name that is allowed is one part of a path on disk, and its own", () => {
  const parts = [
    "a",
    "B",
    ".",
    "..",
    "/",
    "%",
    "%2F",
    "%25",
    "\\",
    ":",
    " ",
    "é",
    "\0",
    "con",
    ".txt",
  ];
  const names = fc.oneof(
    fc.string({ unit: "binary", maxLength: 250 }),
    fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((some) => some.join("")),
  );
  fc.assert(fc.property(names, (name) => {
    if (nameProblem(name) !== undefined) return;
    const onDisk = toDiskName(name);
    assert(!/[/\\]/.test(onDisk) && !onDisk.startsWith(".") && onDisk !== "", onDisk);
    assert(new TextEncoder().encode(onDisk).length <= 200);
    assertEquals(fromDiskName(onDisk), name);
  }));
});

Deno.test("two names never share a place on disk", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, two) => {
      if (one !== two) assert(toDiskName(one) !== toDiskName(two));
    }),
  );
});

Deno.test("fromDiskName() knows only names that toDiskName() makes", () => {
  for (const name of ["..", ".part-1", "a%2f", "a%41", "%2Fetc", "%2E%2E%2Fa"]) {
    assertEquals(fromDiskName(name), undefined, name);
  }
});
