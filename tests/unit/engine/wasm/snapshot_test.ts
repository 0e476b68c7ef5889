import { assertEquals, assertRejects } from "@std/assert";
import { SnapshotCache, snapshotKey } from "../../../../src/engine/wasm/snapshot_cache.ts";
import { isIntact, withDigest, withoutDigest } from "../../../../src/engine/wasm/snapshot_file.ts";
import { AppError } from "../../../../src/shared/errors.ts";
import type { Logger } from "../../../../src/shared/log.ts";

const bytes = new Uint8Array([1, 2, 3, 4]);

function quiet(warnings: string[] = []): Logger {
  const ignore = () => {};
  return { debug: ignore, info: ignore, warn: (text) => warnings.push(text), error: ignore };
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "mcp-bridge-test-" });
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("isIntact() knows the file that withDigest() made", async () => {
  const file = new Uint8Array(await withDigest(bytes));
  assertEquals(await isIntact(file), true);
  assertEquals(withoutDigest(file), bytes);
});

for (const at of [0, 3, 4, 35]) {
  Deno.test(`isIntact() notices a flipped bit in byte ${at}`, async () => {
    const file = new Uint8Array(await withDigest(bytes));
    file[at]! ^= 1;
    assertEquals(await isIntact(file), false);
  });
}

Deno.test("isIntact() refuses a file that is empty or cut off", async () => {
  const file = new Uint8Array(await withDigest(bytes));
  assertEquals(await isIntact(new Uint8Array()), false);
  assertEquals(await isIntact(file.slice(0, 20)), false);
  assertEquals(await isIntact(file.slice(0, 35)), false);
});

Deno.test("SnapshotCache builds once and finds it again", async () => {
  await inFolder(async (folder) => {
    let builds = 0;
    const build = () => Promise.resolve((builds++, bytes));
    const first = await new SnapshotCache({ folder, build, log: quiet() }).ensure();
    const second = await new SnapshotCache({ folder, build, log: quiet() }).ensure();
    assertEquals([first, second, builds], [first, first, 1]);
    assertEquals(first, `${folder}/snapshot-${await snapshotKey()}.bin`);
    assertEquals(await isIntact(await Deno.readFile(first!)), true);
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).length, 1);
  });
});

Deno.test("SnapshotCache builds once for two that ask at the same time", async () => {
  await inFolder(async (folder) => {
    let builds = 0;
    const cache = new SnapshotCache({
      folder,
      build: () => Promise.resolve((builds++, bytes)),
      log: quiet(),
    });
    await Promise.all([cache.rebuild(), cache.rebuild()]);
    assertEquals(builds, 1);
  });
});

Deno.test("SnapshotCache does without a snapshot when the folder cannot be made", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    const warnings: string[] = [];
    let builds = 0;
    const cache = new SnapshotCache({
      folder: `${folder}/file/below`,
      build: () => Promise.resolve((builds++, bytes)),
      log: quiet(warnings),
    });
    assertEquals([await cache.ensure(), await cache.ensure()], [undefined, undefined]);
    assertEquals([builds, warnings.length], [0, 1]);
  });
});

Deno.test("SnapshotCache leaves nothing behind when the build fails", async () => {
  await inFolder(async (folder) => {
    const build = () => Promise.reject(new AppError("engine_snapshot", "no"));
    await assertRejects(
      () => new SnapshotCache({ folder, build, log: quiet() }).ensure(),
      AppError,
    );
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});
