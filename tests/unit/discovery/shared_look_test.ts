import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Discovered } from "../../../src/discovery/entry/server_entry.ts";
import { shareLooks } from "../../../src/discovery/server_discovery.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("shareLooks() looks once for all who ask at the same time, and again after a while", async () => {
  let looks = 0;
  const shared = shareLooks({
    async discover(): Promise<Discovered> {
      looks++;
      await sleep(5);
      return { servers: [], skipped: [] };
    },
  });
  const [first, ...others] = await Promise.all(
    Array.from({ length: 1000 }, () => shared.discover()),
  );
  for (const other of others) assertStrictEquals(other, first);
  await shared.discover();
  assertEquals(looks, 1);
  await sleep(150);
  await shared.discover();
  assertEquals(looks, 2);
});

Deno.test("shareLooks() shares a look that takes longer than it counts", async () => {
  let looks = 0;
  const slow = Promise.withResolvers<Discovered>();
  const shared = shareLooks({ discover: () => (looks++, slow.promise) });
  const first = shared.discover();
  await sleep(150);
  const second = shared.discover();
  slow.resolve({ servers: [], skipped: [] });
  assertStrictEquals(await first, await second);
  assertEquals(looks, 1);
});
