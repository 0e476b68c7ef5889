import { assertEquals } from "@std/assert";
import { describeUnsearched } from "../../../src/rpc/unsearched_text.ts";

Deno.test("describeUnsearched() is silent when all servers were searched", () => {
  assertEquals(describeUnsearched([]), undefined);
});

Deno.test("describeUnsearched() tells those that are not up yet from those that failed", () => {
  assertEquals(
    describeUnsearched([
      { name: "slow" },
      { name: "bad", reason: 'Cannot start "bad": it ended with exit code 1\n  hint: See why' },
      { name: "slower" },
    ]),
    "search_tool_docs: not searched yet: slow, slower; search again; " +
      'failed: bad (Cannot start "bad": it ended with exit code 1)',
  );
});

Deno.test("describeUnsearched() stays short", () => {
  const servers = Array.from({ length: 500 }, (_, index) => ({
    name: `s${index}`,
    ...(index % 2 === 0 && { reason: "x".repeat(10_000) }),
  }));
  const line = describeUnsearched(servers)!;
  assertEquals(line.length < 6000, true);
  assertEquals(line.endsWith(" and 230 more"), true);
});
