/** A damaged snapshot costs the user one slow start and nothing else. */
import {
  assert,
  assertEquals,
  assertNotMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { BridgeHome } from "../support/bridge_home.ts";
import { cacheDir, wasmTarget } from "../support/engines.ts";
import { DEFAULT_POLICY } from "../../src/engine/policy.ts";
import { snapshotKey } from "../../src/engine/wasm/snapshot_cache.ts";
import { WasmEngine, type WasmEngineOptions } from "../../src/engine/wasm/wasm_engine.ts";
import { loadDenoEnvironment } from "../../src/config/load.ts";
import { AppError } from "../../src/shared/errors.ts";
import { createLogger } from "../../src/shared/log.ts";
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

/** An engine over an intact snapshot, started once in vain: its error, its log, whether the file is another. */
async function startInVain(options: Partial<WasmEngineOptions>) {
  await using home = new BridgeHome();
  const { path, env } = await copySnapshot(home);
  const before = await Deno.stat(path);
  const log: string[] = [];
  const engine = new WasmEngine({
    cacheDir: env.MCP_BRIDGE_CACHE_DIR,
    denoEnv: loadDenoEnvironment(),
    log: createLogger("info", (line) => log.push(line)),
    ...options,
  });
  const error = await assertRejects(() => engine.start(DEFAULT_POLICY), AppError);
  const after = await Deno.stat(path);
  const untouched = after.ino === before.ino && after.mtime?.getTime() === before.mtime?.getTime();
  return { error: error.describe(), log: log.join("\n"), untouched };
}

Deno.test("a start that takes too long is said so and leaves the snapshot alone", async () => {
  const { error, log, untouched } = await startInVain({ startTimeoutMs: 1 });
  assertEquals(
    error,
    "Cannot start the embedded Python in time: it was not ready within 0.001s\n  hint: The machine is busy: try again",
  );
  assertEquals(log, "mcp-bridge error: A sandbox did not start: it was not ready within 0.001s");
  assert(untouched);
});

Deno.test("a child whose modules are missing leaves the snapshot alone", async () => {
  await using home = new BridgeHome();
  const { error, log, untouched } = await startInVain({ denoEnv: { DENO_DIR: home.folder } });
  assertStringIncludes(error, "Cannot start the embedded Python");
  assertStringIncludes(
    log,
    "so its modules are looked for: the sandbox ended unexpectedly (code 1)",
  );
  assertNotMatch(log, /snapshot/);
  assert(untouched);
});

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
