/** A damaged snapshot costs the user one slow start and nothing else. */
import { assert, assertEquals, assertNotMatch, assertStringIncludes } from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { cacheDir, wasmTarget } from "../support/engines.ts";
import { DEFAULT_POLICY } from "../../src/engine/policy.ts";
import { snapshotKey } from "../../src/engine/wasm/snapshot_cache.ts";
import { StdioClient } from "../support/stdio_client.ts";

const DAMAGES: ReadonlyArray<[what: string, damage: (path: string) => Promise<void>]> = [
  ["cut in half", async (path) => await Deno.truncate(path, (await Deno.stat(path)).size / 2)],
  ["with one wrong byte in the middle", async (path) => {
    using file = await Deno.open(path, { read: true, write: true });
    const middle = Math.floor((await file.stat()).size / 2);
    const byte = new Uint8Array(1);
    await file.seek(middle, Deno.SeekMode.Start);
    await file.read(byte);
    await file.seek(middle, Deno.SeekMode.Start);
    await file.write(byte.map((value) => value ^ 0xff));
  }],
  ["that is empty", async (path) => await Deno.truncate(path, 0)],
];

for (const [what, damage] of DAMAGES) {
  Deno.test(`a snapshot ${what} is repaired by the next start`, async () => {
    await using home = new BridgeHome();
    const { path, env } = await copySnapshot(home);
    const intact = await Deno.readFile(path);
    await damage(path);
    {
      await using client = await StdioClient.connect(home, { env });
      assertEquals(await client.text("print('ran')"), "ran", client.stderr);
      assertStringIncludes(client.stderr, "its snapshot is built anew");
    }
    assertEquals((await Deno.stat(path)).size, intact.length);
    await using client = await StdioClient.connect(home, { env });
    assertEquals(await client.text("print('ran')"), "ran", client.stderr);
    assertNotMatch(client.stderr, /mcp-bridge/);
    const names = await Array.fromAsync(Deno.readDir(`${home.folder}/cache/wasm`));
    assertEquals(names.length, 1);
  });
}

Deno.test("two servers that find no snapshot at the same time both get one", async () => {
  await using home = new BridgeHome();
  const env = { MCP_BRIDGE_CACHE_DIR: `${home.folder}/cache` };
  await using first = await StdioClient.connect(home, { env });
  await using second = await StdioClient.connect(home, { env });
  const texts = await Promise.all([first.text("print(1)"), second.text("print(2)")]);
  assertEquals(texts, ["1", "2"]);
  const [file, ...rest] = await Array.fromAsync(Deno.readDir(`${home.folder}/cache/wasm`));
  assert(file!.name.startsWith("snapshot-") && file!.name.endsWith(".bin"), file!.name);
  assertEquals(rest, []);
});

/** A cache with an intact snapshot of this version. */
async function copySnapshot(home: BridgeHome) {
  const name = `snapshot-${await snapshotKey()}.bin`;
  const original = `${cacheDir}/wasm/${name}`;
  // The first start of an engine builds it, if no other test has.
  await using _sandbox = await (await wasmTarget.create()).start(DEFAULT_POLICY);
  const path = `${home.folder}/cache/wasm/${name}`;
  await Deno.mkdir(`${home.folder}/cache/wasm`, { recursive: true });
  await Deno.copyFile(original, path);
  return { path, env: { MCP_BRIDGE_CACHE_DIR: `${home.folder}/cache` } };
}
