"""Correct programs pass untouched: the look before a run finds nothing in them, and they run."""

from __future__ import annotations

import ast
import asyncio
import os
import sys
import tempfile
import unittest
from unittest import mock

from programs import DISCOVERED, SERVERS, AnsweringHost, examples
from sandbox_runtime.run import program


class ProgramsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def test_every_cell_prints_what_it_should_and_nothing_is_found_in_it(self) -> None:
        titles: list[str] = []
        host: AnsweringHost | None = None
        for example in examples("cells"):
            with self.subTest(example.title):
                titles.append(example.title)
                if host is None or not example.continues:
                    if host is not None:
                        host.__exit__()
                    host = AnsweringHost().__enter__()
                with mock.patch.object(program, "_refuse", self._no_findings):
                    run_id = host.start(example.code, servers=SERVERS, discovered=DISCOVERED)
                    done = host.finish(run_id)
                stderr = host.text("stderr", run_id)
                self.assertIn(done["status"], ("ok", "exit"), stderr)
                self.assertEqual(stderr, "")
                self.assertEqual(host.text("stdout", run_id), example.stdout)
        if host is not None:
            host.__exit__()
        self.assertGreaterEqual(len(titles), 100)
        self.assertEqual(len(set(titles)), len(titles))

    def test_nothing_is_found_in_a_script(self) -> None:
        # That they run, and what they print, is for the differential suite: it has the Python they are for.
        checked = 0
        with mock.patch.object(program, "_refuse", self._no_findings):
            for example in examples("scripts"):
                if sys.version_info < (3, 14) and not _parses(example.code):
                    continue
                checked += 1
                with self.subTest(example.title):
                    asyncio.run(self._load(example.code))
        self.assertGreaterEqual(checked, 100)

    async def _load(self, code: str) -> None:
        program.load(code, "<run-1>", {}, DISCOVERED)

    def _no_findings(self, findings: list[object]) -> None:
        self.assertEqual(findings, [])


def _parses(code: str) -> bool:
    try:
        ast.parse(code)
    except SyntaxError:
        return False
    return True


if __name__ == "__main__":
    unittest.main()
