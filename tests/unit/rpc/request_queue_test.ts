import { assertEquals } from "@std/assert";
import { RequestQueue } from "../../../src/rpc/request_queue.ts";

const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

Deno.test("RequestQueue runs no more than its share at once, and all in order", async () => {
  const queue = new RequestQueue({ concurrency: 3 });
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
  const byCount = new RequestQueue({ concurrency: 1, maxWaiting: 2 });
  assertEquals([1, 2, 3, 4].map(() => byCount.push(1, never)), [
    undefined,
    undefined,
    undefined,
    "more than 2 requests were waiting",
  ]);
  const bySize = new RequestQueue({ concurrency: 1, maxWaitingChars: 1024 * 1024 });
  assertEquals(bySize.push(10, never), undefined);
  assertEquals(bySize.push(1024 * 1024, never), undefined);
  assertEquals(bySize.push(1, never), "requests of more than 1 MiB were waiting");
});

Deno.test("RequestQueue takes 100,000 requests in time linear to their number", async () => {
  const queue = new RequestQueue();
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
  const queue = new RequestQueue({ concurrency: 1 });
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
  const queue = new RequestQueue();
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
