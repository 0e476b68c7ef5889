"""``loops``: programs that start a loop of their own, although one is running."""

from __future__ import annotations

import unittest

from process_host import RuntimeProcess

MAIN = "import asyncio\nasync def main():\n    await asyncio.sleep(0.01)\n    return 5\n"


class LoopTest(unittest.TestCase):
    def setUp(self) -> None:
        self.process = self.enterContext(RuntimeProcess())

    def assert_prints(self, code: str, expected: str) -> None:
        self.assertEqual(self.process.run(MAIN + code).stdout, expected)

    def test_the_ways_a_script_runs_a_coroutine(self) -> None:
        own_loop = (
            "loop = asyncio.new_event_loop()\nasyncio.set_event_loop(loop)\n"
            "try: print(loop.run_until_complete(main()))\nfinally: loop.close()"
        )
        for code in (
            "print(asyncio.run(main()))",
            "print(asyncio.get_event_loop().run_until_complete(main()))",
            own_loop,
            "with asyncio.Runner() as runner: print(runner.run(main()))",
            "def f(): return asyncio.run(main())\nprint(f())",
        ):
            with self.subTest(code):
                self.assert_prints(code, "5\n")

    def test_other_tasks_stand_still_meanwhile_and_go_on_afterwards(self) -> None:
        self.assert_prints(
            "async def tick():\n"
            "    for i in range(3):\n        print(i)\n        await asyncio.sleep(0)\n"
            "task = asyncio.create_task(tick())\n"
            "print(asyncio.run(main()))\nawait task\nprint(await main())",
            "5\n0\n1\n2\n5\n",
        )

    def test_other_tasks_go_on_in_the_loop_that_is_running(self) -> None:
        self.assert_prints(
            "async def tick():\n"
            "    for i in range(3):\n        print(i)\n        await asyncio.sleep(0)\n"
            "task = asyncio.create_task(tick())\n"
            "print(asyncio.get_event_loop().run_until_complete(main()))",
            "0\n1\n2\n5\n",
        )

    def test_the_running_loop_runs_until_it_is_stopped(self) -> None:
        self.assert_prints(
            "loop = asyncio.get_event_loop()\nloop.call_later(0.01, loop.stop)\nloop.run_forever()\nprint(await main())",
            "5\n",
        )

    def test_a_run_inside_a_run_inside_a_run(self) -> None:
        self.assert_prints(
            "async def outer(): return asyncio.run(middle())\n"
            "async def middle(): return asyncio.run(main()) + 1\n"
            "print(asyncio.run(outer()), await asyncio.gather(outer(), main()))",
            "6 [6, 5]\n",
        )

    def test_what_it_raises_arrives(self) -> None:
        self.assert_prints(
            "async def fail(): raise KeyError('x')\n"
            "try: asyncio.run(fail())\nexcept KeyError as e: print('caught', e)",
            "caught 'x'\n",
        )

    def test_exit_inside_ends_the_run(self) -> None:
        done = self.process.run(MAIN + "import sys\nasync def stop(): sys.exit(4)\nasyncio.run(stop())").done
        self.assertEqual((done["status"], done["exit_code"]), ("exit", 4))

    def test_a_task_that_exits_ends_alone(self) -> None:
        self.assert_prints(
            "import sys\nasync def stop(): sys.exit(4)\nt = asyncio.create_task(stop())\nprint(asyncio.run(main()))",
            "5\n",
        )

    def test_something_else_than_a_coroutine_is_refused_in_words(self) -> None:
        done = self.process.run(MAIN + "asyncio.run(main)")
        self.assertRegex(done.error, r"ValueError: a coroutine was expected|TypeError: An asyncio.Future, a coroutine")
        self.assertIn("hint: Call it, as in asyncio.run(main())\n", done.stderr)

    def test_other_threads_have_loops_of_their_own(self) -> None:
        self.assert_prints(
            "import threading\nt = threading.Thread(target=lambda: print(asyncio.run(main())))\n"
            "t.start()\nt.join()",
            "5\n",
        )

    def test_an_interrupt_ends_it_and_the_session_goes_on(self) -> None:
        run_id = self.process.start(MAIN + "x = 1\nprint('in')\nasyncio.run(asyncio.sleep(60))")
        self.process.wait_for_stdout("in")
        self.process.interrupt(run_id)
        self.assertEqual(self.process.finish(run_id).status, "interrupted")
        self.assertEqual(self.process.run("print(x)").stdout, "1\n")
