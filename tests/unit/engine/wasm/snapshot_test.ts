import { assertEquals, assertRejects } from "@std/assert";
import { SnapshotCache, snapshotKey } from "../../../../src/engine/wasm/snapshot_cache.ts";
import { isIntact, withDigest, withoutDigest } from "../../../../src/engine/wasm/snapshot_file.ts";
import { distrust } from "../../../../src/engine/wasm/snapshot_trust.ts";
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
    const build = () => Promise.reject(new AppError("no"));
    await assertRejects(
      () => new SnapshotCache({ folder, build, log: quiet() }).ensure(),
      AppError,
    );
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});

const WINDOWS = Deno.build.os === "windows";
const NOBODY = 65534;

/** A cache whose snapshot is stored, then changed; what the next start makes of it. */
async function changed(change: (folder: string, path: string) => Promise<void>) {
  let outcome: { used: boolean; builds: number; warnings: string[]; mode: number } | undefined;
  await inFolder(async (folder) => {
    let builds = 0;
    const build = () => Promise.resolve((builds++, bytes));
    const path = (await new SnapshotCache({ folder, build, log: quiet() }).ensure())!;
    await change(folder, path);
    const warnings: string[] = [];
    const cache = new SnapshotCache({ folder, build, log: quiet(warnings) });
    const found = [await cache.ensure(), await cache.ensure()];
    const { mode } = await Deno.stat(path);
    outcome = {
      used: found.every((one) => one === path),
      builds,
      warnings: warnings.map((text) => text.replaceAll(folder, "FOLDER")),
      mode: mode! & 0o777,
    };
  });
  return outcome!;
}

Deno.test({
  name: "SnapshotCache uses a file that only its owner can write",
  ignore: WINDOWS,
  async fn() {
    assertEquals(await changed((_folder, path) => Deno.chmod(path, 0o644)), {
      used: true,
      builds: 1,
      warnings: [],
      mode: 0o644,
    });
  },
});

const ANEW = "The Python snapshot is not used but built anew: the file";
const SLOW = "Cannot keep the Python snapshot, so every sandbox starts slowly: its folder";

for (const mode of [0o620, 0o602]) {
  Deno.test({
    name: `SnapshotCache builds a file of mode ${mode.toString(8)} anew`,
    ignore: WINDOWS,
    async fn() {
      assertEquals(await changed((_folder, path) => Deno.chmod(path, mode)), {
        used: true,
        builds: 2,
        warnings: [`${ANEW} can be written by others`],
        mode: 0o600,
      });
    },
  });
}

Deno.test({
  name: "SnapshotCache keeps nothing in a folder that others can write, and says so once",
  ignore: WINDOWS,
  async fn() {
    assertEquals(await changed((folder) => Deno.chmod(folder, 0o770)), {
      used: false,
      builds: 1,
      warnings: [`${SLOW} can be written by others\n  hint: Run chmod go-w "FOLDER"`],
      mode: 0o600,
    });
  },
});

Deno.test({
  name: "SnapshotCache builds a file of another user anew",
  // Only root can give a file away.
  ignore: Deno.uid() !== 0,
  async fn() {
    assertEquals(await changed((_folder, path) => Deno.chown(path, NOBODY, NOBODY)), {
      used: true,
      builds: 2,
      warnings: [`${ANEW} belongs to another user`],
      mode: 0o600,
    });
  },
});

Deno.test({
  name: "SnapshotCache keeps nothing in a folder of another user, and says so once",
  ignore: Deno.uid() !== 0,
  async fn() {
    assertEquals(await changed((folder) => Deno.chown(folder, NOBODY, NOBODY)), {
      used: false,
      builds: 1,
      warnings: [
        `${SLOW} belongs to another user\n  hint: Let MCP_BRIDGE_CACHE_DIR name a folder of your own`,
      ],
      mode: 0o600,
    });
  },
});

Deno.test("distrust() trusts us and root, and finds nothing wrong where there are no owners", () => {
  assertEquals(distrust({ uid: 1000, mode: 0o100600 }, 1000), undefined);
  assertEquals(distrust({ uid: 0, mode: 0o100644 }, 1000), undefined);
  assertEquals(distrust({ uid: 0, mode: 0o100644 }, null), undefined);
  assertEquals(distrust({ uid: null, mode: null }, null), undefined);
  assertEquals(distrust({ uid: 1000, mode: 0o100600 }, null), "belongs to another user");
  assertEquals(distrust({ uid: 1000, mode: 0o100664 }, 1000), "can be written by others");
});

Deno.test({
  name:
    "findOwnUid() is the user, also where only the folder itself can be written, and leaves nothing",
  ignore: WINDOWS,
  async fn() {
    await inFolder(async (folder) => {
      const script = `import { findOwnUid } from ${
        JSON.stringify(
          new URL("../../../../src/engine/wasm/snapshot_trust.ts", import.meta.url).href,
        )
      }; console.log(await findOwnUid(Deno.args[0]));`;
      for (const TMPDIR of [folder, `${folder}/missing`]) {
        const { stdout } = await new Deno.Command(Deno.execPath(), {
          args: ["eval", "--no-check", script, folder],
          env: { TMPDIR },
        }).output();
        assertEquals(new TextDecoder().decode(stdout).trim(), String(Deno.uid()));
      }
      assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
    });
  },
});

for (const name of ["empty", "link", "mode 000", "folder"]) {
  Deno.test({
    name: `SnapshotCache takes no ${name} for a snapshot`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      inFolder(async (folder) => {
        let builds = 0;
        const build = () => Promise.resolve((builds++, bytes));
        const create = () => new SnapshotCache({ folder, build, log: quiet() });
        const path = (await create().ensure())!;
        if (name === "mode 000") await Deno.chmod(path, 0);
        else await Deno.remove(path);
        if (name === "empty") await Deno.writeTextFile(path, "");
        if (name === "link") await Deno.symlink("/proc/self/pagemap", path);
        if (name === "folder") await Deno.mkdir(path);
        const found = await create().ensure();
        // Nothing is built that could not be kept; what is empty is found out by the child.
        assertEquals(
          [found, builds],
          {
            empty: [path, 1],
            link: [path, 2],
            "mode 000": [path, 2],
            folder: [undefined, 1],
          }[name],
        );
        if (name === "link") assertEquals((await Deno.lstat(path)).isFile, true);
      }),
  });
}
