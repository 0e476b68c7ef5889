import { assertEquals, assertRejects } from "@std/assert";
import { ToolListing } from "../../../../src/downstream/catalog/tool_listing.ts";

Deno.test("ToolListing lists once for many changes, and once more for those during a listing", async () => {
  let count = 0;
  const listing = new ToolListing(async () => {
    count++;
    await Promise.resolve();
  });
  await listing.ready();
  assertEquals(count, 1);
  for (let times = 0; times < 10; times++) listing.refresh();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assertEquals(count, 2);
});

Deno.test("ToolListing is done when the change that was told last is listed", async () => {
  let count = 0;
  const listing = new ToolListing(() => {
    count++;
    return Promise.resolve();
  });
  await listing.ready();
  listing.refresh();
  await listing.ready();
  assertEquals(count, 2);
});

Deno.test("ToolListing fails for who asks, and recovers with the next change", async () => {
  let fails = true;
  const listing = new ToolListing(() =>
    fails ? Promise.reject(new Error("no")) : Promise.resolve()
  );
  await assertRejects(() => listing.ready(), Error, "no");
  fails = false;
  listing.refresh();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await listing.ready();
});

Deno.test("ToolListing that failed lists again for who comes later, and not for those who wait", async () => {
  let count = 0;
  const listing = new ToolListing(() =>
    ++count === 1 ? Promise.reject(new Error("no")) : Promise.resolve()
  );
  const both = await Promise.allSettled([listing.ready(), listing.ready()]);
  assertEquals(both.map(({ status }) => status), ["rejected", "rejected"]);
  assertEquals(count, 1);
  await Promise.all([listing.ready(), listing.ready()]);
  await listing.ready();
  assertEquals(count, 2);
});
