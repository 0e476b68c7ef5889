import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { AppError } from "../../../../src/shared/errors.ts";
import { RecordStore } from "../../../../src/store/records/record_store.ts";
import type { RecordKind, RecordLimits } from "../../../../src/store/records/record_kind.ts";

const LIMITS: RecordLimits = {
  keyBytes: 1000,
  textBytes: 10_000,
  metadataBytes: 100,
  records: 1000,
  totalBytes: 1_000_000,
};

function kind(limits: Partial<RecordLimits> = {}): RecordKind {
  return {
    folder: "notes",
    noun: "note",
    plural: "notes",
    remove: "delete_note",
    limits: { ...LIMITS, ...limits },
  };
}

async function withFolder(body: (stateDir: string) => Promise<void>): Promise<void> {
  const stateDir = await Deno.makeTempDir({ prefix: "mcp-bridge-test-" });
  try {
    await body(stateDir);
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
}

async function filesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

Deno.test("RecordStore gives back what was put, for any key and text", () =>
  withFolder(async (stateDir) => {
    const store = new RecordStore(stateDir, kind({ records: 100_000, totalBytes: 1e9 }));
    const text = fc.string({ unit: "binary", maxLength: 300 });
    const keys = fc.string({ unit: "binary", minLength: 1, maxLength: 200 });
    const known = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(keys, text, async (key, text) => {
        await store.put(key, text);
        known.set(key, text);
        assertEquals((await store.get(key))?.text, text);
      }),
      { numRuns: 60 },
    );
    for (const [key, text] of known) assertEquals((await store.get(key))?.text, text);
    assertEquals((await store.list()).map(({ key }) => key).sort(), [...known.keys()].sort());
  }));

Deno.test("RecordStore keeps the time of the first write and gives each write a version", () =>
  withFolder(async (stateDir) => {
    const store = new RecordStore(stateDir, kind());
    const first = await store.put("a", "1", "{}");
    const second = await store.put("a", "2");
    assertEquals(second.created, first.created);
    assert(second.version !== first.version);
    assertEquals([first.metadata, second.metadata], ["{}", undefined]);
    const { text: _text, ...header } = (await store.get("a"))!;
    assertEquals(header, second);
    assertEquals(await store.info("a"), second);
  }));

Deno.test("RecordStore.swap() replaces the version it was told and no other", () =>
  withFolder(async (stateDir) => {
    const store = new RecordStore(stateDir, kind());
    const made = await store.swap("a", "1", null);
    assert(made.saved !== undefined);
    const late = await store.swap("a", "x", null);
    assert(late.saved === undefined);
    assertEquals(late.current?.text, "1");
    const { version } = await store.put("a", "2", '{"by":"me"}');
    const stale = await store.swap("a", "x", made.saved.version);
    assert(stale.saved === undefined && stale.current?.text === "2");
    const done = await store.swap("a", "3", version);
    assertEquals(done.saved?.metadata, '{"by":"me"}');
    await store.delete("a");
    assertEquals(await store.swap("a", "x", done.saved!.version), { current: undefined });
    assertEquals(await store.get("a"), undefined);
  }));

Deno.test("RecordStore.delete() says whether there was one, and makes nothing", () =>
  withFolder(async (stateDir) => {
    const store = new RecordStore(stateDir, kind());
    assertEquals(await store.delete("a"), false);
    assertEquals(await filesIn(stateDir), []);
    assertEquals(await store.list(), []);
    await store.put("a", "1");
    assertEquals([await store.delete("a"), await store.delete("a")], [true, false]);
    assertEquals(await filesIn(`${stateDir}/notes`), ["lock"]);
  }));

Deno.test("two stores on one folder lose no swap", () =>
  withFolder(async (stateDir) => {
    const stores = [new RecordStore(stateDir, kind()), new RecordStore(stateDir, kind())];
    const count = async (store: RecordStore) => {
      for (let i = 0; i < 50; i++) {
        for (;;) {
          const old = await store.get("n");
          const next = String(Number(old?.text ?? 0) + 1);
          if ((await store.swap("n", next, old?.version ?? null)).saved) break;
        }
      }
    };
    await Promise.all([...stores, ...stores].map(count));
    assertEquals((await stores[0]!.get("n"))?.text, "200");
  }));

