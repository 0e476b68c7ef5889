"""``execute``: values, awaits, failures and the memory of sources."""

from __future__ import annotations

import asyncio
import inspect
import linecache
import unittest

from execute_case import ExecuteTestCase
from sandbox_runtime.run import sources
from sandbox_runtime.run.execute import Outcome, execute


class EchoTest(ExecuteTestCase):
    def test_the_last_expression_is_echoed_as_its_repr(self) -> None:
        self.assert_echoes("x = 'a'\nx", "'a'\n")

    def test_an_expression_before_the_last_is_not_echoed(self) -> None:
        self.assert_echoes("1\n2", "2\n")

    def test_a_semicolon_at_the_end_suppresses_the_echo(self) -> None:
        self.assert_echoes("1;", "")
        self.assert_echoes("1 ;  \n\n", "")
        self.assert_echoes("'ä';  # note", "")

    def test_a_semicolon_in_a_comment_does_not(self) -> None:
        self.assert_echoes("1  # note;", "1\n")

    def test_none_is_not_echoed(self) -> None:
        self.assert_echoes("None", "")
        self.assert_echoes("[].append(1)", "")

    def test_a_statement_on_the_last_line_is_not_echoed(self) -> None:
        self.assert_echoes("1\nx = 2", "")

    def test_a_lone_string_is_a_value_and_no_docstring(self) -> None:
        self.assert_echoes("'text'", "'text'\n")

    def test_code_that_is_empty_or_a_comment_succeeds(self) -> None:
        self.assert_echoes("", "")
        self.assert_echoes("# nothing\n", "")

    def test_underscore_is_the_last_value_echoed(self) -> None:
        self.run_code("41")
        self.assert_echoes("_ + 1", "42\n")
        self.run_code("None")
        self.assert_echoes("_", "42\n")

    def test_a_broken_repr_is_a_failure_of_the_code(self) -> None:
        code = "class Broken:\n    def __repr__(self):\n        raise ValueError('no repr')\nBroken()"
        self.assertEqual(self.run_code(code).outcome, Outcome("error", "ValueError: no repr"))


class NamespaceTest(ExecuteTestCase):
    def test_names_stay_for_the_next_run(self) -> None:
        self.run_code("import math\ndef half(x):\n    return math.floor(x / 2)")
        self.assert_echoes("half(9)", "4\n")

    def test_names_set_before_a_failure_stay(self) -> None:
        self.run_code("kept = 1\nraise ValueError")
        self.assert_echoes("kept", "1\n")

    def test_a_future_import_of_ours_does_not_reach_the_code(self) -> None:
        self.run_code("def f(x: int): ...")
        self.assertIs(inspect.signature(self.namespace["f"]).parameters["x"].annotation, int)


class AwaitTest(ExecuteTestCase):
    def test_await_works_at_the_top_level(self) -> None:
        self.assert_echoes("import asyncio\nx = await asyncio.sleep(0, 'slept')\nx", "'slept'\n")

    def test_await_works_in_the_last_expression(self) -> None:
        self.assert_echoes("import asyncio\nawait asyncio.sleep(0, 'slept')", "'slept'\n")

    def test_async_for_and_async_with_work_at_the_top_level(self) -> None:
        code = """
import contextlib
@contextlib.asynccontextmanager
async def numbers():
    async def count():
        yield 1
        yield 2
    yield count()
async with numbers() as each:
    found = [n async for n in each]
found
"""
        self.assert_echoes(code, "[1, 2]\n")

    def test_gather_runs_in_parallel(self) -> None:
        code = """
import asyncio
order = []
async def say(first, second):
    order.append(first)
    await asyncio.sleep(0)
    order.append(second)
await asyncio.gather(say("a", "c"), say("b", "d"))
"".join(order)
"""
        self.assert_echoes(code, "'abcd'\n")


class CancellationTest(ExecuteTestCase):
    def test_the_cancellation_of_an_inner_task_is_an_error(self) -> None:
        code = "import asyncio\ntask = asyncio.ensure_future(asyncio.sleep(9))\ntask.cancel()\nawait task"
        ran = self.run_code(code)
        self.assertEqual(ran.outcome, Outcome("error", "CancelledError"))
        self.assertIn("CancelledError", ran.report)

    def test_a_cancelled_error_raised_by_the_code_is_an_error(self) -> None:
        ran = self.run_code("import asyncio\nraise asyncio.CancelledError('mine')")
        self.assertEqual(ran.outcome, Outcome("error", "CancelledError: mine"))

    def test_a_timeout_inside_the_code_is_its_own_affair(self) -> None:
        code = """
import asyncio
try:
    async with asyncio.timeout(0.01):
        await asyncio.sleep(60)
except TimeoutError:
    print("timed out")
"""
        self.assert_echoes(code, "timed out\n")

    def test_the_cancellation_of_the_run_itself_is_an_interrupt(self) -> None:
        async def cancel_while_it_awaits() -> Outcome:
            run = execute(
                "import asyncio\nawait asyncio.sleep(60)",
                "<run-1>",
                {},
                report=lambda text: self.fail(f"Reported: {text}"),
                gate=self.gate,
                settle=lambda: asyncio.sleep(0),
                echo=print,
            )
            task = asyncio.ensure_future(run)
            await asyncio.sleep(0.01)
            task.cancel()
            return await task

        place = "line 2: await asyncio.sleep(60)"
        self.assertEqual(asyncio.run(cancel_while_it_awaits()), Outcome("interrupted", place=place))


class SourceMemoryTest(ExecuteTestCase):
    def test_the_source_of_a_function_can_be_read(self) -> None:
        self.run_code("def f():\n    return 1\n")
        self.assertEqual(inspect.getsource(self.namespace["f"]), "def f():\n    return 1\n")

    def test_sources_are_bounded_and_the_oldest_go_first(self) -> None:
        comment = "# " + "x" * (1024 * 1024)
        for _ in range(8):
            self.run_code(comment)
        kept = sum(sources._sizes.values())
        self.assertLessEqual(kept, 4 * 1024 * 1024)
        self.assertNotIn("<run-1>", linecache.cache)
        self.assertIn("<run-8>", linecache.cache)

    def test_a_source_beyond_the_bound_is_kept_while_it_is_the_last(self) -> None:
        ran = self.run_code("raise ValueError\n#" + "x" * (5 * 1024 * 1024))
        self.assertIn("    raise ValueError\n", ran.report)
        self.run_code("1")
        self.assertNotIn("<run-1>", linecache.cache)


if __name__ == "__main__":
    unittest.main()
