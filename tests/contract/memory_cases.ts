/** The contract's part on memory and saved tools, the same on every engine. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Engine } from "../../src/engine/engine.ts";
import { createRpcRouter } from "../../src/rpc/router.ts";
import { forRun } from "../../src/downstream/for_run.ts";
import type { RunResult } from "../../src/session/run_result.ts";
import { SavedToolStore } from "../../src/store/records/saved_tool_store.ts";
import type { EngineTarget } from "../support/engines.ts";
import { FakeDownstream } from "../support/fake_downstream.ts";
import { rpcDeps } from "../support/rpc_deps.ts";
import { TestSession } from "../support/sessions.ts";
import { engineCase } from "./case.ts";

/** A user's state folder, and sessions that use it. */
class User implements AsyncDisposable {
  readonly stateDir: string = Deno.makeTempDirSync({ prefix: "mcp-bridge-test-" });
  readonly #engine: Engine;
  readonly #sessions: TestSession[] = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  session(stateDir: string | undefined = this.stateDir): TestSession {
    const echo = {
      name: "echo",
      alias: "echo",
      call: (value: unknown) => ({ kind: "value" as const, value }),
    };
    const downstream = new FakeDownstream({ weather: [echo] });
    const deps = rpcDeps(stateDir);
    const session = new TestSession(this.#engine, {
      rpc: createRpcRouter(deps),
      forRun: forRun(downstream),
      savedTools: async () => await (await deps.savedTools()).sources(),
    });
    this.#sessions.push(session);
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions) await session[Symbol.asyncDispose]();
    await Deno.remove(this.stateDir, { recursive: true });
  }
}

