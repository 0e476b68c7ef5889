"""The look at code before it runs: all findings in one answer, nothing executed, in doubt none."""

from __future__ import annotations

import ast
import pathlib
import random
import sys
import tempfile
import time
import traceback
import unittest

from programs import DISCOVERED, SERVERS, AnsweringHost, examples
from sandbox_runtime.preflight.syntax_help import without_fence
from sandbox_runtime.run.program import Refused, load


class PreflightTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = AnsweringHost().__enter__()
        self.addCleanup(self.host.__exit__)
        self.host.run("1", servers=SERVERS, discovered=DISCOVERED)
        self.names = self.host.kernel._namespace.names

    def findings(self, code: str) -> str:
        """What is reported of code, or nothing if it would run."""

        async def look() -> str:
            try:
                load(code, "<run-9>", self.names, DISCOVERED)
                return ""
            except Refused as refused:
                return refused.report

        return self.host.loop.run_until_complete(look())

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

    def test_what_is_certain_to_be_reached_is_a_finding(self) -> None:
        for code in (
            "print(f'{mcp_nope.x}')",
            "for x in await mcp_nope.x():\n    pass",
            "if mcp_nope.ready():\n    pass",
            "x = [n for n in mcp_nope.x()]",
            "x = mcp_nope.x() if mcp_nope.ready() else 1",
            "x = mcp_nope.x() and 1",
            "assert mcp_nope.ready(), 'text'",
        ):
            report = self.findings(code)
            place = f'  File "<run-9>", line 1\n    {code.partition(chr(10))[0]}\n'
            self.assertTrue(report.startswith(f"{place}NameError: name 'mcp_nope' is not defined\nhint: "), report)

    def test_harmless_code_may_stand_before_it(self) -> None:
        for code in (
            "import asyncio, json, os.path\nfrom datetime import date",
            "cities = ['Oslo', 'Lima']\nfor city in cities:\n    r = await mcp_weather.get_weather(city=city)\n    print(r)",
            "import asyncio\nx = await asyncio.gather(*[mcp_weather.get_weather(city=c) for c in 'ab'])",
            "x = await mcp_todo.list_items()\nx = sorted(x, key=lambda row: row['id'])\nx.append(x[0].get('title'))",
            "try:\n    x = await mcp_todo.list_items()\nexcept Exception as e:\n    print('failed', e)",
            "from mcp.servers.weather import get_weather\nprint(await get_weather('Oslo'))",
            "async def f(rows: list[dict], size=3) -> str:\n    mcp_nope.y()\nclass A:\n    def f(self): mcp_nope.z()",
            "n = 0\nn += 1\nd = {'a': n}\nd['b'] = n if n else -n\nif (m := n) and d:\n    pass\nelse:\n    n = 2",
        ):
            self.assertIn("name 'mcp_nope' is not defined", self.findings(f"{code}\nmcp_nope.x()"), code)

    def test_an_import_is_found_wherever_it_stands_in_its_line(self) -> None:
        self.assert_found("print(1); import surely_missing", "No module named 'surely_missing'")

    def test_code_that_may_not_run_is_left_alone(self) -> None:
        for code in (
            "if x:\n    mcp_nope.x()",
            "try:\n    mcp_nope.x()\nexcept NameError:\n    pass",
            "for x in list(''):\n    mcp_nope.x()",
            "while True:\n    mcp_nope.x()",
            "def f(x):\n    if x: return\n    mcp_nope.x()\nf(1)",
            "def f():\n    mcp_nope.x()\n",
            "@safe\ndef f():\n    mcp_nope.x()\nf()",
            "import sys\nif True: sys.exit()\nmcp_nope.x()",
            "f = lambda: mcp_nope.x()",
            "x = y if z else mcp_nope",
            "y = 0\ny and mcp_nope.x()",
            "y = 0\n1 < y < mcp_nope.x()",
            "async def f():\n    mcp_nope.x()\nt = f()",
            "x = [mcp_nope.x(n) for n in '']",
            "x = (mcp_nope.x(n) for n in 'ab')",
            "match x:\n    case 1:\n        mcp_nope.x()",
            "raise SystemExit\nmcp_nope.x()",
            "assert 1, mcp_nope.x()",
        ):
            self.assertEqual(self.findings(code), "", code)

    def test_what_the_program_itself_calls_may_do_anything(self) -> None:
        for code in (
            "class T:\n    def print(self): import surely_missing\nprint('rows')",
            "def outer():\n    def sorted(x): import surely_missing\nprint(sorted([2, 1]))",
            "class Runner:\n    def run(self, x): pass\nRunner().run(lambda: mcp_nope.x())",
            "async def gather(*x): pass\nasync def f(): mcp_nope.x()\nawait gather(f())",
            "import contextlib\nwith contextlib.suppress(Exception):\n    import surely_missing",
            "import os\nos.chdir('/tmp')\nimport surely_missing",
            "import sys\nsys.path.append('/tmp')\nimport surely_missing",
            "open('surely_missing.py', 'w').close()\nimport surely_missing",
            "save_file('surely_missing.py', '')\nimport surely_missing",
            "print = exit\nprint(0)\nmcp_nope.x()",
            "x = str\nfor n in 'ab':\n    x(0)\n    x = exit\nmcp_nope.x()",
            "class A:\n    def __str__(self): exit(0)\nprint(f'{A()}')\nmcp_nope.x()",
            "sorted([1], key=lambda n: exit(0))\nmcp_nope.x()",
            "import json\njson.codecs.sys.exit()\nmcp_nope.x()",
            "(n for n in '').gi_frame.f_globals.update(mcp_nope=1)\nmcp_nope.x",
            "mcp_servers['nope'] = 1\nmcp_servers['nope'].x()",
            "mcp_servers.update(nope=1)\nmcp_servers['nope'].x()",
            "mcp_weather.nope = print\nmcp_weather.nope()",
        ):
            self.assertEqual(self.findings(code), "", code)

    def test_names_of_earlier_runs_may_do_anything_but_for_data(self) -> None:
        self.host.run("def save(x): exit(0)\nclass A:\n    __str__ = exit\nrows, odd, print = [{'a': 1}], [A()], exit")
        for code in ("save(1)", "x = f'{odd}'", "print(1)", "for n in odd: pass", "if 0: odd = 1\nstr(odd)"):
            self.assertEqual(self.findings(f"{code}\nmcp_nope.x()"), "", code)
        for code in ("rows[0]['a'] + 1", "odd = 1\nstr(odd)"):
            self.assertIn("mcp_nope", self.findings(f"{code}\nmcp_nope.x()"), code)

    def test_modules_that_earlier_runs_changed_may_do_anything(self) -> None:
        self.addCleanup(setattr, time, "sleep", time.sleep)
        self.host.run("import time\ntime.sleep = lambda _: exit(0)", servers=SERVERS, discovered=DISCOVERED)
        for code in ("import time\ntime.sleep(1)", "from time import sleep\nsleep(1)"):
            self.assertEqual(self.findings(f"{code}\nmcp_nope.x()"), "", code)
        self.assertIn("mcp_nope", self.findings("import json\njson.dumps(1)\nmcp_nope.x()"))

    def test_a_module_in_the_folder_is_not_the_one_of_the_same_name_in_the_library(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "colorsys.py").write_text("raise SystemExit")
            sys.path.insert(0, folder)
            self.addCleanup(sys.path.remove, folder)
            for code in ("import colorsys", "from colorsys import x", "from unittest import __main__"):
                self.assertEqual(self.findings(f"{code}\nmcp_nope.x()"), "", code)
            self.assertIn("mcp_nope", self.findings("import sched, csv\nmcp_nope.x()"))

    def test_what_an_earlier_run_left_going_may_still_make_what_is_missing(self) -> None:
        self.host.run("import asyncio\ntask = asyncio.create_task(asyncio.sleep(60))", servers=SERVERS, discovered=DISCOVERED)
        self.assertEqual(self.findings("await mcp_todo.list_items()\nmcp_nope.x()"), "")
        self.host.run("task.cancel()\nawait asyncio.wait([task])", servers=SERVERS, discovered=DISCOVERED)
        self.assert_found("await mcp_todo.list_items()\nmcp_nope.x()", "mcp_nope")

    def test_what_is_let_through_fails_with_the_same_words(self) -> None:
        for code in (
            "mcp_wether.x()",
            "mcp_github.x()",
            "console.log(1)",
            "true",
            "await mcp_weather.get_wether(city='x')",
            "await mcp_weather.get_weather(citty='x')",
            "mcp_servers['wether']",
            "mcp_servers['github']",
            "mcp.servers.github",
            "from mcp.servers.weather import get_wether",
            "from mcp.servers.wether import x",
            "from mcp.servers import wether",
            "from mcp import ClientSession",
            "import mcp.client.stdio",
            "import surely_missing.part",
            "import yfinance",
        ):
            checked = self.host.start(code, servers=SERVERS, discovered=DISCOVERED)
            error = self.host.finish(checked)["error"]
            ran = self.host.start(f"while True:\n    {code}", servers=SERVERS, discovered=DISCOVERED)
            self.assertEqual(self.host.finish(ran)["error"], error)
            self.assertIn("Nothing was run", self.host.text("stderr", checked))
            self.assertIn("Traceback", self.host.text("stderr", ran))
            self.assertEqual(self._hints(ran), self._hints(checked), code)

    def _hints(self, run_id: str) -> list[str]:
        return [line for line in self.host.text("stderr", run_id).split("\n") if line.startswith("hint: ")]

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
                at = rng.randrange(len(lines))
                for code in (example.code[:cut], "\n".join(lines[:at] + lines[at + 1 :])):
                    self.assert_refused_as_python_does(code)
        for code in ("", "\r", "mcp\rmcp_x.y()", "\ufeffmcp_x", "x = " + "(" * 150 + "1" + ")" * 150):
            self.assert_refused_as_python_does(code)

    def assert_refused_as_python_does(self, code: str) -> None:
        """What does not parse has Python's own message first; what parses is told of names and modules only."""
        report = self.findings(code)
        try:
            compile(without_fence(code) or code, "<run-9>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        except SyntaxError as error:
            told = traceback.format_exception_only(error)[-1].rstrip("\n")
            self.assertIn(told, report.split("\n"), code)
        else:
            self.assertNotRegex(report, r"(?m)^(?:Syntax|Indentation|Tab)Error", code)

    def test_code_that_is_nested_too_deeply_is_an_error_of_python(self) -> None:
        for code in ("(" * 1000 + "mcp_x" + ")" * 1000, "-" * 100_000 + "mcp_x"):
            with self.subTest(code[:3]):
                done = self.host.run(code, servers=SERVERS, discovered=DISCOVERED)
                self.assertRegex(done["error"], "^(?:SyntaxError|MemoryError|RecursionError|NameError)")


if __name__ == "__main__":
    unittest.main()
