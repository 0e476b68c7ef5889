import { assertEquals, assertNotEquals } from "@std/assert";
import { configDigest } from "../../../../src/downstream/catalog/server_registry.ts";

Deno.test("configDigest() is the same for entries that say the same in another order", async () => {
  const a = { kind: "stdio", command: "x", args: ["1", "2"], env: { A: "1", B: "2" } } as const;
  const b = { env: { B: "2", A: "1" }, args: ["1", "2"], command: "x", kind: "stdio" } as const;
  assertEquals(await configDigest(a), await configDigest(b));
  assertEquals((await configDigest(a)).length, 40);
});

Deno.test("configDigest() changes with every part of an entry", async () => {
  const base = { kind: "stdio", command: "x", args: ["1", "2"], env: { A: "1" } } as const;
  const others = [
    { ...base, command: "y" },
    { ...base, args: ["2", "1"] },
    { ...base, env: { A: "2" } },
    { ...base, cwd: "/" },
    { kind: "http", url: "http://x", headers: {} },
    { kind: "http", url: "http://x", headers: { A: "1" } },
  ] as const;
  const digests = await Promise.all([base, ...others].map(configDigest));
  assertEquals(new Set(digests).size, digests.length);
  assertNotEquals(digests[0], digests[1]);
});
