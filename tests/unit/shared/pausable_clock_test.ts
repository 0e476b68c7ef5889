import { assert, assertEquals } from "@std/assert";
import { PausableClock } from "../../../src/shared/pausable_clock.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** When an alarm of 50 ms rings, with what a test does to the clock meanwhile. */
async function ringsAfter(clock: PausableClock, meanwhile: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.after(50, resolve);
  await Promise.all([promise, meanwhile()]);
  return performance.now() - startedAt;
}

Deno.test("PausableClock does not count the time it stands still", async () => {
  const clock = new PausableClock(60_000);
  const before = clock.now();
  const ms = await ringsAfter(clock, async () => {
    const goOn = clock.pause();
    const stopped = clock.now();
    await sleep(200);
    assertEquals(clock.now(), stopped);
    goOn();
    goOn();
  });
  assert(ms >= 240, `${ms}`);
  assert(clock.now() - before < ms - 150);
});

Deno.test("PausableClock goes on when the last of several pauses is over", async () => {
  const clock = new PausableClock(60_000);
  const ms = await ringsAfter(clock, async () => {
    const [first, second] = [clock.pause(), clock.pause()];
    first();
    await sleep(150);
    second();
  });
  assert(ms >= 190, `${ms}`);
});

Deno.test("PausableClock stands still no longer than it may, over all pauses", async () => {
  const clock = new PausableClock(100);
  let goOn = () => {};
  const first = await ringsAfter(clock, () => {
    goOn = clock.pause();
    return Promise.resolve();
  });
  goOn();
  assert(first >= 140 && first < 1500, `${first}`);
  const second = await ringsAfter(clock, () => {
    goOn = clock.pause();
    return Promise.resolve();
  });
  goOn();
  assert(second < 1500, `${second}`);
});

Deno.test("PausableClock takes an alarm back, also while it stands still", async () => {
  const clock = new PausableClock(60_000);
  let rung = false;
  const takeBack = clock.after(1, () => rung = true);
  const goOn = clock.pause();
  takeBack();
  goOn();
  await sleep(20);
  assertEquals(rung, false);
});

Deno.test("PausableClock rings its alarms in their order, whatever order they were set in", async () => {
  const clock = new PausableClock(60_000);
  const rung: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.after(120, resolve);
  clock.after(80, () => rung.push("late"));
  clock.after(1, () => rung.push("early"));
  clock.after(40, () => rung.push("between"));
  await promise;
  assertEquals(rung, ["early", "between", "late"]);
});

Deno.test("PausableClock rings alarms that are due together in their order", async () => {
  const clock = new PausableClock(60_000);
  const rung: string[] = [];
  clock.after(20, () => rung.push("late"));
  clock.after(10, () => rung.push("early"));
  const until = performance.now() + 40;
  while (performance.now() < until);
  await sleep(20);
  assertEquals(rung, ["early", "late"]);
});

Deno.test("PausableClock rings a later alarm when the first one was taken back", async () => {
  const clock = new PausableClock(60_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  const takeBack = clock.after(10, () => {
    throw new Error("It was taken back");
  });
  clock.after(40, resolve);
  takeBack();
  await promise;
});

Deno.test("PausableClock does not ring an alarm that the action of another takes back", async () => {
  const clock = new PausableClock(60_000);
  const rung: string[] = [];
  const undo: Array<() => void> = [];
  for (const name of ["a", "b"]) {
    undo.push(clock.after(10, () => {
      rung.push(name);
      for (const takeBack of undo) takeBack();
    }));
  }
  // So that both are due when the timer is looked at.
  const until = performance.now() + 30;
  while (performance.now() < until);
  await sleep(20);
  assertEquals(rung, ["a"]);
});
