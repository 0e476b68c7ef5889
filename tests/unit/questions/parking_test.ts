import { assertEquals } from "@std/assert";
import { Parking } from "../../../src/questions/parking.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function work() {
  return {
    isCancelled: false,
    cancel() {
      this.isCancelled = true;
    },
  };
}

Deno.test("Parking gives work to its owner alone, and once", () => {
  const parking = new Parking({ maxAskMs: 60_000 });
  const mine = work();
  const key = parking.park("a", mine);
  assertEquals(parking.take("b", key), undefined);
  assertEquals(parking.take("a", "another"), undefined);
  assertEquals([parking.size, mine.isCancelled], [1, false]);
  assertEquals(parking.take("a", key), mine);
  assertEquals(parking.take("a", key), undefined);
});

Deno.test("Parking cancels what nobody comes back for, and nothing that was taken", async () => {
  const parking = new Parking({ maxAskMs: 20, maxParked: 2 });
  const [left, taken] = [work(), work()];
  const key = parking.park("a", left);
  const other = parking.park("a", taken);
  assertEquals(parking.hasRoom, false);
  parking.take("a", other);
  assertEquals(parking.hasRoom, true);
  await sleep(100);
  assertEquals([left.isCancelled, taken.isCancelled, parking.size], [true, false, 0]);
  assertEquals(parking.take("a", key), undefined);
});

Deno.test("Parking hurries what one owner parked, and never gives it more time", async () => {
  const parking = new Parking({ maxAskMs: 60_000, hurryMs: 20 });
  const [mine, others] = [work(), work()];
  parking.park("a", mine);
  parking.park("b", others);
  parking.hurry("a");
  const slow = new Parking({ maxAskMs: 20, hurryMs: 60_000 });
  const soon = work();
  slow.park("a", soon);
  slow.hurry("a");
  await sleep(100);
  assertEquals([mine, others, soon].map(({ isCancelled }) => isCancelled), [true, false, true]);
  const key = parking.park("b", work());
  parking.take("b", key);
});
