import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { AppError } from "../../../../src/shared/errors.ts";
import type { RunFiles } from "../../../../src/store/runs/run_files.ts";
import { RunStore } from "../../../../src/store/runs/run_store.ts";
import { inFolder } from "../../../support/temp_folder.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function put(files: RunFiles, name: string, text: string) {
  return files.put({ name, offset: 0, bytes: bytes(text), last: true });
}

async function read(store: RunStore, uri: string): Promise<string> {
  const [run, name] = uri.split("/").slice(-2).map(decodeURIComponent);
  return new TextDecoder().decode((await store.read(run!, name!, 0, 1000))!.bytes);
}

Deno.test("RunFiles stops at the size of a run and says so", () =>
  inFolder((folder) => {
    using files = new RunStore(folder).newRun();
    const piece = "x".repeat(64 * 1024 * 1024);
    for (let at = 0; at < 4; at++) files.append("stdout.txt", piece);
    assertEquals(files.isFull, false);
    files.append("stdout.txt", "one more");
    assertEquals(files.isFull, true);
    const full =
      /Cannot keep the file "a": a run keeps at most 256 MiB, and of this file only 0 bytes/;
    const error = assertThrows(() => put(files, "a", "x"), AppError);
    assert(full.test(error.message), error.message);
    assertEquals(files.close("stdout.txt")!.size, 256 * 1024 * 1024);
  }));

Deno.test("RunFiles says so when there is no folder", () => {
  const files = new RunStore(undefined).newRun();
  assertThrows(() => files.append("stdout.txt", "x"), AppError, "No state folder is known");
  assertThrows(() => put(files, "a.txt", "x"), AppError, "No state folder is known");
});

Deno.test("RunFiles keeps a file that comes in pieces, and nobody sees half of it", () =>
  inFolder(async (folder) => {
    const store = new RunStore(folder);
    using files = store.newRun();
    assertEquals(
      files.put({ name: "a b.csv", offset: 0, bytes: bytes("1,2"), last: false }),
      undefined,
    );
    assertEquals([files.kept, await store.list()], [[], { artifacts: [] }]);
    const file = files.put({ name: "a b.csv", offset: 3, bytes: bytes(",3"), last: true })!;
    assertEquals([file.name, file.size, file.mimeType], ["a b.csv", 5, "text/csv"]);
    assertEquals(file.uri.split("/").at(-1), "a%20b.csv");
    assertEquals(files.kept, [file]);
    assertEquals(await store.list(), { artifacts: [file] });
    assertEquals(await read(store, file.uri), "1,2,3");
  }));

Deno.test("RunFiles replaces a file that is saved again", () =>
  inFolder(async (folder) => {
    const store = new RunStore(folder);
    using files = store.newRun();
    put(files, "a.txt", "first, and long");
    const { uri } = put(files, "a.txt", "second")!;
    assertEquals(files.kept.map(({ name, size }) => [name, size]), [["a.txt", 6]]);
    assertEquals(await read(store, uri), "second");
  }));

Deno.test("RunFiles drops what did not come to its end when the run is over", () =>
  inFolder(async (folder) => {
    const store = new RunStore(folder);
    const files = store.newRun();
    put(files, "whole.txt", "x");
    files.put({ name: "half.txt", offset: 0, bytes: bytes("x"), last: false });
    files[Symbol.dispose]();
    const [run] = await Array.fromAsync(Deno.readDir(`${folder}/runs`));
    const left = await Array.fromAsync(Deno.readDir(`${folder}/runs/${run!.name}`));
    assertEquals(left.map(({ name }) => name), ["whole.txt"]);
    assertThrows(() => put(files, "late.txt", "x"), AppError, "the run is over");
    assertThrows(() => files.show("whole.txt"), AppError, "the run is over");
  }));

Deno.test("RunFiles takes pieces only in their order", () =>
  inFolder((folder) => {
    using files = new RunStore(folder).newRun();
    const piece = (offset: number) => ({ name: "a", offset, bytes: bytes("xyz"), last: false });
    assertThrows(() => files.put(piece(3)), AppError, "does not follow the one before");
    files.put(piece(0));
    assertThrows(() => files.put(piece(4)), AppError, "a piece for offset 4 does not follow");
    files.put(piece(3));
    // Begins anew.
    files.put(piece(0));
    files.put({ ...piece(3), last: true });
    assertEquals(files.kept.map(({ size }) => size), [6]);
  }));

Deno.test("RunFiles refuses names that lead out of the folder, whatever they are", () =>
  inFolder(async (folder) => {
    using files = new RunStore(folder).newRun();
    for (const name of ["../a", "/a", "a\0", "..", "stdout.txt", "a\\..\\b", ".part-1"]) {
      assertThrows(() => put(files, name, "x"), AppError, "Cannot keep the file");
    }
    fc.assert(fc.property(fc.string({ unit: "binary" }), (name) => {
      try {
        put(files, name, "x");
      } catch (error) {
        assert(error instanceof AppError, String(error));
      }
    }));
    const top = await Array.fromAsync(Deno.readDir(folder));
    assertEquals(top.map(({ name }) => name), ["runs"]);
    assertEquals((await Array.fromAsync(Deno.readDir(`${folder}/runs`))).length, 1);
  }));

Deno.test("RunFiles refuses a name that differs from another only in case", () =>
  inFolder((folder) => {
    using files = new RunStore(folder).newRun();
    put(files, "Chart.png", "x");
    assertThrows(() => put(files, "chart.png", "y"), AppError, '"Chart.png" is there already');
    assertThrows(() => files.show("chart.png"), AppError, "it was not saved");
    files.show("Chart.png");
  }));

Deno.test("RunFiles keeps 100 files and says no to the next", () =>
  inFolder((folder) => {
    using files = new RunStore(folder).newRun();
    for (let at = 0; at < 100; at++) put(files, `${at}.txt`, "x");
    assertThrows(() => put(files, "more.txt", "x"), AppError, "a run keeps at most 100 files");
    put(files, "7.txt", "again");
    assertEquals(files.kept.length, 100);
  }));

Deno.test("RunFiles counts a file once, however often it is saved", () =>
  inFolder((folder) => {
    using files = new RunStore(folder).newRun();
    const half = new Uint8Array(150 * 1024 * 1024);
    for (let at = 0; at < 3; at++) files.put({ name: "big", offset: 0, bytes: half, last: true });
    assertThrows(() => files.put({ name: "other", offset: 0, bytes: half, last: true }), AppError);
    files.put({ name: "other", offset: 0, bytes: half.subarray(0, 100 * 1024 * 1024), last: true });
    assertEquals(files.kept.length, 2);
  }));
