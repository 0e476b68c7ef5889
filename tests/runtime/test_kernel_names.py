"""``Kernel``: what every run starts with, whatever the run before did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest
from typing import Any

from kernel_host import KernelHost
from support import told

WEATHER = {"name": "my weather", "alias": "my_weather", "tools": []}


class KernelNamesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = self.enterContext(KernelHost())

    def test_the_namespace_is_the_main_module(self) -> None:
        self.assertEqual(
            self.host.value("import sys; (__name__, vars(sys.modules['__main__']) is globals())"),
            "('__main__', True)\n",
        )

    def test_classes_of_the_code_can_be_pickled(self) -> None:
        self.host.run("class Point:\n    x = 1\nimport pickle")
        self.assertEqual(self.host.value("pickle.loads(pickle.dumps(Point())).x"), "1\n")

    def test_preset_names_are_there(self) -> None:
        self.assertEqual(
            self.host.value("mcp.__name__, runtime.__name__, mcp_servers, LOADED_MCP_SERVERS"),
            "('mcp', 'mcp.runtime', {}, ())\n",
        )

    def test_preset_names_are_restored_when_they_were_rebound(self) -> None:
        self.host.run("mcp = runtime = mcp_servers = LOADED_MCP_SERVERS = 'mine'")
        self.assertEqual(
            self.host.value("mcp.__name__, runtime.__name__, mcp_servers, LOADED_MCP_SERVERS"),
            "('mcp', 'mcp.runtime', {}, ())\n",
        )

    def test_preset_names_are_restored_when_they_were_deleted(self) -> None:
        self.host.run("del mcp, runtime, mcp_servers, LOADED_MCP_SERVERS")
        self.assertEqual(self.host.value("mcp.runtime is runtime"), "True\n")

    def test_mcp_can_be_imported(self) -> None:
        self.host.run("import mcp\nfrom mcp import runtime as r\nimport mcp.runtime as m")
        self.assertEqual(self.host.value("r is m is runtime"), "True\n")

    def test_loaded_servers_are_those_of_this_run(self) -> None:
        self.host.run("first = LOADED_MCP_SERVERS", servers=[WEATHER])
        self.assertEqual(self.host.value("first, LOADED_MCP_SERVERS"), "(('my weather',), ())\n")

    def test_discovered_servers_are_those_of_this_run(self) -> None:
        self.host.run(
            "found = runtime.discovered_servers(), runtime.discovered_servers(detailed=True)",
            discovered={"a": "first"},
        )
        self.assertEqual(
            self.host.value("found"), "(('a',), ({'name': 'a', 'description': 'first'},))\n"
        )
        self.assertEqual(self.host.value("runtime.discovered_servers()"), "()\n")

    def test_metadata_of_a_server_can_be_read(self) -> None:
        code = "meta = runtime.describe_server('my weather'), runtime.list_loaded_server_metadata()"
        self.host.run(code, servers=[WEATHER])
        self.assertEqual(self.host.value("meta"), f"({WEATHER}, ({WEATHER},))\n")

    def test_a_server_that_is_not_of_this_run_is_an_error(self) -> None:
        done = self.host.run("runtime.describe_server('x')")
        self.assertEqual(done["error"], "MCPError: Server 'x' is not available")

    def test_environment_variables_hold_the_catalogue_of_this_run(self) -> None:
        self.host.run("1", servers=[WEATHER], discovered={"a": "ä"})
        self.assertEqual(json.loads(os.environ["MCP_AVAILABLE_SERVERS"]), [WEATHER])
        self.assertEqual(json.loads(os.environ["MCP_DISCOVERED_SERVERS"]), {"a": "ä"})
        os.environ["MCP_DISCOVERED_SERVERS"] = "mine"
        self.host.run("1")
        self.assertEqual(json.loads(os.environ["MCP_AVAILABLE_SERVERS"]), [])
        self.assertEqual(json.loads(os.environ["MCP_DISCOVERED_SERVERS"]), {})

    def test_a_catalogue_of_any_size_leaves_child_processes_alone(self) -> None:
        most = 128 * 1024 - len('MCP_DISCOVERED_SERVERS={"a": ""}\0')
        for size, is_told in ((1000, True), (most, True), (most + 1, False), (3_000_000, False)):
            with self.subTest(size):
                discovered = {"a": "x" * size}
                self.host.run("1", servers=[{**WEATHER, "cwd": "x" * 3_000_000}], discovered=discovered)
                self.assertNotIn("MCP_AVAILABLE_SERVERS", os.environ)
                told = os.environ.get("MCP_DISCOVERED_SERVERS")
                self.assertEqual(told, json.dumps(discovered) if is_told else None)
                subprocess.run([sys.executable, "-c", ""], check=True, env={**os.environ, "OWN": "1"})
                subprocess.run([sys.executable, "-c", ""], check=True)

    def test_the_manual_is_there(self) -> None:
        code = "'PYTHON SANDBOX MANUAL' in runtime.capability_summary()"
        self.assertEqual(self.host.value(code), "True\n")


CITY = {"name": "get", "alias": "get", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}
NOW = {
    "name": "Now",
    "alias": "now",
    "description": "Weather",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


class ToldOnceTest(unittest.TestCase):
    """What the host leaves out is what it told before."""

    def setUp(self) -> None:
        self.host = self.enterContext(KernelHost())

    def value(self, expression: str, **told: Any) -> str:
        run_id = self.host.start_as_told(expression, **told)
        self.host.finish(run_id)
        return self.host.text("stderr", run_id) + self.host.text("stdout", run_id)

    def test_a_server_is_what_it_was(self) -> None:
        named = {"name": "w", "alias": "w", "revision": 3}
        full = {**named, "tools": [told(CITY)]}
        self.value("first = mcp_w", servers=[full], discovered={"w": "The w"})
        self.assertEqual(self.value("first is mcp_w, dir(mcp_w)", servers=[named]), "(True, ['get', 'list_tools'])\n")
        self.assertEqual(self.value("first is mcp_w", servers=[full]), "True\n")
        self.assertEqual(self.value("runtime.discovered_servers(), mcp_servers", servers=[]), "(('w',), {})\n")
        self.assertEqual(self.value("dir(mcp_w)", servers=[named]), "['get', 'list_tools']\n")

    def test_another_revision_takes_its_place(self) -> None:
        self.value("1", servers=[{"name": "w", "alias": "w", "revision": 3, "tools": [told(CITY)]}], discovered={})
        new = {"name": "w", "alias": "w", "revision": 4, "tools": [told(NOW)]}
        self.assertEqual(self.value("dir(mcp_w), runtime.describe_server('w')['tools'][0]['alias']", servers=[new]),
                         "(['Now', 'list_tools', 'now'], 'now')\n")
        renamed = {"name": "w", "alias": "w_2", "revision": 4, "tools": [told(NOW)]}
        self.assertEqual(self.value("mcp_w_2.now.__module__, 'mcp_w' in globals()", servers=[renamed]),
                         "('mcp.servers.w_2', False)\n")

    def test_what_a_program_does_to_the_metadata_is_gone_in_the_next_run(self) -> None:
        code = (
            "from mcp.servers.w import TOOLS, TOOL_MAP\n"
            "same = TOOLS is runtime.describe_server('w')['tools'] and TOOLS is mcp.servers.w.TOOLS\n"
            "del TOOL_MAP['get']['input_schema']['properties']\nTOOLS.append(1)\n"
            "same, len(runtime.list_tools_sync('w'))"
        )
        named = {"name": "w", "alias": "w", "revision": 3}
        self.assertEqual(self.value(code, servers=[{**named, "tools": [told(CITY)]}], discovered={}), "(True, 2)\n")
        self.assertEqual(
            self.value("import mcp.servers.w as w\nw.TOOLS == [*w.TOOL_MAP.values()], w.TOOLS", servers=[named]),
            f"(True, [{ {'name': 'get', 'alias': 'get', 'description': '', 'input_schema': CITY['input_schema']} }])\n",
        )
        self.assertEqual(json.loads(os.environ["MCP_AVAILABLE_SERVERS"])[0]["tools"][0]["input_schema"], CITY["input_schema"])

    def test_a_server_that_was_never_told_ends_the_run_with_an_error(self) -> None:
        done = self.host.finish(self.host.start_as_told("1", servers=[{"name": "w", "alias": "w", "revision": 3}]))
        self.assertEqual(done["status"], "error")


class KernelStreamsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = self.enterContext(KernelHost())

    def test_stdin_is_at_its_end(self) -> None:
        done = self.host.run("input('? ')")
        self.assertEqual(done["error"], "EOFError: EOF when reading a line")
        self.assertEqual(self.host.text("stdout", "run-1"), "? ")
        self.assertEqual(self.host.value("import sys\nsys.stdin.read()"), "''\n")

    def test_stdin_that_was_replaced_is_restored(self) -> None:
        self.host.run("import sys, io\nsys.stdin = io.StringIO('text')")
        self.assertEqual(self.host.value("sys.stdin.read()"), "''\n")

    def test_stdout_that_was_replaced_is_restored(self) -> None:
        self.host.run("import sys, io\nsys.stdout = sys.stderr = io.StringIO()\nprint('lost')")
        self.host.run("print('out')\nprint('err', file=sys.stderr)")
        self.assertEqual(self.host.text("stdout", "run-2"), "out\n")
        self.assertEqual(self.host.text("stderr", "run-2"), "err\n")

    def test_stdout_that_was_deleted_or_closed_is_restored(self) -> None:
        self.host.run("import sys\nsys.stdout.close()\nsys.__stderr__ = None\ndel sys.stdout")
        self.assertEqual(self.host.value("'out'"), "'out'\n")

    def test_a_traceback_is_reported_when_stderr_was_replaced(self) -> None:
        self.host.run("import sys\nsys.stderr = None\nraise ValueError('seen')")
        self.assertIn("ValueError: seen", self.host.text("stderr", "run-1"))

    def test_a_redirection_of_the_code_works(self) -> None:
        code = """
import contextlib, io
with contextlib.redirect_stdout(io.StringIO()) as caught:
    print("inside")
caught.getvalue()
"""
        self.assertEqual(self.host.value(code), "'inside\\n'\n")

    def test_a_stream_kept_from_an_earlier_run_still_works(self) -> None:
        self.host.run("import sys\nkept = sys.stdout")
        self.host.run("kept.write('through the old one');")
        self.assertEqual(self.host.text("stdout", "run-2"), "through the old one")


if __name__ == "__main__":
    unittest.main()
