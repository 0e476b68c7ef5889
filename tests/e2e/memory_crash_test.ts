import { assert, assertEquals } from "@std/assert";
import { MemoryStore } from "../../src/store/records/memory_store.ts";

const WRITER = new URL("../fixtures/memory_writer.ts", import.meta.url).pathname;
const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

/** Long enough that many kills fall between the first and the last byte of a write. */
const PADDING = 6_000_000;
const KILLS = 20;

/** Starts a writer, kills it after a while, and gives the last save it spoke of. */
async function writeUntilKilled(stateDir: string, first: number): Promise<number> {
  const args = [
    "run",
    "-A",
    "--no-lock",
    "--config",
    CONFIG,
    WRITER,
    stateDir,
    `${first}`,
    `${PADDING}`,
  ];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "inherit" })
    .spawn();
  let said = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += text;
    // Each of the three was saved once.
    if (said.split("\n").length < 4) continue;
    timer ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * 100);
  }
  await child.status;
  return Number(said.trimEnd().split("\n").at(-1));
}

Deno.test("a writer that is killed leaves whole memories, and every one it spoke of", async () => {
  const stateDir = await Deno.makeTempDir({ prefix: "mcp-bridge-test-" });
  try {
    let next = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const last = await writeUntilKilled(stateDir, next);
      const store = new MemoryStore(stateDir);
      for (
        const [key, least] of [0, 1, 2].map((age) => [`k${(last - age) % 3}`, last - age] as const)
      ) {
        const { text } = (await store.get(key))!;
        const count = Number(text.slice(0, text.indexOf(" ")));
        // Only the save after the last one it spoke of may be there or not.
        assert(count === least || (count === last + 1 && least === last - 2), `${count}, ${last}`);
        assertEquals(text.length, `${count} `.length + PADDING);
      }
      next = last + 2;
      // The lock went with its owner, and so do the drafts.
      await store.put("other", "1");
      const names = (await Array.fromAsync(Deno.readDir(`${stateDir}/memory`))).map(({ name }) =>
        name
      );
      const whole = ["k-k0.jsonl", "k-k1.jsonl", "k-k2.jsonl", "k-other.jsonl", "lock"];
      assertEquals(names.sort(), whole);
    }
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});
