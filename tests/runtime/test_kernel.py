"""``Kernel``: the conversation with the host, one run at a time."""

from __future__ import annotations

import platform
import sys
import unittest

from kernel_host import KernelHost


class KernelTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = self.enterContext(KernelHost())

    def test_start_announces_the_protocol_first(self) -> None:
        self.assertEqual(
            self.host.sent,
            [
                {
                    "type": "ready",
                    "protocol": 1,
                    "python": platform.python_version(),
                    "engine": "test",
                }
            ],
        )

    def test_ping_is_answered(self) -> None:
        self.host.send({"type": "ping"})
        self.assertEqual(self.host.sent[-1], {"type": "pong"})

    def test_execute_sends_output_and_then_the_end_of_the_run(self) -> None:
        self.host.run("print('out')\nimport sys\nprint('err', file=sys.stderr)\n1 + 1")
        self.assertEqual(
            self.host.sent[1:],
            [
                {"type": "stdout", "id": "run-1", "data": "out\n2\n"},
                {"type": "stderr", "id": "run-1", "data": "err\n"},
                {"type": "execution_done", "id": "run-1", "status": "ok"},
            ],
        )

    def test_execute_tells_of_a_failure_with_its_traceback_on_stderr(self) -> None:
        done = self.host.run("raise ValueError('no')")
        self.assertEqual(
            done,
            {"type": "execution_done", "id": "run-1", "status": "error", "error": "ValueError: no"},
        )
        self.assertTrue(self.host.text("stderr", "run-1").endswith("ValueError: no\n"))

    def test_execute_tells_of_an_exit_with_its_code(self) -> None:
        done = self.host.run("import sys\nsys.exit(3)")
        self.assertEqual(
            done, {"type": "execution_done", "id": "run-1", "status": "exit", "exit_code": 3}
        )

    def test_execute_ends_a_run_whose_error_is_longer_than_a_line_may_be(self) -> None:
        done = self.host.run("raise ValueError('x' * 70_000_000)")
        self.assertEqual(done["status"], "error")
        self.assertLess(len(done["error"]), 100_000)

    def test_execute_keeps_state_between_runs(self) -> None:
        self.host.run("x = 41")
        self.assertEqual(self.host.value("x + 1"), "42\n")

    def test_execute_keeps_state_after_a_failure(self) -> None:
        self.host.run("x = 41\nraise ValueError")
        self.assertEqual(self.host.value("x + 1"), "42\n")

    def test_execute_gives_each_run_a_file_name_of_its_own(self) -> None:
        self.host.run("def f():\n    raise ValueError")
        self.host.run("f()")
        report = self.host.text("stderr", "run-2")
        self.assertIn('"<run-2>", line 1', report)
        self.assertIn('"<run-1>", line 2', report)

    def test_execute_while_a_run_is_going_on_is_refused_and_the_run_goes_on(self) -> None:
        first = self.host.start("import asyncio\nawait asyncio.sleep(0.05)\nprint('first')")
        self.host.step()
        second = self.host.start("print('second')")
        done = self.host.finish(second)
        self.assertEqual((done["status"], done["error"]), ("error", "A run is going on already"))
        self.assertEqual(self.host.finish(first)["status"], "ok")
        self.assertEqual(self.host.text("stdout", first), "first\n")
        self.assertEqual(self.host.text("stdout", second), "")

    def test_a_run_that_the_kernel_cannot_prepare_still_ends_and_the_next_one_works(self) -> None:
        done = self.host.run("1", servers=[{"no": "name"}])
        self.assertEqual(done["status"], "error")
        self.assertEqual(done["error"], "The runtime failed: KeyError: 'name'")
        self.assertEqual(self.host.value("2"), "2\n")

    def test_text_of_a_task_left_behind_belongs_to_the_next_run(self) -> None:
        code = """
import asyncio
async def later():
    await asyncio.sleep(0)
    print("late")
task = asyncio.create_task(later())
"""
        self.host.run(code)
        self.host.step()
        self.assertEqual(self.host.text("stdout", "run-1"), "")
        self.host.run("await task")
        self.assertEqual(self.host.text("stdout", "run-2"), "late\n")

    def test_a_tool_call_is_answered_by_the_host(self) -> None:
        run_id = self.host.start("await runtime.call_tool('s', 't', {'a': 1})")
        self.host.step()
        (request,) = self.host.requests()
        self.assertEqual(
            request["payload"],
            {"type": "call_tool", "server": "s", "tool": "t", "arguments": {"a": 1}},
        )
        payload = {"success": True, "result": {"b": 2}}
        self.host.send({"type": "rpc_response", "id": request["id"], "payload": payload})
        self.assertEqual(self.host.finish(run_id)["status"], "ok")
        self.assertEqual(self.host.text("stdout", run_id), "{'b': 2}\n")

    def test_tool_calls_in_a_gather_are_all_sent_before_any_reply(self) -> None:
        code = "import asyncio\nawait asyncio.gather(*(runtime.call_tool('s', str(n)) for n in range(50)))"
        run_id = self.host.start(code)
        self.host.step()
        requests = self.host.requests()
        self.assertEqual(len(requests), 50)
        for request in reversed(requests):
            payload = {"success": True, "result": int(request["payload"]["tool"])}
            self.host.send({"type": "rpc_response", "id": request["id"], "payload": payload})
        self.assertEqual(self.host.finish(run_id)["status"], "ok")
        self.assertEqual(self.host.text("stdout", run_id), f"{list(range(50))}\n")

    def test_a_tool_call_too_long_to_send_can_be_caught_and_the_session_lives(self) -> None:
        code = """
try:
    await runtime.call_tool("s", "t", {"text": "x" * 70_000_000})
except runtime.MCPError as error:
    print(error.server, error.tool)
"""
        self.assertEqual(self.host.run(code)["status"], "ok")
        self.assertEqual(self.host.text("stdout", "run-1"), "s t\n")
        self.assertEqual(self.host.requests(), [])


class FinishTest(unittest.TestCase):
    def test_a_failure_before_the_end_does_not_cost_the_output_or_the_end(self) -> None:
        def fail() -> None:
            raise OSError("no pipe")

        with KernelHost(before_done=fail) as host:
            self.assertEqual(host.run("print('printed')")["status"], "ok")
            self.assertEqual(host.text("stdout", "run-1"), "printed\n")

    def test_what_arrives_just_before_the_end_belongs_to_the_run(self) -> None:
        def drain() -> None:
            sys.stdout.write("from a pipe")

        with KernelHost(before_done=drain) as host:
            host.run("print('printed')")
            self.assertEqual(host.text("stdout", "run-1"), "printed\nfrom a pipe")


if __name__ == "__main__":
    unittest.main()