/** Registers the cases. */
export function memoryCases(target: EngineTarget): void {
  const memoryCase = (name: string, body: (user: User) => Promise<void>) =>
    engineCase(target, name, async ({ engine }) => {
      await using user = new User(engine);
      await body(user);
    });
  const printed = ({ stdout, stderr }: RunResult) => stdout + stderr;

  memoryCase("numbers and the order of keys come back as they were kept", async (user) => {
    const kept = '{"id": 2**53 + 1, "f": 1.0, "neg": -0.0, "10": 1, "9": 2}';
    await user.session().run(`save_memory("k", ${kept})`);
    const again = await user.session().run(
      `print(repr(load_memory("k")) == repr(${kept}))\n` +
        `print(update_memory("k", lambda old: [old["id"], old["f"], old["neg"], list(old)]))`,
    );
    assertEquals(
      printed(again),
      "True\n[9007199254740993, 1.0, -0.0, ['id', 'f', 'neg', '10', '9']]\n",
    );
  });

  memoryCase("what one session remembers, the next one knows", async (user) => {
    const saved = await user.session().run(
      "import datetime\n" +
        "print(save_memory('a/B', {'x': (1, 2**70, datetime.date(2026, 7, 28))}, metadata={'m': 1})['size'])\n" +
        "save_memory('A/b', None); runtime.save_memory('../é\\0', 'ü' * 300);",
    );
    assertEquals(printed(saved), "45\n");
    const loaded = await user.session().run(
      "print(load_memory('a/B'), load_memory('A/b', default=1), len(load_memory('../é\\0')))\n" +
        "print([m['key'] for m in list_memories()], get_memory_info('a/B')['metadata'])\n" +
        "print(delete_memory('A/b'), memory_exists('A/b'), memory_exists('a/B'), load_memory('A/b', default=1))",
    );
    assertEquals(
      printed(loaded),
      "{'x': [1, 1180591620717411303424, '2026-07-28']} None 300\n" +
        "['../é\\x00', 'A/b', 'a/B'] {'m': 1}\nTrue False True 1\n",
    );
  });

  memoryCase("sessions that update one memory at once lose nothing", async (user) => {
    const sessions = [user.session(), user.session()];
    const code = "for _ in range(40): update_memory('n', lambda n: n + 1, default=0)";
    await Promise.all(sessions.map((session) => session.run(code)));
    assertEquals(printed(await sessions[0]!.run("print(load_memory('n'))")), "80\n");
  });

  memoryCase("functions of memory may be awaited and used in tasks", async (user) => {
    const result = await user.session().run(
      "import asyncio\nasync def work(i):\n  await save_memory(str(i), i)\n  return await load_memory(str(i))\n" +
        "print(sum(await asyncio.gather(*[work(i) for i in range(1, 21)])), await memory_exists('3'))\n" +
        "print(len(await list_memories()), await update_memory('3', lambda n: n + 1), await delete_memory('3'))\n" +
        "print(await load_memory('none'), len(asyncio.run(list_memories())), type(list_memories()), memory_exists('3'))",
    );
    assertEquals(printed(result), "210 True\n20 4 True\nNone 19 <class 'list'> False\n");
  });

  memoryCase("what cannot be kept is an error that says where it is", async (user) => {
    const session = user.session();
    const result = await session.run("save_memory('a', {'a': [0, 1, 2, len]})");
    assertEquals(result.error, 'TypeError: value["a"][3] is the function len, which is not data');
    const long = await session.run("save_memory('a', 'x' * 9_000_000)");
    assertMatch(
      long.error!,
      /^MCPError: Cannot save the memory "a": it would take 9,000,002 bytes, at most 8,388,608 are allowed/,
    );
    assertEquals(printed(await session.run("print(list_memories())")), "[]\n");
  });

  memoryCase("an updater that does not end is interrupted and changes nothing", async (user) => {
    const session = user.session();
    await session.run("save_memory('n', 1); x = 41");
    const result = await session.run("update_memory('n', lambda n: sum(0 for _ in iter(int, 1)))", {
      timeoutSeconds: 1,
    });
    assertEquals([result.status, result.notes.at(-1)], [
      "timeout",
      "Variables of this session are kept",
    ]);
    assertEquals(printed(await session.run("print(x, load_memory('n'))")), "41 1\n");
  });

  memoryCase("a task that saves after its run does not hold up the next one", async (user) => {
    const session = user.session();
    await session.run(
      "import asyncio\nasync def later():\n  await asyncio.sleep(0.1)\n  try: save_memory('a', 1)\n" +
        "  except runtime.MCPError as e: seen.append(str(e))\nseen = []; t = asyncio.create_task(later())",
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    const next = await session.run("await t; print(seen, memory_exists('a'))", {
      timeoutSeconds: 10,
    });
    assertEquals(
      printed(next),
      "['No run is going on: ask the host only while one is'] False\n",
    );
  });

  memoryCase("without a state folder only memory is missing", async (user) => {
    const session = user.session(`${user.stateDir}/file`);
    await Deno.writeTextFile(`${user.stateDir}/file`, "");
    const result = await session.run("print('ran')\nsave_memory('a', 1)");
    assertEquals(result.stdout, "ran\n");
    assertMatch(result.error!, /^MCPError: The state folder cannot be written \(\w+\)/);
    assertStringIncludes(result.notes.join(), "Saved tools are not there: The state folder cannot");
    assertEquals((await session.run("1")).notes, []);
  });

  memoryCase("a saved tool is a global of later sessions", async (user) => {
    const first = user.session();
    const saved = await first.run(
      "import math, asyncio\nfrom collections import Counter\n" +
        "def area(r, digits=2):\n    '''Of a circle.'''\n    return round(math.pi * r ** 2, digits)\n" +
        "async def ask(x):\n    await asyncio.sleep(0)\n    return (await mcp_weather.echo(x=x)), area(1)\n" +
        "def broken(x): return 1 / x\n" +
        "print([save_tool(f)['signature'] for f in (area, ask, broken)])",
      { servers: ["weather"] },
    );
    assertEquals(printed(saved), "['area(r, digits=2)', 'async ask(x)', 'broken(x)']\n");
    const later = user.session();
    const used = await later.run(
      "print(area(1), await ask(5), 'math' in globals(), area.__doc__)\nbroken(0)",
      { servers: ["weather"] },
    );
    assertEquals(used.stdout, "3.14 ({'x': 5}, 3.14) False Of a circle.\n");
    assertStringIncludes(used.stderr, 'File "<saved tool broken>", line 1, in broken');
    assertEquals(
      printed(await later.run("print(area(2, 0), delete_saved_tool('area'))")),
      "13.0 True\n",
    );
    assertMatch((await user.session().run("area")).error!, /^NameError/);
  });

  memoryCase("a saved tool that does not end is interrupted", async (user) => {
    await user.session().run("def spin():\n    while True: pass\nsave_tool(spin)");
    const later = user.session();
    await later.run("x = 41");
    const result = await later.run(
      "import asyncio\nasync def go(): spin()\nawait asyncio.create_task(go())",
      {
        timeoutSeconds: 1,
      },
    );
    assertEquals([result.status, result.notes.at(-1)], [
      "timeout",
      "Variables of this session are kept",
    ]);
  });

  memoryCase("a broken saved tool fails when it is used and not before", async (user) => {
    const store = new SavedToolStore(user.stateDir);
    const tool = (source: string) => ({ signature: "", description: "", source });
    await store.save("syntax", tool("def syntax(:"));
    await store.save("print", tool("def print(*a): raise SystemExit(9)"));
    await store.save("top", tool("raise SystemExit(9)"));
    await store.save("good", tool("def good(): return 1"));
    await store.save("damaged", tool("def damaged(): return 1"));
    await Deno.writeTextFile(`${user.stateDir}/tools/k-damaged.jsonl`, "{half");
    const session = user.session();
    assertEquals(printed(await session.run("print(good())")), "1\n");
    for (const name of ["syntax", "top", "damaged"]) {
      const { error } = await session.run(`${name}()`);
      assertStringIncludes(error ?? "", `MCPError: The saved tool "${name}" cannot be used: `);
    }
    const listed = await session.run(
      "print([t['name'] for t in list_saved_tools() if 'error' in t])",
    );
    assertEquals(printed(listed), "['damaged']\n");
  });

  memoryCase(
    "a saved tool that no interpreter can hold stops neither start nor removal",
    async (user) => {
      const store = new SavedToolStore(user.stateDir);
      const tool = (source: string) => ({ signature: "", description: "", source });
      const shapes = {
        chain: `def chain(): return a${".b".repeat(60_000)}`,
        calls: `def calls(): return a${"()".repeat(60_000)}`,
        signs: `def signs(): return ${"-".repeat(5000)}1`,
        ladder: `def ladder():\n if a: pass\n${" elif a: pass\n".repeat(5000)}`,
      };
      for (const [name, source] of Object.entries(shapes)) await store.save(name, tool(source));
      await store.save("good", tool("def good(): return 1"));
      const session = user.session();
      assertEquals(printed(await session.run("x = 5\nprint(good())")), "1\n");
      for (const name of Object.keys(shapes)) {
        const { error } = await session.run(`${name}()`);
        assertStringIncludes(error ?? "", `MCPError: The saved tool "${name}" cannot be used: `);
        assertStringIncludes(error ?? "", `delete_saved_tool("${name}")`);
      }
      assertEquals(printed(await session.run("print(x, delete_saved_tool('chain'))")), "5 True\n");
      assertEquals((await store.load()).map(({ name }) => name), [
        "calls",
        "good",
        "ladder",
        "signs",
      ]);
    },
  );

  memoryCase("a function that would not work later is not saved", async (user) => {
    const session = user.session();
    const result = await session.run("limit = 3\ndef f(x): return x < limit\nsave_tool(f)");
    assertMatch(
      result.error!,
      /^ValueError: Cannot save the tool 'f': it uses limit, which a later/,
    );
    assert(
      (await session.run("def print_(): pass\nprint_.__name__ = 'print'\nsave_tool(print_)")).error,
    );
    assertEquals((await session.run("print(list_saved_tools())")).stdout, "[]\n");
  });
}
