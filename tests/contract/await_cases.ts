/** The contract's part on `await`: calls that forgot it, loops inside the loop, values that are kept. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import type { EngineTarget } from "../support/engines.ts";
import { FakeDownstream, type FakeOutcome, type FakeTool } from "../support/fake_downstream.ts";
import { engineCase } from "./case.ts";

function answerAfter(ms: number): Promise<FakeOutcome> {
  return new Promise((resolve) =>
    setTimeout(() => resolve({ kind: "value", value: { n: 1 } }), ms)
  );
}

const TOOLS: readonly FakeTool[] = [
  { name: "echo", alias: "echo", call: ({ x }) => ({ kind: "value", value: x }) },
  // So late that the program waits for it, and no later.
  { name: "soon", alias: "soon", call: () => answerAfter(2) },
  { name: "slow", alias: "slow", call: () => answerAfter(300) },
  {
    name: "fail",
    alias: "fail",
    call: () => ({ kind: "failed", message: "No such thing", result: { isError: true } }),
  },
];

/** Registers the cases. */
export function awaitCases(target: EngineTarget): void {
  const downstream = new FakeDownstream({ s: TOOLS });
  const options = {
    rpc: createRpcRouter({}),
    forRun: forRun(downstream),
  };
  const servers = ["s"];
  const check = (name: string, code: string, expected: string) =>
    engineCase(target, name, async ({ session }) => {
      const result = await session.run(code, { servers });
      assertEquals(result.stdout, expected, result.stderr);
      assertEquals(result.status, "success");
    }, options);

  check(
    "a call without await is its value where it is used",
    "c = mcp_s.slow()\nprint(c['n'], c, f'{c}', [c], len(c), c == {'n': 1}, {**c})\n" +
      "import json\nprint(json.dumps(mcp_s.slow()))\nprint([x + 1 for x in mcp_s.echo(x=[1, 2])])\nmcp_s.slow()",
    "1 {'n': 1} {'n': 1} [{'n': 1}] 1 True {'n': 1}\n" + '{"n": 1}\n' + "[2, 3]\n{'n': 1}\n",
  );
  check(
    "calls of a list that is gathered later are parallel",
    "import asyncio, time\nt = time.monotonic()\ncalls = [mcp_s.slow() for _ in range(20)]\n" +
      "print(sum(c['n'] for c in await asyncio.gather(*calls)), time.monotonic() - t < 4)",
    "20 True\n",
  );
  check(
    "functions of runtime may forget their await",
    "print(runtime.list_servers(), len(runtime.list_tools('s')))",
    "['s'] 4\n",
  );
  check(
    "asyncio.run and loops of the program's own work inside the loop",
    "import asyncio\nasync def main():\n    await asyncio.sleep(0.01)\n    return (await mcp_s.slow())['n']\n" +
      "print(asyncio.run(main()), asyncio.get_event_loop().run_until_complete(main()))\n" +
      "loop = asyncio.new_event_loop()\nprint(loop.run_until_complete(main()))\nloop.close()\n" +
      "def sync(): return asyncio.run(main())\nprint(sync(), await main())\n" +
      "print(asyncio.run(mcp_s.echo(x=7)))",
    "1 1\n1\n1 1\n7\n",
  );
  check(
    "every call gets its own reply, whatever else the program waits for",
    `
import asyncio, random, time
pick = random.Random(1).randrange
async def one(n): return await mcp_s.echo(x=n) == n
async def beside_a_time(n): return await asyncio.wait_for(mcp_s.echo(x=n), 30) == n
async def after_a_sleep(n):
    await asyncio.sleep(0.001)
    return await one(n)
async def after_computing(n):
    end = time.perf_counter() + 0.03
    while time.perf_counter() < end: pass
    return await one(n)
async def without_await(n): return mcp_s.echo(x=n) == n
async def many(n): return all(await asyncio.gather(*[one(n + i) for i in range(20)]))
async def long(n):
    text = str(n % 10) * 300_000
    return await mcp_s.echo(x=text) == text
ways = [one, beside_a_time, after_a_sleep, after_computing, without_await, many, long]
print(all([await ways[pick(len(ways))](n) for n in range(120)]))
print(all(await asyncio.gather(*[ways[pick(len(ways))](n) for n in range(120)])))
`,
    "True\nTrue\n",
  );
  check(
    "a call beside a timer or a busy task takes no longer than one alone",
    `
import asyncio, time
async def quickest(second):
    """Milliseconds of two calls; nearly the quickest of many, since the machine may be busy."""
    times = []
    for _ in range(50):
        start = time.perf_counter()
        await mcp_s.soon()
        await second(mcp_s.soon())
        times.append((time.perf_counter() - start) * 1000)
    return sorted(times)[5]
async def plain(call): return await call
async def timed(call): return await asyncio.wait_for(call, 30)
async def spin():
    while True: await asyncio.sleep(0)
times = [await quickest(plain), await quickest(timed)]
spinner = asyncio.create_task(spin())
await asyncio.sleep(0.1)
times.append(await quickest(plain))
spinner.cancel()
print("fast" if max(times) < times[0] + 6 else times)
`,
    "fast\n",
  );
  engineCase(target, "a forgotten call is carried out before the run ends", async ({ session }) => {
    const before = downstream.calls.length;
    const result = await session.run("mcp_s.slow();", { servers });
    assertEquals(result.status, "success");
    assertEquals(downstream.calls.length, before + 1);
  }, options);
  check(
    "a call that fails without await fails where it stands",
    "try:\n    x = mcp_s.fail()\nexcept runtime.MCPError as error:\n    print('caught', error)\nprint('on')",
    "caught No such thing\non\n",
  );
  check(
    "an async def that returns a forgotten call gives its value, whoever awaits it",
    "import asyncio\nasync def f(): return mcp_s.echo(x=[1])\n" +
      "for x in [await f(), await asyncio.wait_for(f(), 20), *await asyncio.gather(f())]:\n" +
      "    print(isinstance(x, list), end=' ')\nprint(type(asyncio.run(f())))",
    "True True True <class 'list'>\n",
  );
  engineCase(target, "a forgotten task that fails fails the run", async ({ session }) => {
    const code = "import asyncio\nx = asyncio.ensure_future(mcp_s.fail())\nprint('on')";
    const result = await session.run(code, { servers });
    assertEquals(result.status, "error");
    assertMatch(result.error ?? "", /^MCPError: No such thing/);
    assertEquals(result.stdout, "on\n");
  }, options);
  for (
    const [where, code] of [
      ["for a value", "print(runtime.call_tool('s', 'never'))"],
      ["inside asyncio.run", "import asyncio\nasyncio.run(asyncio.sleep(60))"],
      ["for one call after the other", "while True: await runtime.list_servers()"],
      ["for a call and then computes", "await runtime.list_servers()\nwhile True: pass"],
      [
        "in several tasks",
        "import asyncio\nnever = lambda: runtime.call_tool('s', 'never')\nasync def one(): await never()\n" +
        "await asyncio.gather(one(), one(), one(), return_exceptions=True)\nawait never()",
      ],
      ["for a call and then sleeps", "import time\nawait runtime.list_servers()\ntime.sleep(60)"],
    ] as const
  ) {
    engineCase(target, `a run that waits ${where} can be stopped`, async ({ session }) => {
      const result = await session.run(`y = 1\n${code}`, { servers, timeoutSeconds: 1 });
      assertEquals(result.status, "timeout");
      assertEquals((await session.run("y")).stdout, "1\n");
    }, {
      ...options,
      forRun: forRun(
        new FakeDownstream({
          s: [{ name: "never", alias: "never", call: () => new Promise(() => {}) }],
        }),
      ),
    });
  }
  engineCase(target, "long values are echoed in part and kept", async ({ session }) => {
    const long = await session.run("list(range(100_000))");
    assertStringIncludes(long.stdout, "items not shown; the whole value is in `_` and `Out[1]`");
    assertEquals(
      (await session.run("_[-1], Out[1][5], len(Out[-1])")).stdout,
      "(99999, 5, 100000)\n",
    );
  });
}
