"""``tool_docs``: a list of tool docs as lines for a reader."""

from __future__ import annotations

import copy
import pickle
import unittest
from typing import Any

from support import told
from execute_case import ExecuteTestCase
from sandbox_runtime.servers.catalog import to_tools
from sandbox_runtime.servers.tool_docs import lines_of


def doc(tool: str, **more: Any) -> dict[str, Any]:
    return {
        "server": "my-weather",
        "serverAlias": "my_weather",
        "tool": tool,
        "toolAlias": tool,
        "signature": f"{tool}(city: str) -> Any",
        **more,
    }


class DocsTableTest(unittest.TestCase):
    def test_a_line_is_the_call_and_the_first_sentence(self) -> None:
        docs = [
            doc("now", description="Weather of now.\n  Slow. Costs money."),
            doc("later"),
            doc("odd", description="Version 1.5 of it, e.g. rain"),
        ]
        self.assertEqual(
            lines_of(docs),
            [
                "mcp_my_weather.now(city: str) -> Any  # Weather of now.",
                "mcp_my_weather.later(city: str) -> Any",
                "mcp_my_weather.odd(city: str) -> Any  # Version 1.5 of it, e.g. rain",
            ],
        )

    def test_servers_that_the_run_was_not_given_are_named_once(self) -> None:
        docs = [doc("a", loaded=False), doc("b", loaded=False), doc("c", loaded=True, server="x")]
        lines = lines_of(docs) or []
        self.assertEqual(lines[3:], ['To call these, add to `servers` of run_python: "my-weather"'])
        self.assertEqual(len(lines_of([doc("c", loaded=True)]) or []), 1)

    def test_tools_have_their_signatures(self) -> None:
        schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
        tool = {"name": "Now", "alias": "now", "description": "Weather", "input_schema": schema}
        listed = to_tools({"tools": [{**tool, "signature": told(tool)["signature"]}]})
        self.assertEqual(listed, [tool])
        self.assertEqual(lines_of(listed), ["now(city: str) -> Any  # Weather"])
        copies = pickle.loads(pickle.dumps(copy.deepcopy(listed)))
        self.assertEqual(lines_of(copies), lines_of(listed))
        self.assertIsNone(lines_of([tool]), "one that the program made has no signature")

    def test_long_parts_are_cut(self) -> None:
        (line,) = lines_of([doc("a", signature="s" * 5000, description="d " * 5000)]) or []
        self.assertLess(len(line), 450)

    def test_what_is_no_list_of_docs_is_left_alone(self) -> None:
        for value in (
            [],
            {},
            doc("a"),
            [doc("a"), 1],
            [{"server": "x", "tool": "y"}],
            [doc("a", inputSchema={})],
            [{"name": "a", "alias": "a", "description": ""}],
            (doc("a"),),
        ):
            self.assertIsNone(lines_of(value), value)


class EchoedDocsTest(ExecuteTestCase):
    def test_docs_are_echoed_as_lines_and_kept_as_data(self) -> None:
        self.namespace["docs"] = [doc("a", description="A"), doc("b")]
        self.assert_echoes(
            "docs", "mcp_my_weather.a(city: str) -> Any  # A\nmcp_my_weather.b(city: str) -> Any\n"
        )
        self.assert_echoes("_[1]['tool'], type(_)", "('b', <class 'list'>)\n")

    def test_many_docs_are_echoed_in_part(self) -> None:
        self.namespace["docs"] = [doc(f"tool_{n}") for n in range(500)]
        stdout = self.run_code("docs").stdout
        self.assertLess(len(stdout), 11_000)
        self.assertRegex(stdout, r"\n\.\.\. \d+ of 500 lines not shown; the whole value is in `_` and `Out\[1\]`\n$")


if __name__ == "__main__":
    unittest.main()
