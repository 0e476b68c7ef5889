"""``ToolCall``: a call that is awaited, used as a value, or forgotten."""

from __future__ import annotations

import unittest
from typing import Any

from kernel_host import KernelHost
from support import told

WEATHER = {
    "name": "weather",
    "alias": "weather",
    "tools": [
        told(
            {
                "name": "get",
                "alias": "get",
                "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
            }
        )
    ],
}


class ToolCallTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = self.enterContext(KernelHost())

    def run_with(self, code: str, *payloads: dict[str, Any]) -> dict[str, Any]:
        """Run code; replies come in order, to code that waits on the spot as well as through the loop."""
        replies = [
            {"type": "rpc_response", "id": f"q{number}", "payload": payload}
            for number, payload in enumerate(payloads, 1)
        ]
        self.host.coming.extend(replies)
        run_id = self.host.start(code, servers=[WEATHER])
        self.host.step()
        for message in self.host.coming[:]:
            self.host.coming.remove(message)
            self.host.send(message)
        return self.host.finish(run_id)

    def assert_prints(self, code: str, value: Any, expected: str) -> None:
        done = self.run_with(code, {"success": True, "result": value})
        self.assertEqual(done["status"], "ok", self.host.text("stderr", "run-1"))
        self.assertEqual(self.host.text("stdout", "run-1"), expected)

    def test_a_call_is_its_value_when_it_is_used(self) -> None:
        uses = (
            ("print(c)", {"a": 1}, "{'a': 1}\n"),
            ("print(f'{c:>4}')", 7, "   7\n"),
            ("print([c])", "x", "['x']\n"),
            ("print(c['a'])", {"a": 1}, "1\n"),
            ("print(c.get('b', 2), list(c.items()))", {"a": 1}, "2 [('a', 1)]\n"),
            ("print([x + 1 for x in c], len(c), 2 in c)", [1, 2], "[2, 3] 2 True\n"),
            ("a, b = c; print(a, b)", [1, 2], "1 2\n"),
            ("print(c == 3, c > 2, c + 1, 1 + c, -c, int(c))", 3, "True True 4 4 -3 3\n"),
            ("print('yes' if c else 'no')", [], "no\n"),
            ("print({**c})", {"a": 1}, "{'a': 1}\n"),
            ("import json; print(json.dumps({'r': c}))", [1], '{"r": [1]}\n'),
            ("print(c.result())", 5, "5\n"),
            ("c", 5, "5\n"),
        )
        for use, value, expected in uses:
            with self.subTest(use), KernelHost() as self.host:
                self.assert_prints(f"c = mcp_weather.get(city='a')\n{use}", value, expected)

    def test_a_hint_knows_what_is_in_the_value(self) -> None:
        code = "import asyncio\nc = mcp_weather.get()\nawait asyncio.wait([c])\nc['a']['b']"
        self.run_with(code, {"success": True, "result": {"a": {"x": 1}}})
        self.assertIn("hint: Keys there: 'x'\n", self.host.text("stderr", "run-1"))

    def test_the_last_line_may_forget_its_await(self) -> None:
        self.assert_prints("mcp_weather.get(city='a')", {"t": 1}, "{'t': 1}\n")
        self.assertEqual(self.host.value("_"), "{'t': 1}\n")

    def test_a_coroutine_on_the_last_line_is_awaited(self) -> None:
        self.assert_prints("async def main(): return await mcp_weather.get()\nmain()", 3, "3\n")

    def test_functions_of_the_runtime_are_values_too(self) -> None:
        done = self.run_with("print(runtime.list_servers()[0])", {"success": True, "servers": ["w"]})
        self.assertEqual(done["status"], "ok")
        self.assertEqual(self.host.text("stdout", "run-1"), "w\n")

    def test_a_call_as_the_argument_of_another_is_sent_as_its_value(self) -> None:
        self.host.coming.append(
            {"type": "rpc_response", "id": "q1", "payload": {"success": True, "result": "Oslo"}}
        )
        self.host.start("x = mcp_weather.get(city=mcp_weather.get())", servers=[WEATHER])
        self.host.step()
        self.assertEqual(self.host.requests()[-1]["payload"]["arguments"], {"city": "Oslo"})

    def test_a_forgotten_call_is_waited_for_at_the_end(self) -> None:
        code = "import asyncio; asyncio.ensure_future(mcp_weather.get(city='a'));"
        run_id = self.host.start(code, servers=[WEATHER])
        self.host.step()
        self.assertEqual(self.host.kernel.run_id, run_id)
        self.host.send({"type": "rpc_response", "id": "q1", "payload": {"success": True, "result": 1}})
        self.assertEqual(self.host.finish(run_id)["status"], "ok")

    def test_a_forgotten_call_that_fails_fails_the_run(self) -> None:
        fail = {"success": False, "error": "no such city"}
        code = "import asyncio\nfor i in range(2): asyncio.ensure_future(mcp_weather.get())"
        done = self.run_with(code, fail, fail)
        self.assertEqual((done["status"], done["error"]), ("error", "MCPError: no such city"))
        self.assertIn("1 more call", self.host.text("stderr", "run-1"))

    def test_a_failure_that_was_caught_is_not_the_runs(self) -> None:
        code = "try:\n    await mcp_weather.get()\nexcept runtime.MCPError as e:\n    print('caught', e)"
        done = self.run_with(code, {"success": False, "error": "no"})
        self.assertEqual(done["status"], "ok")
        self.assertEqual(self.host.text("stdout", "run-1"), "caught no\n")

    def test_a_task_left_behind_is_not_waited_for(self) -> None:
        code = "import asyncio\nasync def f(): await mcp_weather.get()\nt = asyncio.create_task(f())\nawait asyncio.sleep(0)"
        self.assertEqual(self.host.run(code, servers=[WEATHER])["status"], "ok")

    def test_calls_in_sets_and_counters_are_their_values(self) -> None:
        code = (
            "from collections import Counter\nprint(len({mcp_weather.get(), mcp_weather.get()}))\n"
            "print(Counter([mcp_weather.get(), mcp_weather.get()]))"
        )
        one = {"success": True, "result": 1}
        self.assertEqual(self.run_with(code, one, one, one, one)["status"], "ok")
        self.assertEqual(self.host.text("stdout", "run-1"), "1\nCounter({1: 2})\n")

    def test_an_interrupt_ends_the_wait_for_a_value(self) -> None:
        self.host.coming.append({"type": "interrupt", "id": "run-1"})
        done = self.host.run("print(mcp_weather.get())", servers=[WEATHER])
        self.assertEqual(done["status"], "interrupted")

    def test_failures_of_an_earlier_run_are_not_told_in_the_next(self) -> None:
        fail = {"type": "rpc_response", "payload": {"success": False, "error": "late"}}
        code = "import asyncio\nc, d = [asyncio.ensure_future(mcp_weather.get()) for _ in 'cd']\n1/0"
        self.host.run(code, servers=[WEATHER])
        self.host.send({**fail, "id": "q1"})
        run_id = self.host.start("import asyncio, gc\nawait asyncio.sleep(0.05)\ndel c, d\ngc.collect();")
        self.host.send({**fail, "id": "q2"})
        self.assertEqual(self.host.finish(run_id)["status"], "ok")
        self.assertEqual(self.host.text("stderr", run_id), "")
        self.assertEqual(self.host.loop_errors, [])

    def test_a_run_does_not_wait_for_calls_of_the_one_before(self) -> None:
        self.host.interrupt(self.host.start("mcp_weather.get()", servers=[WEATHER]))
        self.host.step()
        self.assertEqual(self.host.run("1")["status"], "ok")


class AskTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = self.enterContext(KernelHost())

    def test_ask_gives_the_reply_without_a_turn_of_the_loop(self) -> None:
        self.host.kernel._namespace.names["ask"] = self.host.kernel.rpc.ask
        self.host.coming.append(
            {"type": "rpc_response", "id": "q1", "payload": {"success": True, "x": 1}}
        )
        self.assertEqual(self.host.value("ask('anything', a=2)['x']"), "1\n")
        self.assertEqual(self.host.requests()[0]["payload"], {"type": "anything", "a": 2})

    def test_ask_in_a_thread_is_answered_while_the_main_thread_waits_for_that_thread(self) -> None:
        rpc = self.host.kernel.rpc
        self.host.kernel._namespace.names["ask"] = rpc.ask

        def answer(lines: bytes, send: Any = self.host.kernel.outbox._send) -> None:
            send(lines)
            if b"rpc_request" in lines:
                reply = {"type": "rpc_response", "id": "q1", "payload": {"success": True, "x": 3}}
                self.assertTrue(rpc.receive_in_thread(reply))  # type: ignore[arg-type]

        self.host.kernel.outbox._send = answer  # type: ignore[method-assign]
        code = (
            "from concurrent.futures import ThreadPoolExecutor\n"
            "with ThreadPoolExecutor(1) as pool: print(pool.submit(ask, 'anything').result()['x'])"
        )
        self.host.run(code)
        self.assertEqual(self.host.text("stdout", "run-1"), "3\n")
