"""The look at code before it runs: all findings in one answer, nothing executed, in doubt none."""

from __future__ import annotations

import random
import unittest

from programs import DISCOVERED, SERVERS, AnsweringHost, examples
from sandbox_runtime.program import Refused, load


class PreflightTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = AnsweringHost().__enter__()
        self.addCleanup(self.host.__exit__)
        self.host.run("1", servers=SERVERS, discovered=DISCOVERED)
        self.names = self.host.kernel._namespace.names

    def findings(self, code: str) -> str:
        """What is reported of code, or nothing if it would run."""
        try:
            load(code, "<run-9>", self.names, DISCOVERED)
            return ""
        except Refused as refused:
            return refused.report

    def assert_found(self, code: str, *texts: str) -> None:
        report = self.findings(code)
        for text in texts:
            self.assertIn(text, report)

    def test_all_findings_come_at_once_and_nothing_is_executed(self) -> None:
        code = "print('ran')\nimport surely_missing\nmcp_wether.x()\nawait mcp_weather.get_weather(citi='O')\n"
        run_id = self.host.start(code, servers=SERVERS, discovered=DISCOVERED)
        done = self.host.finish(run_id)
        self.assertEqual(done["status"], "error")
        self.assertEqual(done["error"], "ModuleNotFoundError: No module named 'surely_missing'")
        self.assertEqual(self.host.text("stdout", run_id), "")
        report = self.host.text("stderr", run_id)
        for text in ("line 2", "line 3", "line 4", "Did you mean mcp_weather?", "did you mean 'city'"):
            self.assertIn(text, report)
        self.assertTrue(report.endswith("Nothing was run: 3 problems found before the start\n"))
        self.assertEqual(self.host.requests(), [])

    def test_a_server_that_is_only_discovered_can_be_added(self) -> None:
        self.assert_found("mcp_github.x()", 'Add "github" to the `servers` argument')

    def test_a_finding_is_in_code_that_is_certain_to_run(self) -> None:
        for code in (
            "for x in [1]:\n    mcp_nope.x()",
            "while True:\n    mcp_nope.x()",
            "with open('f') as f:\n    mcp_nope.x()",
            "try:\n    mcp_nope.x()\nfinally:\n    pass",
            "def f():\n    mcp_nope.x()\nf()",
            "async def f():\n    mcp_nope.x()\nawait f()",
            "import asyncio\nasync def f():\n    mcp_nope.x()\nasyncio.run(f())",
            "import asyncio\nasync def f(n):\n    mcp_nope.x()\nawait asyncio.gather(*[f(n) for n in 'ab'])",
            "class A:\n    x = mcp_nope.x",
            "x = [mcp_nope.x(n) for n in range(3)]",
            "def f(x=mcp_nope):\n    pass",
            "print(f'{mcp_nope.x}')",
            "if mcp_nope.ready():\n    pass",
        ):
            self.assert_found(code, "name 'mcp_nope' is not defined")

    def test_an_import_is_found_wherever_it_stands_in_its_line(self) -> None:
        self.assert_found("print(1); import surely_missing", "No module named 'surely_missing'")

    def test_code_that_may_not_run_is_left_alone(self) -> None:
        for code in (
            "if x:\n    mcp_nope.x()",
            "try:\n    mcp_nope.x()\nexcept NameError:\n    pass",
            "for x in []:\n    if x: continue\n    mcp_nope.x()",
            "def f(x):\n    if x: return\n    mcp_nope.x()\nf(1)",
            "def f():\n    mcp_nope.x()\n",
            "@safe\ndef f():\n    mcp_nope.x()\nf()",
            "import sys\nif True: sys.exit()\nmcp_nope.x()",
            "f = lambda: mcp_nope.x()",
            "x = y if z else mcp_nope",
            "y and mcp_nope.x()",
            "async def f():\n    mcp_nope.x()\nt = f()",
            "x = [mcp_nope.x(n) for n in y if n]",
            "match x:\n    case 1:\n        mcp_nope.x()",
            "raise ValueError\nmcp_nope.x()",
        ):
            self.assertEqual(self.findings(code), "", code)

    def test_names_that_the_program_makes_are_left_alone(self) -> None:
        for bind in (
            "mcp_nope = 1", "mcp_nope: int = 1", "(mcp_nope := 1)", "import os as mcp_nope",
            "def mcp_nope(): pass", "class mcp_nope: pass", "for mcp_nope in []: pass",
            "with x as mcp_nope: pass", "exec('mcp_nope = 1')", "globals()['mcp_nope'] = 1",
            "from x_y import *", "def f(mcp_nope): pass", "match 1:\n    case mcp_nope: pass",
        ):  # fmt: skip
            self.assertNotIn("mcp_nope", self.findings(f"{bind}\nmcp_nope.x()"), bind)

    def test_every_way_to_a_server_is_looked_at(self) -> None:
        for code in (
            "mcp_weather.get_wether",
            "mcp_servers['weather'].get_wether()",
            "mcp.servers.weather.get_wether()",
            "import mcp\nmcp.servers.weather.get_wether()",
            "from mcp.servers.weather import get_wether",
        ):
            self.assert_found(code, "has no tool 'get_wether'; did you mean 'get_weather'?")
        self.assert_found("mcp.servers.wether", "Did you mean mcp.servers.weather?")
        self.assert_found("mcp_servers['wether']", "Did you mean 'weather'?")
        self.assert_found("from mcp.servers.wether import x", "Did you mean mcp.servers.weather?")
        self.assert_found("from mcp import ClientSession", "ImportError", "mcp_<alias>")

    def test_unusual_calls_are_left_to_the_call(self) -> None:
        for code in (
            "mcp_weather.get_weather(**x)",
            "mcp_weather.get_weather(*x)",
            "mcp_weather.get_weather('a', **x)",
            "mcp_files.query(anything=1)",
            "mcp_weather.list_tools()",
        ):
            self.assertEqual(self.findings(code), "", code)

    def test_a_server_that_did_not_start_is_left_to_the_run(self) -> None:
        broken = [{"name": "broken", "alias": "broken", "tools": [], "error": "it exited with code 1"}]
        done = self.host.run("await mcp_broken.any()", servers=broken)
        self.assertEqual(done["error"], "MCPError: it exited with code 1")

    def test_fences_around_the_code_are_taken_off(self) -> None:
        for code in ("```python\nprint(1)\n```", "\n```py\nprint(1)\n```\n\n", "```\nprint(1)\n```", "~~~\n1\n~~~"):
            self.assertEqual(self.findings(code), "", code)
        report = self.findings("```python\nx = 1\nmcp_nope.x()\n```")
        self.assertIn('line 3\n    mcp_nope.x()\n', report)

    def test_the_rest_of_a_program_that_does_not_parse_is_looked_at(self) -> None:
        self.assert_found("import surely_missing\nx = = 1\nmcp_nope.x()", "SyntaxError", "surely_missing", "mcp_nope")
        # A name in the part that does not parse may be bound there.
        self.assertNotIn("NameError", self.findings("mcp_nope = = 1\nmcp_nope.x()"))

    def test_a_word_of_python_in_the_place_of_a_name_is_told(self) -> None:
        hint = "`{0}` is a word of Python itself: tools and arguments of that name are written `{0}_`"
        self.assert_found("await mcp_weather.class()", hint.format("class"))
        self.assert_found("x = f(1, from='a')", hint.format("from"))
        self.assertNotIn("a word of Python", self.findings("f(1 if 2, x == 3 = 4)"))

    def test_every_line_for_a_shell_is_named(self) -> None:
        report = self.findings("!pip install x\nif True:\n    !ls\n%time y\nprint(1)")
        self.assertEqual(report.count("SyntaxError"), 3)
        self.assertIn("3 problems", report)

    def test_many_findings_are_bounded(self) -> None:
        report = self.findings("\n".join(f"mcp_nope{n}.x()" for n in range(100)))
        self.assertIn("… and 90 more\n", report)
        self.assertLess(len(report), 4000)

    def test_no_text_makes_the_look_itself_fail(self) -> None:
        rng = random.Random(5)
        for example in examples():
            lines = example.code.split("\n")
            for _ in range(3):
                cut = rng.randrange(len(example.code) + 1)
                self.findings(example.code[:cut])
                at = rng.randrange(len(lines))
                self.findings("\n".join(lines[:at] + lines[at + 1 :]))
        for code in ("", "\r", "mcp\rmcp_x.y()", "\ufeffmcp_x", "(" * 150 + "mcp_x" + ")" * 150, "-" * 3000 + "mcp_x"):
            try:
                self.findings(code)
            except (RecursionError, MemoryError):
                pass  # Of Python's own parser: told as an error of the run.


if __name__ == "__main__":
    unittest.main()
