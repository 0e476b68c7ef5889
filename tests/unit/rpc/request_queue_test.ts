import { assertEquals } from "@std/assert";
import { ByteBudget, Unread } from "../../../src/shared/byte_budget.ts";
import { RequestQueue } from "../../../src/rpc/request_queue.ts";

const MEBIBYTE = 1024 * 1024;
const channel = (maxBytes = 256 * MEBIBYTE) => ({
  budget: new ByteBudget(maxBytes),
  unread: new Unread(),
});
const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

Deno.test("RequestQueue runs no more than its share at once, and all in order", async () => {
  const queue = new RequestQueue(channel(), { concurrency: 3 });
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const done = Promise.withResolvers<void>();
  for (let at = 0; at < 100; at++) {
    queue.push(1, async () => {
      started.push(at);
      most = Math.max(most, ++running);
      await soon();
      running--;
      if (at === 99) done.resolve();
    });
  }
  await done.promise;
  assertEquals(most, 3);
  assertEquals(started, Array.from({ length: 100 }, (_, at) => at));
});

Deno.test("RequestQueue refuses what is too much, with the reason", () => {
  const never = () => new Promise<void>(() => {});
  const byCount = new RequestQueue(channel(), { concurrency: 1, maxWaiting: 2 });
  assertEquals([1, 2, 3, 4].map(() => byCount.push(1, never)), [
    undefined,
    undefined,
    undefined,
    "more than 2 requests were waiting",
  ]);
  const bySize = new RequestQueue(channel(MEBIBYTE), { concurrency: 1 });
  assertEquals(bySize.push(10, never), undefined);
  assertEquals(bySize.push(MEBIBYTE - 10, never), undefined);
  assertEquals(
    bySize.push(1, never),
    "requests and unread replies of more than 1 MiB were waiting",
  );
});

Deno.test("RequestQueue counts requests that are under way, and gives their place back", async () => {
  const { budget: shared, unread } = channel(100);
  const queue = new RequestQueue({ budget: shared, unread });
  const end = Promise.withResolvers<void>();
  assertEquals(queue.push(60, () => end.promise), undefined);
  assertEquals(shared.take(50), false);
  assertEquals(typeof queue.push(50, () => end.promise), "string");
  end.resolve();
  await soon();
  assertEquals(shared.take(100), true);
  shared.give(100);
  queue.push(60, () => new Promise(() => {}));
  const waiting = new RequestQueue({ budget: shared, unread }, { concurrency: 0 });
  waiting.push(0, () => new Promise(() => {}));
  waiting.push(40, soon);
  waiting.clear();
  assertEquals([shared.take(41), shared.take(40)], [false, true]);
});

Deno.test("RequestQueue runs big requests side by side only as far as their bytes allow", async () => {
  const queue = new RequestQueue(channel(), { maxRunningBytes: 100 });
  const running: number[] = [];
  const most: number[] = [];
  const run = (bytes: number) => async () => {
    running.push(bytes);
    most.push(running.reduce((sum, one) => sum + one));
    await soon();
    running.splice(running.indexOf(bytes), 1);
  };
  for (const bytes of [40, 40, 40, 150, 1, 99]) queue.push(bytes, run(bytes));
  for (let turn = 0; turn < 20; turn++) await soon();
  // One that is over the limit by itself runs alone.
  assertEquals(most, [40, 80, 80, 150, 1, 100]);
});

Deno.test("RequestQueue takes 100,000 requests in time linear to their number", async () => {
  const queue = new RequestQueue(channel());
  let count = 0;
  const done = Promise.withResolvers<void>();
  const startedAt = performance.now();
  for (let at = 0; at < 100_000; at++) {
    const refused = queue.push(1, async () => {
      await Promise.resolve();
      if (++count === 100_000) done.resolve();
    });
    assertEquals(refused, undefined);
  }
  await done.promise;
  assertEquals(performance.now() - startedAt < 10_000, true);
});

Deno.test("clear() forgets what waits", async () => {
  const queue = new RequestQueue(channel(), { concurrency: 1 });
  const ran: number[] = [];
  queue.push(1, soon);
  queue.push(1, () => Promise.resolve(void ran.push(1)));
  queue.clear();
  await soon();
  await soon();
  queue.push(1, () => Promise.resolve(void ran.push(2)));
  await soon();
  assertEquals(ran, [2]);
});

Deno.test("RequestQueue leaves timers their turn while requests are answered from memory", async () => {
  const queue = new RequestQueue(channel());
  const startedAt = performance.now();
  let late = 0;
  let due = startedAt;
  const timer = setInterval(() => {
    late = Math.max(late, performance.now() - due);
    due = performance.now();
  }, 5);
  const done = Promise.withResolvers<void>();
  let count = 0;
  for (let at = 0; at < 2000; at++) {
    queue.push(1, () => {
      // 2000 of these are a second of work.
      for (const until = performance.now() + 0.5; performance.now() < until;);
      if (++count === 2000) done.resolve();
      return Promise.resolve();
    });
  }
  await done.promise;
  clearInterval(timer);
  assertEquals(late < 0.5 * (performance.now() - startedAt), true, `a timer came ${late} ms late`);
});

Deno.test("RequestQueue begins nothing while too much is unread", async () => {
  const { budget, unread } = channel();
  const queue = new RequestQueue({ budget, unread });
  const ran: number[] = [];
  const run = (at: number) => () => Promise.resolve(void ran.push(at));
  queue.push(1, run(0));
  unread.add(17 * MEBIBYTE);
  queue.push(1, run(1));
  queue.push(1, run(2));
  await soon();
  assertEquals(ran, [0]);
  unread.remove(MEBIBYTE);
  await soon();
  assertEquals(ran, [0, 1, 2]);
});
