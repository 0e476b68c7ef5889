/** The contract's part on programs that were written as scripts: they do what they do under `python3`. */
import { assertEquals } from "@std/assert";
import type { EngineTarget } from "../support/engines.ts";
import { engineCase, printsCase } from "./case.ts";

/** Registers the cases. */
export function scriptCases(target: EngineTarget): void {
  const check = (name: string, code: string, stdout: string) =>
    printsCase(target, `script: ${name}`, code, stdout);

  check(
    "a main guard runs",
    "def main():\n  print('ran')\nif __name__ == '__main__':\n  main()",
    "ran\n",
  );
  check(
    "the namespace is the module __main__",
    "import sys, __main__\nprint(vars(__main__) is globals(), sys.modules['__main__'] is __main__, __builtins__, sys.argv)",
    "True True <module 'builtins' (built-in)> ['program.py']\n",
  );
  check(
    "doctest finds the examples",
    "import doctest\ndef add(a, b):\n  '''\n  >>> add(2, 3)\n  5\n  '''\n  return a + b\nprint(doctest.testmod())",
    "TestResults(failed=0, attempted=1)\n",
  );
  check(
    "timeit and cProfile import from the program",
    "import cProfile, timeit\ndef f(): pass\n" +
      "print(timeit.timeit('f()', setup='from __main__ import f', number=3) >= 0)\ncProfile.run('f()', '/tmp/profile')",
    "True\n",
  );
  check(
    "runpy gives the module back",
    "import runpy, sys\nopen('/tmp/inner.py', 'w').write('import __main__\\nprint(vars(__main__) is globals())')\n" +
      "runpy.run_path('/tmp/inner.py', run_name='__main__')\nprint(vars(sys.modules['__main__']) is globals())",
    "True\nTrue\n",
  );
  check(
    "type hints in text are resolved",
    "import typing\nclass Node:\n  next: 'Node'\nprint(typing.get_type_hints(Node))",
    "{'next': <class '__main__.Node'>}\n",
  );

  engineCase(target, "script: unittest.main runs the tests", async ({ session }) => {
    const result = await session.run(
      "import unittest\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(1, 2)\n" +
        "r = unittest.main(exit=False).result\nprint(r.testsRun, len(r.failures))",
    );
    assertEquals(result.stdout, "1 1\n");
  });

  engineCase(target, "script: the source of a class of any run is found", async ({ session }) => {
    await session.run("# first\nclass Bare:\n  kind = 1\n\nclass Full:\n  def f(self): pass\n");
    await session.run("\n\n\nclass Other: pass\n");
    const { stdout } = await session.run(
      "import inspect, pickle\nfor kind in (Bare, Full, Other, inspect.Signature):\n" +
        "  print(inspect.getsource(kind).splitlines()[:2])\n" +
        "print(pickle.loads(pickle.dumps(Bare())).kind)",
    );
    assertEquals(
      stdout,
      "['class Bare:', '  kind = 1']\n['class Full:', '  def f(self): pass']\n['class Other: pass']\n" +
        "['class Signature:', '    \"\"\"A Signature object represents the overall signature of a function.']\n1\n",
    );
  });

  engineCase(target, "script: a warning is told in each run", async ({ session }) => {
    for (const run of [1, 2]) {
      const { stderr } = await session.run(
        "import warnings\nwarnings.warn('old', DeprecationWarning)",
      );
      assertEquals(
        stderr,
        `<run-${run}>:2: DeprecationWarning: old\n  warnings.warn('old', DeprecationWarning)\n`,
      );
    }
  });

  engineCase(
    target,
    "script: what a program told the loop does not hold for the next one",
    async ({ session }) => {
      await session.run(
        "import asyncio\nloop = asyncio.get_running_loop()\nloop.set_task_factory(lambda *_, **__: 1 / 0)\n" +
          "loop.set_exception_handler(lambda *_: 1 / 0)\nloop.set_debug(True)",
      );
      const { stdout } = await session.run(
        "print(await asyncio.create_task(asyncio.sleep(0, 'made')), loop.get_debug(), loop.get_exception_handler())",
      );
      assertEquals(stdout, "made False None\n");
    },
  );

  engineCase(target, "script: context variables last as variables do", async ({ session }) => {
    await session.run(
      "import contextvars, decimal\ndecimal.getcontext().prec = 5\n" +
        "name = contextvars.ContextVar('name', default='')\nname.set('kept');",
    );
    assertEquals(
      (await session.run("print(decimal.Decimal(1) / 3, name.get())")).stdout,
      "0.33333 kept\n",
    );
  });

  check(
    "calls that began outside a loop are awaited inside it",
    "import asyncio\nasync def main(calls):\n" +
      "  first = await calls[0]\n  return [first, *await asyncio.gather(*calls[1:], runtime.list_servers())]\n" +
      "async def waited(call): return await asyncio.wait_for(call, 20)\n" +
      "calls = [runtime.list_servers() for _ in range(3)]\n" +
      "print(asyncio.run(main(calls)), asyncio.run(runtime.list_servers()), asyncio.run(waited(runtime.list_servers())))",
    "[[], [], [], []] [] []\n",
  );
  check(
    "tasks of the top level stand still while a loop of the program's own runs",
    "import asyncio\nasync def say(text): print(text)\ntask = asyncio.create_task(say('outside'))\n" +
      "asyncio.run(asyncio.sleep(0.01))\nprint('inside is over', len(asyncio.all_tasks()))\nawait task;",
    "inside is over 1\noutside\n",
  );
  check(
    "tool calls work in a loop that the program chose",
    "import asyncio\nasync def main(): return await asyncio.gather(runtime.list_servers(), runtime.list_servers())\n" +
      "loop = asyncio.SelectorEventLoop()\nprint(loop.run_until_complete(main()))\nloop.close()\n" +
      "with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner: print(runner.run(main()))",
    "[[], []]\n[[], []]\n",
  );
}
