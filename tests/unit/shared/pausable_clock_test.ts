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
