"""A test case that runs code with ``execute`` alone, without a kernel."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import io
import unittest
from dataclasses import dataclass
from typing import Any

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.loop.interrupts import InterruptGate
from sandbox_runtime.run.echo import Echo
from sandbox_runtime.run.execute import Outcome, execute


@dataclass
class Ran:
    """What came of one piece of code."""

    outcome: Outcome
    stdout: str
    #: What was reported, as the host shows it on stderr.
    report: str


class ExecuteTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.namespace: dict[str, Any] = {"__name__": "__main__"}
        self.echo = Echo(self.namespace)
        self.gate = InterruptGate()
        self._runs = 0

    def run_code(self, code: str) -> Ran:
        """Run code in this test's namespace, as the run with the next number."""
        self._runs += 1
        reported: list[str] = []
        with contextlib.redirect_stdout(io.StringIO()) as stdout:
            outcome = asyncio.run(
                execute(
                    code,
                    f"<run-{self._runs}>",
                    self.namespace,
                    report=reported.append,
                    gate=self.gate,
                    settle=lambda: asyncio.sleep(0),
                    echo=functools.partial(self.echo.show, run=self._runs),
                )
            )
        return Ran(outcome, stdout.getvalue(), "".join(reported))

    def assert_echoes(self, code: str, expected: str) -> None:
        """Assert that code succeeds and prints exactly this."""
        ran = self.run_code(code)
        self.assertEqual((ran.outcome, ran.report), (Outcome("ok"), ""))
        self.assertEqual(ran.stdout, expected)
