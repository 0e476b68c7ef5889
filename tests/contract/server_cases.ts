/** The contract's part on servers: what Python meets when a run names some, the same on every engine. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import type { RunResult } from "../../src/session/run_result.ts";
import type { EngineTarget } from "../support/engines.ts";
import { FakeDownstream, type FakeTool } from "../support/fake_downstream.ts";
import type { TestSession } from "../support/sessions.ts";
import { engineCase } from "./case.ts";

const value = (value: unknown) => ({ kind: "value" as const, value });

const TOOLS: readonly FakeTool[] = [
  {
    name: "get-weather",
    alias: "get_weather",
    description: "Weather of a city",
    inputSchema: {
      type: "object",
      properties: { city: { type: "string" }, units: { enum: ["c", "f"], default: "c" } },
      required: ["city"],
    },
    call: ({ city }) => value({ city, celsius: 11 }),
  },
  { name: "print", alias: "print", call: () => value("no print") },
  { name: "size", alias: "size", call: ({ data }) => value(String(data).length) },
  { name: "big", alias: "big", call: ({ mb }) => value("x".repeat(Number(mb) * 1_000_000)) },
  {
    name: "slow",
    alias: "slow",
    call: (_args, { signal }) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve(value("done")), 200);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          reject(new Error("aborted"));
        });
      }),
  },
  {
    name: "picture",
    alias: "picture",
    call: () => ({
      kind: "content",
      content: [{ type: "blob", mime_type: "image/png", data: btoa("\x89PNG") }],
    }),
  },
  {
    name: "several",
    alias: "several",
    call: () => ({
      kind: "content",
      content: [{ type: "text", text: "a" }, { type: "text", text: "b" }],
    }),
  },
  {
    name: "fail",
    alias: "fail",
    call: () => ({ kind: "failed", message: "No such city", result: { isError: true } }),
  },
];

function setUp() {
  const downstream = new FakeDownstream({ weather: TOOLS, todo: TOOLS, broken: null });
  return {
    downstream,
    options: {
      rpc: createRpcRouter({}),
      forRun: forRun(downstream),
    },
  };
}

/** Registers the cases. */
export function serverCases(target: EngineTarget): void {
  const servers = ["weather"];
  const check = (name: string, code: string, expected: string) =>
    engineCase(target, name, async ({ session }) => {
      const result = await session.run(code, { servers });
      assertEquals(result.stdout, expected, result.stderr);
    }, setUp().options);
  const refuse = (name: string, code: string, error: RegExp) =>
    engineCase(target, name, async ({ session }) => {
      assertMatch((await session.run(code, { servers })).error ?? "", error);
    }, setUp().options);

  check(
    "the four routes give the same value",
    "import mcp.servers.weather as m\nfrom mcp.servers.weather import get_weather as f\n" +
      "a = [await mcp_weather.get_weather(city='S'), await mcp_servers['weather'].get_weather(city='S'),\n" +
      "     await m.get_weather(city='S'), await f(city='S'),\n" +
      "     await runtime.call_tool('weather', 'get-weather', {'city': 'S'})]\n" +
      "print(a[0], all(x == a[0] for x in a))",
    "{'city': 'S', 'celsius': 11} True\n",
  );
  engineCase(target, "a tool called print replaces print for no program", async ({ session }) => {
    const code = "from mcp.servers.weather import *\nfrom mcp.servers.weather import print as p\n" +
      "print(size(data='xx'), p())";
    assertEquals((await session.run(code, { servers })).stdout, "2 no print\n");
    assertEquals((await session.run("print(1)")).stdout, "1\n");
  }, setUp().options);
  check(
    "a call can be passed wherever asyncio takes one",
    "import asyncio\nc = lambda: mcp_weather.get_weather(city='S')\n" +
      "r = [await c(), *await asyncio.gather(c(), c()), await asyncio.create_task(c()), await asyncio.wait_for(c(), 9)]\n" +
      "async with asyncio.TaskGroup() as g: t = g.create_task(c())\n" +
      "done, _ = await asyncio.wait([c()])\n" +
      "r += [t.result(), *[d.result() for d in done], *[await x for x in asyncio.as_completed([c()])]]\n" +
      "print(len(r), all(x['celsius'] == 11 for x in r))",
    "8 True\n",
  );
  check(
    "50 calls of 200 ms run side by side",
    "import asyncio, time\nt = time.monotonic()\n" +
      "r = await asyncio.gather(*[mcp_weather.slow() for _ in range(50)])\n" +
      "print(len(r), time.monotonic() - t < 5)",
    "50 True\n",
  );
  check("several items are a list", "print(await mcp_weather.several())", "['a', 'b']\n");
  check(
    "a picture is a Blob and no text",
    "b = await mcp_weather.picture()\nprint(b, b.data)",
    "<Blob image/png, 4 bytes> b'\\x89PNG'\n",
  );
  check(
    "signature and docs are at hand",
    "import inspect\nprint(inspect.signature(mcp_weather.get_weather), mcp_weather.get_weather.__doc__)",
    '(city: str, *, units: Literal["c", "f"] = \'c\') Weather of a city\n',
  );
  check(
    "a plain function may be awaited, too",
    "print(await runtime.discovered_servers(), runtime.list_servers_sync())",
    "('weather', 'todo', 'broken') ['weather']\n",
  );
  check(
    "a 20 MB argument and a 20 MB result pass",
    "print(await mcp_weather.size(data='x' * 20_000_000), len(await mcp_weather.big(mb=20)))",
    "20000000 20000000\n",
  );
  // Elsewhere no garbage of JavaScript counts against the limit.
  if (target.kind === "wasm") {
    check(
      "big results and arguments one after the other do not fill the memory",
      "for _ in range(3): n = len(await mcp_weather.big(mb=40))\n" +
        "print(n, await mcp_weather.size(data='x' * 60_000_000))",
      "40000000 60000000\n",
    );
  }
  check(
    "a result beyond all bounds is an error the code can catch",
    "try:\n  await mcp_weather.big(mb=100)\nexcept runtime.MCPError as e:\n  print(e)",
    "The result is over the limit of 64 MiB: ask the tool for less\n",
  );
  check(
    "a failed tool raises with the server's own words",
    "try:\n  await mcp_weather.fail()\nexcept runtime.MCPError as e:\n  print(e, e.server, e.tool, e.result)",
    "No such city weather fail {'isError': True}\n",
  );
  refuse(
    "a misspelt tool is answered with the right one",
    "mcp_weather.get_wether",
    /^AttributeError: Server 'weather' has no tool 'get_wether'; did you mean 'get_weather'\?/,
  );
  refuse(
    "a misspelt argument is found before anything is sent",
    "await mcp_weather.get_weather(citi='S')",
    /^TypeError: get_weather\(\) got an unexpected argument 'citi' \(did you mean 'city'\?\); expected get_weather\(city: str,/,
  );
  refuse(
    "a missing argument is found before anything is sent",
    "await mcp_weather.get_weather()",
    /^TypeError: get_weather\(\) is missing 'city'; expected/,
  );

  engineCase(target, "an object kept from an earlier run gives no access", async ({ session }) => {
    await session.run("kept = mcp_todo", { servers: ["todo"] });
    const result = await session.run("await kept.get_weather(city='S')", { servers });
    assertMatch(result.error!, /^MCPError: Server 'todo' is not available: add it to/);
    assertMatch((await session.run("mcp_todo", { servers })).error!, /^NameError/);
  }, setUp().options);

  engineCase(target, "a server that cannot start does not stop the run", async ({ session }) => {
    const result: RunResult = await (session as TestSession).run(
      "print((await mcp_weather.get_weather(city='S'))['celsius'])\nawait mcp_broken.any()",
      { servers: ["weather", "broken"] },
    );
    assertEquals(result.stdout, "11\n");
    assertStringIncludes(result.error!, 'MCPError: Cannot start "broken"');
    assertStringIncludes(result.notes[0]!, "Server 'broken' is not available: Cannot start");
  }, setUp().options);

  engineCase(target, "a run whose servers all fail is an error", async ({ session }) => {
    const result = await session.run("print('ran')", { servers: ["broken"] });
    assertEquals([result.status, result.stdout], ["error", ""]);
    assertStringIncludes(result.error!, "it exited with code 1");
  }, setUp().options);

  const tools = { weather: TOOLS };
  engineCase(target, "a run sees the tools as they are now", async ({ session }) => {
    const see = async () => {
      const code = "from mcp.servers.weather import TOOLS\n" +
        "print(len(TOOLS), 'now' in dir(mcp_weather), TOOLS[-1]['alias'])\nTOOLS.clear()";
      return (await session.run(code, { servers })).stdout;
    };
    const before = await see();
    assertEquals([before, await see()], Array(2).fill(`${TOOLS.length} False fail\n`));
    assertEquals((await session.run("1/0", { servers })).status, "error");
    const now: FakeTool = { name: "now", call: () => value(1) };
    tools.weather = [...TOOLS, now];
    assertEquals(await see(), `${TOOLS.length + 1} True now\n`);
    tools.weather = TOOLS;
    assertEquals(await see(), before);
  }, { rpc: createRpcRouter({}), forRun: forRun(new FakeDownstream(tools)) });

  const { downstream, options } = setUp();
  engineCase(
    target,
    "a call ends with its run and is cancelled downstream",
    async ({ session }) => {
      const code =
        "import asyncio\nt = asyncio.ensure_future(mcp_weather.slow())\nawait asyncio.sleep(0)";
      assertEquals((await session.run(code, { servers })).status, "success");
      assertEquals(downstream.calls, ["weather.slow"]);
      assert((await session.run("print('next')")).stdout === "next\n");
    },
    options,
  );
}
