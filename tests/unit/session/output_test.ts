import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { OutputCollector } from "../../../src/session/output.ts";
import { RunStore } from "../../../src/store/runs/run_store.ts";

async function withStore(body: (store: RunStore) => void | Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "mcp-bridge-test-" });
  try {
    await body(new RunStore(folder));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("OutputCollector gives output within its budget as it was and stores nothing", async () => {
  await withStore(async (store) => {
    const output = new OutputCollector(100, store.newRun());
    output.append("stdout", "a\n");
    output.append("stderr", "b\n");
    output.append("stdout", "c\n");
    const { stdout, stderr, notes, artifacts } = output.finish();
    assertEquals({ stdout, stderr, notes, artifacts }, {
      stdout: "a\nc\n",
      stderr: "b\n",
      notes: [],
      artifacts: [],
    });
    assertEquals(await store.list(), { artifacts: [] });
  });
});

Deno.test("OutputCollector stores the whole of both streams once they are over the budget", async () => {
  await withStore(async (store) => {
    const output = new OutputCollector(100, store.newRun());
    const lines = Array.from({ length: 1000 }, (_, at) => `line ${at}\n`);
    output.append("stderr", "warning\n");
    for (const line of lines) output.append("stdout", line);
    const { stdout, stderr, notes, artifacts } = output.finish();
    assertEquals(stderr, "warning\n");
    assertMatch(stdout, /^line 0\n[\s\S]*\nline 999\n$/);
    assertMatch(
      notes[0]!,
      /^\[… [\d,]+ characters in [\d,]+ lines of stdout cut; the whole text is runtime\.output\(-1\) in the next call, and in resource:/,
    );
    assertStringIncludes(stdout, notes[0]!);
    assert(stdout.length < 100 + notes[0]!.length + 10);
    assertEquals(artifacts.map(({ name }) => name), ["stdout.txt", "stderr.txt"]);
    const run = artifacts[0]!.uri.split("/").at(-2)!;
    const read = await store.read(run, "stdout.txt", 0, 1_000_000);
    assertEquals(new TextDecoder().decode(read!.bytes), lines.join(""));
  });
});

Deno.test("OutputCollector leaves room for stderr beside a flood of stdout", async () => {
  await withStore((store) => {
    const output = new OutputCollector(1000, store.newRun());
    output.append("stdout", "x\n".repeat(100_000));
    output.append("stderr", "e\n".repeat(100_000));
    const { stdout, stderr, notes } = output.finish();
    assert(stderr.length > 200 && stderr.length < 550, String(stderr.length));
    assert(stdout.length > 600 && stdout.length < 1000, String(stdout.length));
    assertMatch(notes[1]!, /of stderr cut; .* runtime\.output\(-1, stream="stderr"\) in the next/);
  });
});

Deno.test("OutputCollector says why the whole text was not kept", () => {
  const output = new OutputCollector(10, new RunStore(undefined).newRun());
  output.append("stdout", "x".repeat(100));
  const { notes, artifacts } = output.finish();
  assertEquals(artifacts, []);
  assertMatch(notes[0]!, /not kept: No state folder is known/);
});

Deno.test("OutputCollector keeps nothing of messages without text", () => {
  const output = new OutputCollector(100, new RunStore(undefined).newRun());
  const before = Deno.memoryUsage().heapUsed;
  for (let at = 0; at < 1_000_000; at++) output.append("stdout", "");
  assert(Deno.memoryUsage().heapUsed - before < 20_000_000);
  assertEquals(output.finish().stdout, "");
});
