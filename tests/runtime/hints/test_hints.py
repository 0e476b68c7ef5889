"""The line after a traceback that says what to do."""

from __future__ import annotations

import unittest

from execute_case import ExecuteTestCase


class HintTest(ExecuteTestCase):
    def hint(self, code: str) -> str | None:
        """The hint that code ends with; at most one."""
        lines = self.run_code(code).report.rstrip("\n").split("\n")
        hints = [line for line in lines if line.startswith("hint: ")]
        self.assertLessEqual(len(hints), 1)
        if hints:
            self.assertEqual(lines[-1], hints[0])
        return hints[0][6:] if hints else None

    def test_a_missing_key_is_answered_with_the_keys(self) -> None:
        self.assertEqual(self.hint("d = {'alpha': 1, 2: 3}\nd['alfa']"), "Did you mean 'alpha'? Keys there: 'alpha', 2")
        self.assertEqual(self.hint("d = {'a': [{'b': 1}]}\nd['a'][0]['c']"), "Keys there: 'b'")
        self.assertEqual(self.hint("def f(d, k):\n    return d[k]\nf({}, 'x')"), "The dict is empty")
        self.assertEqual(self.hint("d = {'ä': 1}\nx = 'ö'; d['é']"), "Keys there: 'ä'")

    def test_many_and_long_keys_are_cut(self) -> None:
        hint = self.hint("d = {f'{n}' * 50: n for n in range(100)}\nd['x']") or ""
        self.assertTrue(hint.endswith(" and 88 more"), hint)
        self.assertLess(len(hint), 700)

    def test_no_code_of_the_user_is_run_for_a_hint(self) -> None:
        code = """
class Loud(dict):
    def __getitem__(self, key): raise KeyError(key)
    def __iter__(self): print("iterated")
    def __repr__(self): print("shown")
    def __class_getitem__(cls, key): print("asked")
class Key:
    def __repr__(self): print("shown"); return "k"
    def __hash__(self): return 1
d = Loud(a=1)
plain = {Key(): 1}
"""
        self.run_code(code)
        for line in ("d['x']", "plain['x']", "f = lambda: print('called') or {}\nf()['x']"):
            ran = self.run_code(line)
            self.assertNotIn("iterated", ran.stdout)
            self.assertNotIn("shown", ran.stdout)
            self.assertLessEqual(ran.stdout.count("called"), 1)
        self.assertEqual(self.hint("plain['x']"), "Keys there: <Key>")

    def test_a_key_error_that_the_code_raises_itself_has_no_hint(self) -> None:
        self.assertIsNone(self.hint("d = {'a': 1}\nraise KeyError('b')"))
        self.assertIsNone(self.hint("import os\nos.environ['SURELY_NOT_SET']"))

    def test_values_that_are_something_else(self) -> None:
        for code, part in (
            ("d = {'a': 1}\nd.a", '["a"]'),
            ("d = {'a': 1}\nd.content", "without .content"),
            ("[1].get('a')", "list of 1"),
            ("x = 'text'\nx['a']", "The value is text"),
            ("x = '{}'\nx['a']", "json.loads"),
            ("x = [1, 2]\nx[5]", "The list has 2 items"),
            ("x = None\nx['a']", "None"),
            ("x = None\nx.a", "None"),
            ("await 3", "drop the `await`"),
            ("async def f(): pass\nc = f()\ntry: c.x\nfinally: c.close()", "await"),
            ("import json\njson.loads({})", "drop json.loads"),
            ("import json\njson.loads('no')", "it begins with 'no'"),
            ("import json\njson.dumps({1, 2})", "default=str"),
        ):
            self.assertIn(part, self.hint(code) or "", code)

    def test_what_a_sandbox_does_not_have(self) -> None:
        for code, part in (
            ("if 1: import yfinance", "no network"),
            ("if 1: import surely_not_there", "MCP_BRIDGE_IMAGE"),
            ("open('/surely/not/there')", "not the host's"),
            ("import subprocess\nsubprocess.run(['surely-not-there'])", "no such program"),
            ("raise MemoryError", "MCP_BRIDGE_MEMORY"),
            ("raise PermissionError(13, 'no', 'f')", "/tmp"),
            ("import socket\nraise socket.gaierror(-3, 'no')", "no network"),
            ("import urllib.error\nraise urllib.error.URLError('no')", "no network"),
            ("import sys, io\nsys.stdin = io.StringIO()\ninput()", "input()"),
            ("if 1: null", "None"),
            ("if 1: mcp_x.y()", "No MCP servers are configured"),
        ):
            self.assertIn(part, self.hint(code) or "", code)

    def test_a_name_of_a_session_that_is_gone(self) -> None:
        self.assertIn("first run", self.hint("frame.head()") or "")
        self.assertIsNone(self.hint("frame.head()"))

    def test_the_first_of_a_group_of_errors_is_answered(self) -> None:
        self.assertIn("no network", self.hint("import socket\nraise ExceptionGroup('g', [socket.gaierror()])") or "")

    def test_errors_that_say_enough_have_no_hint(self) -> None:
        self.run_code("1")
        for code in ("1 / 0", "x = count = 1\ncoun", "int('a')", "assert False", "raise ValueError('x')"):
            self.assertIsNone(self.hint(code), code)

    def test_a_traceback_has_no_frames_of_the_standard_library(self) -> None:
        report = self.run_code("import json\njson.loads('{')").report
        self.assertEqual(report.count("  File "), 1)
        self.assertIn("    json.loads('{')\n", report)

    def test_what_the_library_caught_inside_itself_is_not_shown(self) -> None:
        code = "import enum\nclass E(enum.Enum):\n    A = 1\nE(2)"
        self.assertNotIn("During handling", self.run_code(code).report)


if __name__ == "__main__":
    unittest.main()
