import { assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../../../src/shared/errors.ts";
import { RunHistory } from "../../../../src/store/runs/run_history.ts";
import { RunStore } from "../../../../src/store/runs/run_store.ts";
import { inFolder } from "../../../support/temp_folder.ts";
import { Chance } from "../../../faults/chance.ts";
import { DAMAGES } from "../../../faults/damages.ts";

function addRun(store: RunStore, history: RunHistory, stdout: string): string {
  using files = store.newRun();
  store.keep(files, { code: "x", stdout, stderr: "" });
  history.add(files.run);
  return files.run;
}

async function text(history: RunHistory, back: number, offset = 0, length = 100): Promise<string> {
  const { bytes } = await history.read(back, "stdout", offset, length);
  return new TextDecoder().decode(bytes);
}

Deno.test("RunHistory reads what earlier runs printed, the last one first", () =>
  inFolder(async (folder) => {
    const store = new RunStore(folder);
    const history = new RunHistory(store);
    addRun(store, history, "first");
    addRun(store, history, "");
    addRun(store, history, "third");
    assertEquals(await text(history, -1), "third");
    assertEquals(await text(history, -2), "");
    assertEquals(await text(history, -3, 1, 3), "irs");
    assertEquals((await history.read(-3, "stdout", 0, 1)).size, 5);
  }));

Deno.test("RunHistory knows no run of another session", () =>
  inFolder(async (folder) => {
    const store = new RunStore(folder);
    addRun(store, new RunHistory(store), "secret");
    const history = new RunHistory(store);
    await assertRejects(() => text(history, -1), AppError, "this is the first run of the session");
    addRun(store, history, "mine");
    await assertRejects(() => text(history, -2), AppError, "the session has 1 earlier runs");
  }));

Deno.test("RunHistory says so when a run is not kept any more", () =>
  inFolder(async (folder) => {
    const store = new RunStore(folder);
    const history = new RunHistory(store);
    const run = addRun(store, history, "x");
    await store.settled();
    await Deno.remove(`${folder}/runs/${run}`, { recursive: true });
    await assertRejects(() => text(history, -1), AppError, "it is not kept; only the last 50 runs");
  }));

for (const stdout of ["printed", "x".repeat(3_000_000)]) {
  for (const { name, apply } of DAMAGES) {
    Deno.test(`RunHistory names a run whose output of ${stdout.length} is damaged: ${name}`, () =>
      inFolder(async (folder) => {
        const store = new RunStore(folder);
        const history = new RunHistory(store);
        addRun(store, history, "first");
        const run = addRun(store, history, stdout);
        await store.settled();
        await apply(`${folder}/runs/${run}/stdout.txt`, new Chance(1));
        await assertRejects(() => text(history, -1), AppError, "the output of run -1: ");
        assertEquals(await text(history, -2), "first");
      }));
  }
}

Deno.test("RunHistory names a run whose output was damaged after a part of it was read", () =>
  inFolder(async (folder) => {
    const store = new RunStore(folder);
    const history = new RunHistory(store);
    const run = addRun(store, history, "printed");
    assertEquals(await text(history, -1, 0, 2), "pr");
    await Deno.truncate(`${folder}/runs/${run}/stdout.txt`, 3);
    await assertRejects(() => text(history, -1, 2, 2), AppError, "the output of run -1: ");
  }));

Deno.test("RunHistory knows that a run printed nothing, whatever became of its other files", () =>
  inFolder(async (folder) => {
    const store = new RunStore(folder);
    const history = new RunHistory(store);
    const run = addRun(store, history, "");
    await store.settled();
    await Deno.remove(`${folder}/runs/${run}/run_python.py`);
    assertEquals(await text(history, -1), "");
  }));
