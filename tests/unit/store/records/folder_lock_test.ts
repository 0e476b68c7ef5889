import { assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../../../src/shared/errors.ts";
import { FolderLock } from "../../../../src/store/records/folder_lock.ts";

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "mcp-bridge-test-" });
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("FolderLock lets one in at a time and hands on the note", () =>
  withFolder(async (folder) => {
    const locks = [new FolderLock(folder), new FolderLock(folder)];
    let inside = 0;
    const seen: string[] = [];
    await Promise.all(Array.from({ length: 20 }, (_, i) =>
      locks[i % 2]!.hold(async (note) => {
        assertEquals(++inside, 1);
        seen.push(note);
        await pause(1);
        inside--;
        return { note: String(seen.length), result: undefined };
      })));
    assertEquals(seen, ["", ...Array.from({ length: 19 }, (_, i) => String(i + 1))]);
  }));

Deno.test("FolderLock hands on an empty note after work that failed", () =>
  withFolder(async (folder) => {
    const lock = new FolderLock(folder);
    await lock.hold(() => Promise.resolve({ note: "kept", result: undefined }));
    await assertRejects(() => lock.hold(() => Promise.reject(new Error("no"))), Error, "no");
    const note = await lock.hold((note) => Promise.resolve({ note, result: note }));
    assertEquals(note, "");
  }));

Deno.test("FolderLock gives up on a writer that does not end, and works again after it", () =>
  withFolder(async (folder) => {
    const [slow, patient] = [new FolderLock(folder), new FolderLock(folder, 50)];
    const { promise, resolve } = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const long = slow.hold(async () => {
      entered.resolve();
      await promise;
      return { note: "done", result: undefined };
    });
    await entered.promise;
    const ask = () => patient.hold((note) => Promise.resolve({ note, result: note }));
    // The first waits for the system, the second for the first.
    const refused = [
      assertRejects(ask, AppError, "is busy"),
      assertRejects(ask, AppError, "is busy"),
    ];
    await Promise.all(refused);
    resolve();
    await long;
    await pause(20);
    assertEquals(await ask(), "done");
  }));

Deno.test("FolderLock throws where there is no folder, each time", async () => {
  const lock = new FolderLock("/no/such/folder");
  const ask = () => lock.hold((note) => Promise.resolve({ note, result: note }));
  await assertRejects(ask, Deno.errors.NotFound);
  await assertRejects(ask, Deno.errors.NotFound);
});
