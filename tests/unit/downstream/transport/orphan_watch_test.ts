import { assertEquals, assertThrows } from "@std/assert";
import { OrphanWatch } from "../../../../src/downstream/transport/orphan_watch.ts";
import { settledWithin } from "../../../../src/shared/deadline.ts";

const ignore = Deno.build.os === "windows";
const WATCHING = new URL("../../../fixtures/watched_groups.ts", import.meta.url).pathname;

/** Programs that end by no signal they can refuse, each the first of a group. */
function stubborn(count: number): Deno.ChildProcess[] {
  const args = ["-c", "trap '' TERM; while :; do sleep 0.2; done"];
  const pipes = { stdin: "null", stdout: "null", stderr: "null" } as const;
  return Array.from(
    { length: count },
    () => new Deno.Command("/bin/sh", { args, detached: true, ...pipes }).spawn(),
  );
}

Deno.test({
  name: "OrphanWatch ends the groups of a process that was killed, but for those it let go of",
  ignore,
  async fn() {
    const children = stubborn(4);
    const args = ["run", "-A", "--quiet", WATCHING, ...children.map(({ pid }) => String(pid))];
    const process = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
    const reader = process.stdout.getReader();
    await reader.read();
    process.kill("SIGKILL");
    await process.status;
    await reader.cancel();
    const [kept, ...ended] = children;
    const isOver = await settledWithin(Promise.all(ended.map(({ status }) => status)), 15_000);
    const isKept = !await settledWithin(kept!.status, 500);
    for (const { pid } of isOver ? [kept!] : children) Deno.kill(-pid, "SIGKILL");
    await Promise.all(children.map(({ status }) => status));
    assertEquals({ isOver, isKept }, { isOver: true, isKept: true });
  },
});

Deno.test({
  name: "OrphanWatch leaves nothing behind when all it watched over has ended",
  ignore,
  async fn() {
    // The test runner tells of a process that is left.
    const [child] = stubborn(1);
    const watch = new OrphanWatch();
    watch.add(child!.pid);
    Deno.kill(-child!.pid, "SIGKILL");
    await child!.status;
    await watch.remove(child!.pid);
    await watch.remove(child!.pid);
  },
});

Deno.test("OrphanWatch takes no number that means others", () => {
  for (const group of [-1, NaN, 1.5, Infinity]) {
    assertThrows(() => new OrphanWatch().add(group), RangeError, "No process group");
  }
});
