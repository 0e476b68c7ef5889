import { assert, assertEquals } from "@std/assert";
import { learnUnknown } from "../../../../src/downstream/docs/server_search.ts";

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

Deno.test("learnUnknown() works on a few servers at a time, and one that fails costs itself", async () => {
  const servers = Array.from({ length: 30 }, (_, index) => index);
  let [running, most, done] = [0, 0, 0];
  await learnUnknown(servers, async (server) => {
    most = Math.max(most, ++running);
    await sleep(2);
    running--;
    if (server % 3 === 0) throw new Error("no");
    done++;
  });
  assertEquals([most, done], [8, 20]);
});

Deno.test("learnUnknown() returns when its time is over and begins no further server", async () => {
  const begun: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const startedAt = performance.now();
  await learnUnknown([1, 2, 3], (server) => {
    begun.push(server);
    return promise;
  }, { atOnce: 2, limitMs: 30 });
  assert(performance.now() - startedAt < 1000);
  resolve();
  await sleep(0);
  assertEquals(begun, [1, 2]);
});

Deno.test("learnUnknown() has nothing to do for no servers", async () => {
  await learnUnknown([], () => Promise.reject(new Error("never called")));
});
