import { assert, assertEquals } from "@std/assert";
import { type FilePage, RunStore } from "../../../../src/store/runs/run_store.ts";
import { inFolder } from "../../../support/temp_folder.ts";

const TEXTS = { code: "", stdout: "", stderr: "" };

Deno.test("RunStore gives back in ranges what was appended", async () => {
  await inFolder(async (folder) => {
    const store = new RunStore(folder);
    const files = store.newRun();
    files.append("stdout.txt", "abc");
    files.append("stdout.txt", "défg");
    const file = files.close("stdout.txt")!;
    assertEquals([file.name, file.size, file.mimeType], ["stdout.txt", 8, "text/plain"]);
    const run = file.uri.split("/").at(-2)!;
    const text = async (offset: number, length: number) =>
      new TextDecoder().decode((await store.read(run, "stdout.txt", offset, length))!.bytes);
    assertEquals(await text(0, 100), "abcdéfg");
    assertEquals(await text(1, 2), "bc");
    assertEquals(await text(100, 5), "");
    assertEquals(await store.list(), { artifacts: [file] });
  });
});

for (
  const name of [
    "../secret",
    "..",
    "/etc/passwd",
    "a/b",
    "a\\b",
    ".hidden",
    "",
    "a\0b",
    "x".repeat(200),
  ]
) {
  Deno.test(`RunStore does not read ${JSON.stringify(name.slice(0, 20))}`, async () => {
    await inFolder(async (folder) => {
      await Deno.mkdir(`${folder}/runs/r`, { recursive: true });
      await Deno.writeTextFile(`${folder}/secret`, "secret");
      await Deno.writeTextFile(`${folder}/runs/r/.hidden`, "secret");
      const store = new RunStore(folder);
      assertEquals(await store.read("r", name, 0, 10), undefined);
      assertEquals(await store.read(name, "secret", 0, 10), undefined);
    });
  });
}

Deno.test("RunStore keeps the last 50 runs, in the order they began", async () => {
  await inFolder(async (folder) => {
    const store = new RunStore(folder);
    const runs: string[] = [];
    for (let at = 0; at < 55; at++) {
      using files = store.newRun();
      store.keep(files, { ...TEXTS, code: String(at) });
      runs.push(files.run);
    }
    await store.settled();
    const first = async (run: string) => await store.read(run, "run_python.py", 0, 10);
    const kept = await Promise.all(runs.map(first));
    assertEquals(kept.map((read) => read !== undefined), runs.map((_, at) => at >= 5));
    assertEquals(new TextDecoder().decode(kept.at(-1)!.bytes), "54");
  });
});

/** A store with as many runs, each with as many files of its own. */
async function storeRuns(folder: string, count: number, files: number): Promise<string[]> {
  const store = new RunStore(folder);
  const runs: string[] = [];
  for (let at = 0; at < count; at++) {
    using run = store.newRun();
    for (let file = 0; file < files; file++) {
      run.put({ name: `${file}.txt`, offset: 0, bytes: new Uint8Array(1), last: true });
    }
    runs.unshift(run.run);
  }
  await store.settled();
  return runs;
}

const runsOf = (page?: FilePage) => [
  ...new Set(page!.artifacts.map(({ uri }) => uri.split("/").at(-2)!)),
];

Deno.test("RunStore lists the last 20 runs, newest first, all in one page where that is short", async () => {
  await inFolder(async (folder) => {
    const runs = await storeRuns(folder, 30, 1);
    const page = await new RunStore(folder).list();
    assertEquals([runsOf(page), page?.next], [runs.slice(0, 20), undefined]);
  });
});

