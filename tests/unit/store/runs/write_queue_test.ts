import { assertEquals } from "@std/assert";
import type { RunFiles, RunTexts } from "../../../../src/store/runs/run_files.ts";
import { WriteQueue } from "../../../../src/store/runs/write_queue.ts";
import { pause } from "../../../support/figures.ts";

function setUp(maxRuns = 50) {
  const written: string[] = [];
  let batches = 0;
  const queue = new WriteQueue(maxRuns, () => {
    batches++;
    return Promise.resolve();
  });
  const files = {
    write: ({ code }: RunTexts) => {
      written.push(code.slice(0, 10));
      return code === "bad" ? Promise.reject(new Error("no")) : Promise.resolve();
    },
  } as unknown as RunFiles;
  const push = (code: string) => queue.push(files, { code, stdout: "", stderr: "" });
  return { queue, push, written, batches: () => batches };
}

Deno.test("WriteQueue writes soon, and not at once", async () => {
  const { queue, push, written } = setUp();
  push("a");
  assertEquals(written, []);
  await pause(200);
  assertEquals(written, ["a"]);
  await queue.settled();
});

Deno.test("WriteQueue writes runs that follow each other in one go, in their order", async () => {
  const { queue, push, written, batches } = setUp();
  for (const code of ["a", "bad", "c"]) push(code);
  await queue.settled();
  assertEquals([written, batches()], [["a", "bad", "c"], 1]);
});

Deno.test("WriteQueue does not write what would be removed at once", async () => {
  const { queue, push, written } = setUp(2);
  for (const code of ["a", "b", "c"]) push(code);
  await queue.settled();
  assertEquals(written, ["b", "c"]);
});

Deno.test("WriteQueue writes within a second or so, however many runs follow", async () => {
  const { queue, push, written } = setUp(1_000_000);
  const until = performance.now() + 5000;
  for (; written.length === 0 && performance.now() < until; await pause(2)) push("a");
  assertEquals(written[0], "a");
  await queue.settled();
});

Deno.test("WriteQueue does not hold much text", async () => {
  const { queue, push, written } = setUp();
  push("x".repeat(5_000_000));
  await pause(0);
  assertEquals(written.length, 1);
  await queue.settled();
});
