/** A state folder that is full, cannot be written or goes away: what is lost is told, what comes next is kept. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { AppError } from "../../src/shared/errors.ts";
import { OutputCollector } from "../../src/session/output.ts";
import { RunHistory } from "../../src/store/runs/run_history.ts";
import { RunStore } from "../../src/store/runs/run_store.ts";
import { inFolder } from "../support/temp_folder.ts";

/** Text that does not fit. */
const LONG = "x".repeat(2_000_000);

async function command(name: string, ...args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(name, { args, stderr: "null", stdout: "null" }).output())
      .success;
  } catch {
    return false;
  }
}

/** Mounts a file system of 1 MB there; only root can, and not in every container. */
const mount = (folder: string) => command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder);
const unmount = (folder: string) => command("umount", folder);

let canMount = false;
await inFolder(async (folder) => {
  canMount = await mount(folder) && await unmount(folder);
});
if (!canMount) {
  // deno-lint-ignore no-console
  console.log("Skipped the tests of a full disk: no file system can be mounted here");
}

async function onSmallDisk(work: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await mount(folder);
    try {
      await work(folder);
    } finally {
      await unmount(folder);
    }
  });
}

/** A session's runs, as `run.ts` and `session.ts` keep them. */
class Runs {
  readonly #store: RunStore;
  readonly #history: RunHistory;

  constructor(folder: string) {
    this.#store = new RunStore(folder);
    this.#history = new RunHistory(this.#store);
  }

  /** Keeps a run that printed `stdout`, and gives the notes of its answer. */
  async add(stdout: string, budget = 10_000_000): Promise<string[]> {
    using files = this.#store.newRun();
    const output = new OutputCollector(budget, files);
    output.append("stdout", stdout);
    const { notes } = output.finish();
    this.#store.keep(files, { code: "x", stdout, stderr: "" });
    this.#history.add(files.run);
    await this.#store.settled();
    return notes;
  }

  /** What `runtime.output(-1)` reads. */
  async last(): Promise<string> {
    const { bytes } = await this.#history.read(-1, "stdout", 0, 10_000_000);
    return new TextDecoder().decode(bytes);
  }
}

Deno.test({
  name: "output that a full disk did not take is an error to read, and no shorter text",
  ignore: !canMount,
  fn: () =>
    onSmallDisk(async (folder) => {
      const runs = new Runs(folder);
      await runs.add("before");
      await runs.add(LONG);
      await assertRejects(
        () => runs.last(),
        AppError,
        "The stdout.txt of that run was not kept: The disk of the state folder is full",
      );
      await runs.add("after");
      assertEquals(await runs.last(), "after");
    }),
});

Deno.test({
  name:
    "output over its budget that a full disk did not take is told twice: in the answer, and when it is read",
  ignore: !canMount,
  fn: () =>
    onSmallDisk(async (folder) => {
      const runs = new Runs(folder);
      const [note] = await runs.add(LONG, 1000);
      assertMatch(note ?? "", /not kept: The disk of the state folder is full/);
      await assertRejects(() => runs.last(), AppError, "The disk of the state folder is full");
      await runs.add("after", 1000);
      assertEquals(await runs.last(), "after");
    }),
});

Deno.test({
  name: "a state folder that has become read-only is told",
  ignore: !canMount,
  fn: () =>
    onSmallDisk(async (folder) => {
      const runs = new Runs(folder);
      await runs.add("before");
      await command("mount", "-o", "remount,ro", folder);
      await runs.add("x");
      await assertRejects(() => runs.last(), AppError, "The state folder cannot be written");
      await command("mount", "-o", "remount,rw", folder);
      await runs.add("after");
      assertEquals(await runs.last(), "after");
    }),
});

Deno.test("a state folder that cannot be made is told", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    const runs = new Runs(`${folder}/file`);
    await runs.add("x");
    await assertRejects(() => runs.last(), AppError, "The state folder cannot be written");
  }));

Deno.test("a state folder that is removed is told, and made again", () =>
  inFolder(async (folder) => {
    const runs = new Runs(`${folder}/state`);
    await runs.add("before");
    await Deno.remove(`${folder}/state`, { recursive: true });
    await assertRejects(() => runs.last(), AppError, "it is not kept");
    await runs.add("after");
    assertEquals(await runs.last(), "after");
  }));
