/** Servers with very many tools that are hard to tell apart: nobody else waits while the host reads them. */
import { assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../src/shared/errors.ts";
import { createRig, never, stub, valueOf } from "../downstream/rig.ts";
import { HostProbe } from "../support/host_probe.ts";

for (const kind of ["alias", "prefix"]) {
  Deno.test(`20,000 tools with one ${kind} do not hold up the host`, async () => {
    await using rig = await createRig({ s: stub("alike_tools", {}, [kind]) });
    using probe = new HostProbe();
    const { downstream } = rig;
    // A search is enough to start a server.
    const { hits } = await downstream.search("tool 00042", { limit: 3, detail: "full" });
    assertEquals(hits[0]?.description, "Tool 00042");
    const { tools } = await downstream.load("s", never());
    assertEquals(tools.length, 20_000);
    assertEquals(new Set(tools.map(({ alias }) => alias)).size, 20_000);
    const [first, last] = [tools[0]!, tools.at(-1)!];
    assertEquals(await valueOf(rig, "s", first.alias), "00000");
    assertEquals(await valueOf(rig, "s", last.name), "19999");
    for (const name of [`${first.alias}x`, "p".repeat(90), "zzz"]) {
      await assertRejects(() => valueOf(rig, "s", name), AppError, "has no tool");
    }
    assertEquals((await downstream.docs("s", undefined, "summary")).length, 20_000);
    assertEquals((await downstream.docs("s", last.alias, "full")).length, 1);
    await downstream.stubs("s", [], never());
    await downstream.search(`${first.name} ppppppppppp usefull toool`, {
      limit: 20,
      detail: "summary",
    });
    // Again, with what the one before has stored.
    await rig.restart();
    await downstream.search("tool", { limit: 3, detail: "summary" });
    assertEquals((await rig.downstream.load("s", never())).tools.at(-1), last);
    assertEquals(await valueOf(rig, "s", last.alias), "19999");
    probe.assertWithin(`20,000 tools with one ${kind}`);
  });
}
