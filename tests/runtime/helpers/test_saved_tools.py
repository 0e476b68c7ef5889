"""Saved tools: from a function of one session to a global of the next."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import linecache
import sys
import textwrap
import traceback
import unittest
from types import ModuleType
from typing import Any

from .memory_host import MemoryHost
from sandbox_runtime.helpers import saved_tools
from sandbox_runtime.rpc import MCPError

_RUNS = itertools.count(1)


def shelve(tools: list[dict[str, Any]], names: dict[str, Any]) -> saved_tools.Shelf:
    """Tools as globals of a session whose first program names them all."""
    shelf = saved_tools.Shelf(names)
    shelf.add(tools)
    shelf.take(" ".join(tool["name"] for tool in tools))
    return shelf


class SavedToolsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = MemoryHost()
        functions = saved_tools.functions(self.host)  # type: ignore[arg-type]
        self.save, self.list, self.delete = functions.values()
        runtime = ModuleType("mcp.runtime")
        vars(runtime).update(functions, MCPError=MCPError, __all__=[*functions, "MCPError"])
        self.addCleanup(sys.modules.__setitem__, "mcp.runtime", sys.modules.get("mcp.runtime"))
        sys.modules["mcp.runtime"] = runtime
        self.names: dict[str, Any] = {"__name__": "__main__", **functions}

    def run_code(self, code: str) -> dict[str, Any]:
        """Run code as a run does, and give its names."""
        code = textwrap.dedent(code)
        filename = f"<run-saved-{next(_RUNS)}>"
        linecache.cache[filename] = (len(code), None, code.splitlines(True), filename)
        exec(compile(code, filename, "exec"), self.names)
        return self.names

    def later(self, code: str, name: str = "f") -> dict[str, Any]:
        """The names of a later session, after a function of this code was saved."""
        self.save(self.run_code(code)[name])
        return self.load()

    def load(self) -> dict[str, Any]:
        names: dict[str, Any] = {"__name__": "__main__"}
        shelve(list(self.host.tools.values()), names)
        return names

    def refused(self, code: str, name: str = "f") -> str:
        with self.assertRaises((ValueError, TypeError)) as caught:
            self.save(self.run_code(code)[name])
        self.assertEqual(self.host.tools, {})
        return str(caught.exception)

    def test_a_function_is_a_global_of_a_later_session(self) -> None:
        names = self.later('def f(a: int, *, b="x") -> str:\n    """Joins.\n\n    More."""\n    return f"{a}{b}"')
        self.assertEqual(names["f"](1), "1x")
        self.assertIn("More.", inspect.getsource(names["f"]))
        (listed,) = self.list()
        self.assertEqual(
            (listed["name"], listed["signature"], listed["description"]),
            ("f", "f(a: int, *, b='x') -> str", "Joins."),
        )

    def test_an_async_function_stays_one(self) -> None:
        names = self.later("import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 1")
        self.assertTrue(inspect.iscoroutinefunction(names["f"]))
        self.assertEqual(asyncio.run(names["f"]()), 1)
        self.assertEqual(self.list()[0]["signature"], "async f()")

    def test_saving_again_replaces_and_deleting_removes(self) -> None:
        self.later("def f(): return 1")
        self.assertEqual(self.later("def f(): return 2")["f"](), 2)
        self.assertEqual((bool(self.delete("f")), bool(self.delete("f"))), (True, False))
        self.assertNotIn("f", self.load())

    def test_what_it_imported_comes_along(self) -> None:
        imports = """
        import math, json as j, os.path
        from datetime import datetime as dt
        from collections import Counter
        from typing import Any, Optional
        """
        bodies = {
            "def f(x): return math.sqrt(x)": 2.0,
            'def f(x):\n    """Doc."""\n    # ä comment\n    return j.dumps([math.sqrt(x)])': "[2.0]",
            "def f(x: Optional[Any]) -> dt:\n    return dt(2000 + x, 1, 1).year": 2004,
            "def f(x):\n    def g(): return Counter([x])\n    return g()[4]": 1,
            "def f(x):\n\tif x:\n\t\treturn os.path.basename('a/b')": "b",
            "def f(x): 'doc'; return math.sqrt(x)": 2.0,
            "def f(x):\n    y: Optional[int] = x\n    return [math.floor(i) for i in [y]]": [4],
        }
        for body, expected in bodies.items():
            with self.subTest(body=body):
                names = self.later(f"{textwrap.dedent(imports)}\n{body}")
                self.assertEqual(names["f"](4), expected)
                # They stay inside.
                self.assertEqual(set(names) - {"__name__", "__builtins__"}, {"f"})
                self.assertEqual(names["f"].__doc__, self.names["f"].__doc__)

    def test_it_can_be_saved_again_from_a_later_session(self) -> None:
        names = self.later("import math\ndef f(x): return math.sqrt(x)")
        self.host.tools.clear()
        self.save(names["f"])
        self.assertEqual(self.load()["f"](4), 2)

    def test_names_that_every_session_has_need_nothing(self) -> None:
        names = self.later("async def f(): return await mcp_weather.get(), runtime, save_tool, len, __name__, f")
        self.assertIn("mcp_weather", names["f"].__code__.co_names)

    def test_what_it_took_from_runtime_comes_along(self) -> None:
        code = """
        from mcp.runtime import MCPError, delete_saved_tool as drop
        def f():
            try: raise MCPError("no")
            except MCPError as error: return drop("g"), list_saved_tools(), str(error)
        """
        self.assertEqual(self.later(code)["f"]()[::2], (False, "no"))

    def test_a_saved_tool_may_use_another(self) -> None:
        self.later("def g(): return 1", "g")
        self.assertEqual(self.later("def f(): return g() + 1")["f"](), 2)

    def test_names_of_its_session_are_refused_by_name(self) -> None:
        self.assertEqual(
            self.refused("limit = 3\nhelper = lambda: 1\ndef f(): return helper(), limit, nowhere"),
            "Cannot save the tool 'f': it uses helper, limit, nowhere, which a later session does not have: "
            "pass it as an argument, move it into the function, or save it first if it is a function",
        )
        self.assertIn("it uses count,", self.refused("count = 0\ndef f():\n    global count\n    count += 1"))

    def test_what_is_no_plain_function_is_refused(self) -> None:
        cases = {
            "f = lambda: 1": "a lambda has no name",
            "class f: pass": "takes a function made with `def`, not a class",
            "f = 5": "takes a function made with `def`, not a int",
            "f = len": "not a builtin_function_or_method",
            "def outer(x):\n    def f(): return x\n    return f\nf = outer(1)": "it uses x of the function around it",
            "import functools\n@functools.wraps(len)\ndef f(): return 1": "",
            "def deco(g): return g\n@deco\ndef f(): return 1": "it has the decorator @deco: save it without",
            "n = 1\ndef f(x=n): return x": "its default n is not a constant",
            "def f(*, x=print()): return x": "its default print() is not a constant",
        }
        for code, message in cases.items():
            with self.subTest(code=code):
                self.assertIn(message, self.refused(code))

    def test_a_function_without_source_is_refused(self) -> None:
        exec("def f(): return 1", self.names)
        with self.assertRaisesRegex(ValueError, "its source is not known any more: define it again"):
            self.save(self.names["f"])

    def test_names_that_would_hide_others_are_refused(self) -> None:
        for name in ("print", "runtime", "mcp", "mcp_weather", "save_tool", "_x", "__import__", "mcp_servers"):
            with self.subTest(name=name):
                self.assertIn("its name", self.refused(f"def {name}(): return 1\nf = {name}"))
                self.run_code(f"del {name}")

    def test_a_function_inside_another_is_moved_to_the_margin(self) -> None:
        names = self.later("def outer():\n    def f(x):\n        return x + 1\n    return f\nf = outer()")
        self.assertEqual(names["f"](1), 2)

    def test_a_broken_one_raises_when_it_is_called_and_not_before(self) -> None:
        self.host.tools = {
            "syntax": {"name": "syntax", "source": "def syntax(:"},
            "deep": {"name": "deep", "source": "def deep(): return " + "(" * 10_000},
            "other": {"name": "other", "source": "def another(): pass"},
            "damaged": {"name": "damaged", "error": "it is damaged on disk"},
            "good": {"name": "good", "source": "def good(): return 1"},
        }
        names = self.load()
        self.assertEqual(names["good"](), 1)
        for name, message in {"syntax": "SyntaxError", "deep": "", "other": "its source defines 'another'", "damaged": "on disk"}.items():
            with self.assertRaisesRegex(MCPError, f'^The saved tool "{name}" cannot be used: .*{message}.*delete_saved_tool'):
                names[name]()

    def test_loading_runs_no_code_of_the_tool(self) -> None:
        ran: list[str] = []
        sources = (
            "ran.append('top')\ndef f(): pass",
            "@ran.append\ndef f(): pass",
            "def f(x=ran.append('default')): pass",
            "def f(*, x=[ran.append('default')]): pass",
            "def f(x: ran.append('annotation')) -> ran.append('annotation'): pass",
            "f = ran.append('value')",
            "class f: ran.append('class')",
        )
        for source in sources:
            names: dict[str, Any] = {"__name__": "__main__", "ran": ran}
            shelve([{"name": "f", "source": source}], names)
            self.assertIn("f", names)
        self.assertEqual(ran, [])

    def test_loading_hides_no_name(self) -> None:
        names: dict[str, Any] = {"mine": 1}
        forged = ("print", "runtime", "mcp_weather", "save_tool", "__builtins__", "mine", "not a name")
        shelve([{"name": name, "source": f"def {name}(): return 0"} for name in forged], names)
        self.assertEqual(names, {"mine": 1})

    def test_one_is_not_looked_at_before_it_is_named_or_called(self) -> None:
        names: dict[str, Any] = {"__name__": "__main__"}
        shelf = saved_tools.Shelf(names)
        shelf.add([{"name": name, "source": f"def {name}(x):\n    return x"} for name in ("f", "g", "h")])
        shelf.take("delete_saved_tool('f'); delete_saved_tool(\"f\"); x.y")
        self.assertFalse(names["f"].__code__.co_filename.startswith("<saved tool"))
        shelf.take("f(1)")
        self.assertIn("return x", inspect.getsource(names["f"]))
        late = names["g"]
        self.assertEqual((late(1), late(x=2), names["g"].__code__.co_varnames), (1, 2, ("x",)))
        names["h"] = 5
        shelf.take("h")
        self.assertEqual(names["h"], 5)

    def test_what_nests_too_deeply_is_neither_parsed_nor_saved(self) -> None:
        deep = {
            "chain": "return a" + ".b" * 600,
            "calls": "return a" + "()" * 600,
            "adding": "return a" + " + a" * 600,
            "signs": "return " + "-" * 600 + "a",
            "lambdas": "return " + "lambda a, b: " * 600 + "a",
            "choices": "return " + "a if b else " * 600 + "c",
            "nested": "return " + "lambda a, b: (a, " * 90 + "a" + ".b" * 500 + ")" * 90,
            "ladder": "if a: pass\n" + "    elif a: pass\n" * 600 + "    else: pass",
        }
        for name, body in deep.items():
            with self.subTest(name=name):
                source = f"def {name}():\n    {body}\n"
                self.host.tools = {name: {"name": name, "source": source}}
                with self.assertRaisesRegex(MCPError, "nests more than 500 levels deep"):
                    self.load()[name]()
        flat = {
            "table": f"return [{'(1, -2), ' * 3000}]",
            "words": f"return a in {{{', '.join(map(repr, 'words' * 500))}}}",
            "lines": "a = b.c(1)[2]\n" + "    a = a + b.c(1)[2]\n" * 1000,
        }
        for name, body in flat.items():
            with self.subTest(name=name):
                self.host.tools = {name: {"name": name, "source": f"def {name}():\n    {body}\n"}}
                self.assertTrue(self.load()[name].__code__.co_filename.startswith("<saved tool"))

    def test_a_traceback_shows_its_lines(self) -> None:
        names = self.later("def f(x):\n    return 1 / x")
        try:
            names["f"](0)
        except ZeroDivisionError as error:
            self.assertIn('File "<saved tool f>", line 2, in f\n    return 1 / x', "".join(traceback.format_exception(error)))


if __name__ == "__main__":
    unittest.main()
