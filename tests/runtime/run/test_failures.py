"""``execute``: exceptions, their tracebacks and ``sys.exit``."""

from __future__ import annotations

import unittest

from execute_case import ExecuteTestCase
from sandbox_runtime.loop.interrupts import OWN_FOLDER
from sandbox_runtime.run.execute import Outcome


class TracebackTest(ExecuteTestCase):
    def test_an_exception_is_an_outcome_and_its_traceback_starts_in_the_code(self) -> None:
        ran = self.run_code("def f():\n    return 1 / 0\nf()")
        self.assertEqual(ran.outcome, Outcome("error", "ZeroDivisionError: division by zero"))
        lines = ran.report.splitlines()
        self.assertEqual(lines[0], "Traceback (most recent call last):")
        self.assertEqual(lines[1], '  File "<run-1>", line 3, in <module>')
        self.assertEqual(lines[2], "    f()")
        self.assertEqual(lines[-1], "ZeroDivisionError: division by zero")
        self.assertNotIn(OWN_FOLDER, ran.report)

    def test_a_function_of_an_earlier_run_shows_its_line(self) -> None:
        self.run_code("def f():\n    raise KeyError('gone')")
        ran = self.run_code("f()")
        self.assertIn('  File "<run-2>", line 1, in <module>\n', ran.report)
        self.assertIn('  File "<run-1>", line 2, in f\n    raise KeyError(\'gone\')\n', ran.report)

    def test_a_failure_after_an_await_has_no_frames_of_ours(self) -> None:
        ran = self.run_code("import asyncio\nawait asyncio.sleep(0)\nraise ValueError('late')")
        self.assertEqual(ran.outcome, Outcome("error", "ValueError: late"))
        self.assertNotIn(OWN_FOLDER, ran.report)

    def test_a_syntax_error_names_the_line_and_the_reason(self) -> None:
        ran = self.run_code("x = 1\ny = = 2")
        self.assertEqual(ran.outcome, Outcome("error", "SyntaxError: invalid syntax"))
        self.assertIn('  File "<run-1>", line 2\n    y = = 2\n', ran.report)
        self.assertTrue(ran.report.endswith("SyntaxError: invalid syntax\n"))
        self.assertNotIn(OWN_FOLDER, ran.report)

    def test_nothing_runs_of_code_with_a_syntax_error(self) -> None:
        self.assertEqual(self.run_code("print('ran')\nx = = 2").stdout, "")

    def test_a_null_character_is_an_error_and_no_crash(self) -> None:
        self.assertEqual(self.run_code("x = '\0'").outcome.status, "error")

    def test_code_nested_too_deeply_is_an_error_and_no_crash(self) -> None:
        self.assertEqual(self.run_code("(" * 5000 + ")" * 5000).outcome.status, "error")

    def test_endless_recursion_is_an_error(self) -> None:
        ran = self.run_code("def f():\n    f()\nf()")
        self.assertIn("RecursionError", ran.outcome.error or "")

    def test_chained_exceptions_are_all_shown_without_our_frames(self) -> None:
        code = """
def inner():
    raise KeyError("first")
try:
    inner()
except KeyError as error:
    try:
        raise ValueError("second") from error
    except ValueError:
        raise TypeError("third")
"""
        ran = self.run_code(code)
        self.assertEqual(ran.outcome, Outcome("error", "TypeError: third"))
        for part in ("KeyError: 'first'", "ValueError: second", "TypeError: third"):
            self.assertIn(part, ran.report)
        self.assertIn("was the direct cause of", ran.report)
        self.assertIn("another exception occurred", ran.report)
        self.assertNotIn(OWN_FOLDER, ran.report)

    def test_an_exception_group_is_shown_whole_without_our_frames(self) -> None:
        code = """
import asyncio
async def fail(text):
    raise ValueError(text)
async with asyncio.TaskGroup() as group:
    group.create_task(fail("one"))
    group.create_task(fail("two"))
"""
        ran = self.run_code(code)
        self.assertRegex(ran.outcome.error or "", r"^ExceptionGroup: .*\(2 sub-exceptions\)$")
        self.assertIn("ValueError: one", ran.report)
        self.assertIn("ValueError: two", ran.report)
        self.assertNotIn(OWN_FOLDER, ran.report)

    def test_a_keyboard_interrupt_of_the_code_itself_is_an_error(self) -> None:
        ran = self.run_code("raise KeyboardInterrupt")
        self.assertEqual(ran.outcome, Outcome("error", "KeyboardInterrupt"))


class DescribeTest(ExecuteTestCase):
    def test_an_exception_without_a_message_is_its_name(self) -> None:
        self.assertEqual(self.run_code("raise ValueError").outcome.error, "ValueError")

    def test_an_exception_with_a_broken_str_is_still_reported(self) -> None:
        code = """
class Broken(Exception):
    def __str__(self):
        raise RuntimeError("no str either")
raise Broken
"""
        ran = self.run_code(code)
        self.assertEqual(ran.outcome.error, "Broken: <exception str() failed>")
        self.assertIn("Broken: <exception str() failed>", ran.report)

    def test_a_lone_surrogate_in_a_message_is_shown_with_backslashreplace(self) -> None:
        ran = self.run_code("raise ValueError('a\\ud800b')")
        self.assertEqual(ran.outcome.error, "ValueError: a\\ud800b")

    def test_a_huge_message_is_cut_in_the_error_and_whole_in_the_report(self) -> None:
        ran = self.run_code("raise ValueError('x' * 1_000_000)")
        self.assertEqual(len(ran.outcome.error or ""), 64 * 1024)
        self.assertIn("x" * 1_000_000, ran.report)


class ExitTest(ExecuteTestCase):
    def assert_exits(self, argument: str, exit_code: int, report: str = "") -> None:
        ran = self.run_code(f"import sys\nsys.exit({argument})")
        self.assertEqual(ran.outcome, Outcome("exit", exit_code=exit_code))
        self.assertIs(type(ran.outcome.exit_code), int)
        self.assertEqual(ran.report, report)

    def test_exit_without_a_code_is_0(self) -> None:
        self.assert_exits("", 0)

    def test_exit_with_none_is_0(self) -> None:
        self.assert_exits("None", 0)

    def test_exit_with_0_is_0(self) -> None:
        self.assert_exits("0", 0)

    def test_exit_with_false_is_0(self) -> None:
        self.assert_exits("False", 0)

    def test_exit_with_true_is_1(self) -> None:
        self.assert_exits("True", 1)

    def test_exit_with_a_number_is_that_number(self) -> None:
        self.assert_exits("3", 3)
        self.assert_exits("-1", -1)

    def test_exit_with_a_message_reports_it_and_is_1(self) -> None:
        self.assert_exits("'msg'", 1, "msg\n")

    def test_exit_with_a_number_beyond_32_bits_is_1(self) -> None:
        self.assert_exits("10 ** 30", 1)
        self.assert_exits("-(10 ** 5000)", 1)

    def test_exit_with_an_object_that_cannot_be_printed_is_1(self) -> None:
        self.run_code("class Broken:\n    def __str__(self):\n        raise ValueError")
        self.assert_exits("Broken()", 1, "<exception str() failed>\n")

    def test_exit_in_an_awaited_coroutine_is_the_exit_of_the_run(self) -> None:
        code = "import sys\nasync def leave():\n    sys.exit(4)\nawait leave()"
        self.assertEqual(self.run_code(code).outcome, Outcome("exit", exit_code=4))


if __name__ == "__main__":
    unittest.main()
