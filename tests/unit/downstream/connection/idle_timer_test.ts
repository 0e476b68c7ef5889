import { assertEquals } from "@std/assert";
import { IdleTimer } from "../../../../src/downstream/connection/idle_timer.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("IdleTimer acts once the last touch is long enough ago", async () => {
  const touched: number[] = [];
  const done = Promise.withResolvers<number>();
  const timer = new IdleTimer(100, () => done.resolve(performance.now()));
  for (let use = 0; use < 5; use++) {
    timer.touch();
    touched.push(performance.now());
    await sleep(40);
  }
  // The timer keeps no process alive; this does.
  const alive = setInterval(() => {}, 1000);
  const actedAt = await done.promise;
  clearInterval(alive);
  assertEquals(actedAt - touched.at(-1)! >= 99, true);
});

Deno.test("IdleTimer does nothing after clear() until it is touched again", async () => {
  let acted = 0;
  const timer = new IdleTimer(10, () => acted++);
  timer.touch();
  timer.clear();
  await sleep(50);
  assertEquals(acted, 0);
  timer.touch();
  await sleep(100);
  assertEquals(acted, 1);
});

Deno.test("IdleTimer takes a time longer than any timer", () => {
  const timer = new IdleTimer(Number.MAX_SAFE_INTEGER, () => {});
  timer.touch();
  timer.clear();
});
