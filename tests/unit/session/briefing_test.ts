/** What a sandbox is told besides the code: once, and again when it changed or may not have arrived. */
import { assert, assertEquals } from "@std/assert";
import { forRun } from "../../../src/downstream/for_run.ts";
import { FakeDownstream, type FakeTool } from "../../support/fake_downstream.ts";
import { FakeEngine } from "../../support/fake_engine.ts";
import { TestSession } from "../../support/sessions.ts";

const tools = (count: number, description = "Does much"): FakeTool[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `tool_${at}`,
    description,
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    call: () => ({ kind: "value", value: at }),
  }));

/** A session on a fake sandbox, and what its latest run came with. */
function setUp(servers: Record<string, FakeTool[] | null>) {
  const engine = new FakeEngine();
  const session = new TestSession(engine, { forRun: forRun(new FakeDownstream(servers)) });
  const line = () => engine.started.at(-1)!.lines.at(-1)!;
  const told = () => JSON.parse(line());
  return {
    engine,
    session,
    line,
    told,
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

Deno.test("Session tells a sandbox of a server's tools once", async () => {
  await using rig = setUp({ big: tools(500), small: tools(1) });
  await rig.session.run("x = 1", { servers: ["big"] });
  assert(rig.line().length > 50_000);
  const { revision } = rig.told().servers[0];
  await rig.session.run("x = 2", { servers: ["big"] });
  assert(rig.line().length < 300, rig.line());
  assertEquals(rig.told().servers, [{ name: "big", alias: "big", revision }]);
  assertEquals(Object.keys(rig.told()), ["type", "id", "code", "servers"]);
  await rig.session.run("x = 3");
  await rig.session.run("x = 4", { servers: ["small", "big"] });
  const [small, big] = rig.told().servers;
  assertEquals([small.tools.length, big], [1, { name: "big", alias: "big", revision }]);
});

Deno.test("Session tells of tools that are others now", async () => {
  const servers = { w: tools(2) };
  await using rig = setUp(servers);
  await rig.session.run("x = 1", { servers: ["w"] });
  servers.w = tools(2, "Does more");
  await rig.session.run("x = 1", { servers: ["w"] });
  assertEquals(rig.told().servers[0].tools[1].description, "Does more");
});

Deno.test("Session tells of the configured servers when they are others", async () => {
  const servers: Record<string, FakeTool[]> = { a: [] };
  await using rig = setUp(servers);
  await rig.session.run("x = 1");
  assertEquals(rig.told().discovered, { a: "The a" });
  servers.b = [];
  for (const discovered of [{ a: "The a", b: "The b" }, undefined]) {
    await rig.session.run("x = 1");
    assertEquals(rig.told().discovered, discovered);
  }
});

Deno.test("Session tells all to a new sandbox", async () => {
  await using rig = setUp({ w: tools(3) });
  await rig.session.run("x = 1", { servers: ["w"] });
  rig.engine.started[0]!.crash({ reason: "crashed", detail: "it ended" });
  await new Promise((resolve) => setTimeout(resolve));
  await rig.session.run("x = 1", { servers: ["w"] });
  assertEquals([rig.engine.started.length, rig.engine.started[1]!.lines.length], [2, 1]);
  assertEquals([rig.told().servers[0].tools.length, rig.told().discovered], [3, { w: "The w" }]);
});

Deno.test("Session tells again what a run was told that may have been refused", async () => {
  await using rig = setUp({ w: tools(3) });
  for (const code of ["1/0", "1/0", "x = 1"]) {
    await rig.session.run(code, { servers: ["w"] });
    assertEquals([rig.told().servers[0].tools.length, "discovered" in rig.told()], [3, true]);
  }
  // What an earlier run has taken is not lost by one that fails.
  for (const code of ["1/0", "x = 1"]) {
    await rig.session.run(code, { servers: ["w"] });
    assertEquals([Object.keys(rig.told().servers[0]), "discovered" in rig.told()], [
      ["name", "alias", "revision"],
      false,
    ]);
  }
});

Deno.test("Session tells each run why a server could not be started", async () => {
  await using rig = setUp({ w: tools(1), broken: null });
  for (let at = 0; at < 2; at++) {
    await rig.session.run("x = 1", { servers: ["w", "broken"] });
    const [, broken] = rig.told().servers;
    assertEquals([broken.tools, broken.error], [
      [],
      'Cannot start "broken": it exited with code 1',
    ]);
  }
});