Deno.test("RunStore lists many files in pages, whatever comes and goes meanwhile", async () => {
  await inFolder(async (folder) => {
    const runs = await storeRuns(folder, 7, 40);
    const store = new RunStore(folder);
    const first = await store.list();
    assertEquals([runsOf(first), first!.artifacts.length], [runs.slice(0, 3), 120]);
    await storeRuns(folder, 2, 1);
    await Deno.remove(`${folder}/runs/${runs[2]}`, { recursive: true });
    const second = await store.list(first!.next);
    assertEquals(runsOf(second), runs.slice(3, 6));
    const third = await store.list(second!.next);
    assertEquals([runsOf(third), third!.next], [runs.slice(6), undefined]);
  });
});

Deno.test("RunStore has no page of a name that it did not give", async () => {
  await inFolder(async (folder) => {
    await storeRuns(folder, 1, 1);
    for (const page of ["", "2", "..", "20260101000000000", "x".repeat(1000)]) {
      assertEquals(await new RunStore(folder).list(page), undefined);
    }
  });
});

Deno.test("RunStore does not remove a run that is going on", async () => {
  await inFolder(async (folder) => {
    const store = new RunStore(folder);
    using long = store.newRun();
    long.put({ name: "a.txt", offset: 0, bytes: new Uint8Array(3), last: true });
    for (let at = 0; at < 60; at++) {
      using files = store.newRun();
      store.keep(files, TEXTS);
    }
    await store.settled();
    assertEquals((await store.read(long.run, "a.txt", 0, 10))?.size, 3);
  });
});

Deno.test("RunStore keeps code and output of a run that is over, without waiting for the disk", async () => {
  await inFolder(async (folder) => {
    const store = new RunStore(folder);
    using files = store.newRun();
    files.append("stdout.txt", "the whole");
    files.close("stdout.txt");
    store.keep(files, { code: "print(1)", stdout: "the cut", stderr: "" });
    assertEquals((await Array.fromAsync(Deno.readDir(`${folder}/runs/${files.run}`))).length, 1);
    const text = async (name: string) => {
      const read = await store.read(files.run, name, 0, 100);
      return read && new TextDecoder().decode(read.bytes);
    };
    assertEquals(await text("run_python.py"), "print(1)");
    assertEquals(await text("stdout.txt"), "the whole");
    assertEquals(await text("stderr.txt"), undefined);
  });
});

Deno.test("RunStore goes on where its folder cannot be written", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/state`, "a file, not a folder");
    for (const store of [new RunStore(`${folder}/state`), new RunStore(undefined)]) {
      store.keep(store.newRun(), TEXTS);
      await store.settled();
      assertEquals(await store.list(), { artifacts: [] });
    }
  });
});

Deno.test("RunStore makes folders that only their owner can read", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder(async (folder) => {
    using files = new RunStore(`${folder}/state`).newRun();
    files.append("stdout.txt", "x");
    const [run] = await Array.fromAsync(Deno.readDir(`${folder}/state/runs`));
    assertEquals((await Deno.stat(`${folder}/state`)).mode! & 0o777, 0o700);
    const mode = (await Deno.stat(`${folder}/state/runs/${run!.name}/stdout.txt`)).mode!;
    assert((mode & 0o077) === 0, mode.toString(8));
  });
});

Deno.test("RunStore takes what comes later for later, also where the clock was ahead", () =>
  inFolder(async (folder) => {
    // As if 50 runs had been kept while the clock was ten years ahead.
    const ahead = Array.from({ length: 50 }, (_, at) => `203601010000000${10 + at}-0123abcd`);
    for (const run of ahead) await Deno.mkdir(`${folder}/runs/${run}`, { recursive: true });
    await Deno.mkdir(`${folder}/runs/99990101000000000-0123abcd`);
    const store = new RunStore(folder);
    using files = store.newRun();
    files[Symbol.dispose]();
    store.keep(files, { ...TEXTS, code: "mine" });
    await store.settled();
    assert((await store.read(files.run, "run_python.py", 0, 10)) !== undefined, files.run);
    // Another bridge, in another time.
    const later = `20370101000000000-0123abcd`;
    await Deno.mkdir(`${folder}/runs/${later}`);
    await store.list();
    using next = store.newRun();
    assert(next.run > later, next.run);
  }));
