import { assert, assertEquals, assertThrows } from "@std/assert";
import { AppError } from "../../../src/shared/errors.ts";
import { RunStore } from "../../../src/store/run_store.ts";

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "mcp-bridge-test-" });
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

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
    assertEquals(await store.list(), [file]);
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

Deno.test("RunStore keeps the last 50 runs", async () => {
  await inFolder(async (folder) => {
    const store = new RunStore(folder);
    for (let at = 0; at < 55; at++) {
      using files = store.newRun();
      files.append("stdout.txt", String(at));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stored = await store.list();
    assertEquals(stored.length, 50);
    const newest = await store.read(stored[0]!.uri.split("/").at(-2)!, "stdout.txt", 0, 10);
    assertEquals(new TextDecoder().decode(newest!.bytes), "54");
  });
});

Deno.test("RunFiles stops at the size of a run and says so", async () => {
  await inFolder((folder) => {
    using files = new RunStore(folder).newRun();
    const piece = "x".repeat(64 * 1024 * 1024);
    for (let at = 0; at < 4; at++) files.append("stdout.txt", piece);
    assertEquals(files.isFull, false);
    files.append("stdout.txt", "one more");
    assertEquals(files.isFull, true);
    assertEquals(files.close("stdout.txt")!.size, 256 * 1024 * 1024);
    return Promise.resolve();
  });
});

Deno.test("RunFiles says so when there is no folder", () => {
  const files = new RunStore(undefined).newRun();
  assertThrows(() => files.append("stdout.txt", "x"), AppError, "No state folder is known");
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