Deno.test("RecordStore names the key and the limit it would break", () =>
  withFolder(async (stateDir) => {
    const limits = { keyBytes: 10, textBytes: 20, metadataBytes: 5, records: 2 };
    const store = new RecordStore(stateDir, kind(limits));
    const refused = async (put: () => Promise<unknown>, message: string) =>
      assertEquals((await assertRejects(put, AppError)).message, message);
    await refused(() => store.put("", "1"), 'Cannot use "" as the key of a note: it is empty');
    await refused(
      () => store.put("x".repeat(11), "1"),
      'Cannot use "xxxxxxxxxxx" as the key of a note: it has 11 bytes, at most 10 are allowed',
    );
    const surrogate = /half of a surrogate pair/;
    assert(surrogate.test((await assertRejects(() => store.get("\ud800"), AppError)).message));
    await refused(
      () => store.put("a", "é".repeat(11)),
      'Cannot save the note "a": it would take 22 bytes, at most 20 are allowed',
    );
    await refused(
      () => store.put("a", "1", "123456"),
      'Cannot save the note "a": its metadata would take 6 bytes, at most 5 are allowed',
    );
    await store.put("a", "1");
    await store.put("b", "1");
    await refused(
      () => store.put("c", "1"),
      'Cannot save the note "c": there are 2 notes, at most 2 are kept',
    );
    // A store that was never asked before counts what others have put.
    const other = new RecordStore(stateDir, kind({ ...limits, totalBytes: 300 }));
    const full = await assertRejects(() => other.put("a", "x".repeat(20)), AppError);
    assert(/^Cannot save the note "a": all notes together would take/.test(full.message));
    assertEquals((await store.get("a"))?.text, "1");
    // What is full may be replaced by less, and emptied.
    await new RecordStore(stateDir, kind({ totalBytes: 1 })).put("a", "");
    await store.delete("b");
    await store.put("c", "1");
  }));

Deno.test("RecordStore names a damaged record and leaves the others alone", () =>
  withFolder(async (stateDir) => {
    const store = new RecordStore(stateDir, kind());
    const long = "long".repeat(50);
    for (const key of ["good", "cut", "garbage", "empty", "other", long]) await store.put(key, key);
    const path = (key: string) => `${stateDir}/notes/k-${key}.jsonl`;
    const whole = await Deno.readTextFile(path("cut"));
    await Deno.writeTextFile(path("cut"), whole.slice(0, -1));
    await Deno.writeTextFile(path("garbage"), "\0".repeat(10_000));
    await Deno.writeTextFile(path("empty"), "");
    await Deno.copyFile(path("good"), path("other"));
    for (const key of ["cut", "garbage", "empty", "other"]) {
      for (
        const ask of [() => store.get(key), () => store.info(key), () => store.swap(key, "x", null)]
      ) {
        const error = await assertRejects<AppError>(ask, AppError);
        assertEquals(
          error.describe(),
          `The note "${key}" is damaged on disk\n  hint: Save it again, or remove it with delete_note("${key}")`,
        );
      }
    }
    assertEquals((await store.get("good"))?.text, "good");
    const listed = await store.list();
    assertEquals(
      listed.map(({ key, error }) => [key, error !== undefined]),
      [["cut", true], ["empty", true], ["garbage", true], ["good", false], [long, false], [
        "other",
        true,
      ]],
    );
    await store.put("cut", "again");
    assertEquals(await store.delete("garbage"), true);
    assertEquals((await store.get("cut"))?.text, "again");
  }));

Deno.test("RecordStore clears away what a killed writer left, and counts anew", () =>
  withFolder(async (stateDir) => {
    const store = new RecordStore(stateDir, kind({ records: 2 }));
    await store.put("a", "1");
    await Deno.writeTextFile(`${stateDir}/notes/1234.draft`, "half of i");
    // Killed in the middle: the note is empty, and one more record is there.
    await Deno.copyFile(`${stateDir}/notes/k-a.jsonl`, `${stateDir}/notes/k-b.jsonl`);
    await Deno.writeTextFile(`${stateDir}/notes/lock`, "");
    await assertRejects(() => store.put("c", "1"), AppError, "there are 2 notes");
    assertEquals(await filesIn(`${stateDir}/notes`), ["k-a.jsonl", "k-b.jsonl", "lock"]);
  }));

Deno.test(
  "RecordStore keeps its files from other users",
  { ignore: Deno.build.os === "windows" },
  () =>
    withFolder(async (stateDir) => {
      await new RecordStore(`${stateDir}/state`, kind()).put("a", "1");
      const mode = async (path: string) => (await Deno.stat(`${stateDir}/${path}`)).mode! & 0o777;
      assertEquals(
        await Promise.all(
          ["state", "state/notes", "state/notes/k-a.jsonl", "state/notes/lock"].map(mode),
        ),
        [0o700, 0o700, 0o600, 0o600],
      );
    }),
);

Deno.test("RecordStore says so where there is no folder, and names no path", () =>
  withFolder(async (stateDir) => {
    const none = new RecordStore(undefined, kind());
    for (
      const ask of [
        () => none.get("a"),
        () => none.put("a", "1"),
        () => none.list(),
        () => none.delete("a"),
      ]
    ) {
      const error = await assertRejects(ask, AppError, "No state folder is known");
      assertEquals(error.hint, "Set MCP_BRIDGE_STATE_DIR");
    }
    const file = `${stateDir}/file`;
    await Deno.writeTextFile(file, "");
    const blocked = new RecordStore(file, kind());
    for (const ask of [() => blocked.get("a"), () => blocked.put("a", "1"), () => blocked.list()]) {
      const { message } = await assertRejects(ask, AppError, "The state folder cannot be");
      assert(!message.includes(stateDir), message);
    }
  }));
