"""``entrypoint.py`` as a process: what ends it, and what does not."""

from __future__ import annotations

import time
import unittest

from process_host import RuntimeProcess


class ProcessLifeTest(unittest.TestCase):
    def setUp(self) -> None:
        self.process = self.enterContext(RuntimeProcess())

    def test_the_end_of_stdin_ends_an_idle_interpreter(self) -> None:
        self.process.close_stdin()
        self.assertEqual(self.process.wait(), 0)

    def test_the_end_of_stdin_ends_an_interpreter_that_is_busy(self) -> None:
        self.process.start("print('begun')\nwhile True: pass")
        self.process.wait_for_stdout("begun")
        self.process.close_stdin()
        self.assertEqual(self.process.wait(), 0)

    def test_shutdown_ends_an_idle_interpreter(self) -> None:
        self.process.send({"type": "shutdown"})
        self.assertEqual(self.process.wait(), 0)

    def test_shutdown_ends_an_interpreter_that_sleeps(self) -> None:
        self.process.start("import time\nprint('begun')\ntime.sleep(600)")
        self.process.wait_for_stdout("begun")
        self.process.send({"type": "shutdown"})
        self.assertEqual(self.process.wait(), 0)

    def test_a_line_that_is_no_message_ends_the_interpreter(self) -> None:
        self.process.send_line(b"Hello")
        self.process.wait()
        with self.assertRaises(EOFError):
            self.process.receive()

    def test_blank_lines_are_ignored(self) -> None:
        self.process.send_line(b"")
        self.process.send_line(b"  ")
        self.assertEqual(self.process.run("1").stdout, "1\n")

    def test_ping_is_answered(self) -> None:
        self.process.send({"type": "ping"})
        self.assertEqual(self.process.receive(), {"type": "pong"})

    def test_the_code_finds_its_stdin_at_the_end(self) -> None:
        code = "import os, sys\nos.read(0, 10), sys.stdin.read()"
        self.assertEqual(self.process.run(code).stdout, "(b'', '')\n")

    def test_an_exit_in_a_background_task_ends_that_task_alone(self) -> None:
        code = """
import asyncio, sys
async def leave():
    sys.exit(3)
task = asyncio.create_task(leave())
await asyncio.sleep(0.05)
kept = 1
"""
        self.assertEqual(self.process.run(code).status, "ok")
        self.assertEqual(self.process.run("kept, task.done()").stdout, "(1, True)\n")

    def test_a_keyboard_interrupt_in_a_background_task_ends_that_task_alone(self) -> None:
        code = """
import asyncio
async def stop():
    raise KeyboardInterrupt
task = asyncio.create_task(stop())
await asyncio.sleep(0.05)
kept = 1
"""
        self.assertEqual(self.process.run(code).status, "ok")
        self.assertEqual(self.process.run("kept, task.done()").stdout, "(1, True)\n")

    def test_an_exit_of_an_awaited_task_is_the_exit_of_the_run(self) -> None:
        code = """
import asyncio, sys
async def leave():
    sys.exit(3)
await asyncio.create_task(leave())
"""
        ran = self.process.run(code)
        self.assertEqual((ran.status, ran.done["exit_code"]), ("exit", 3))
        self.assertEqual(self.process.run("'alive'").stdout, "'alive'\n")

    def test_an_exit_in_a_thread_ends_that_thread_alone(self) -> None:
        code = """
import sys, threading
thread = threading.Thread(target=lambda: sys.exit(3))
thread.start()
thread.join()
"""
        self.assertEqual(self.process.run(code).status, "ok")
        self.assertEqual(self.process.run("'alive'").stdout, "'alive'\n")

    def test_a_stopped_event_loop_goes_on(self) -> None:
        self.assertEqual(
            self.process.run("import asyncio\nasyncio.get_running_loop().stop()").status, "ok"
        )
        self.assertEqual(self.process.run("await asyncio.sleep(0, 'alive')").stdout, "'alive'\n")

    def test_twenty_thousand_requests_before_the_first_reply_stall_nothing(self) -> None:
        code = """
import asyncio
calls = [runtime.call_tool("s", str(number)) for number in range(20_000)]
sum(await asyncio.gather(*calls))
"""
        run_id = self.process.start(code)
        requests = [self.process.receive() for _ in range(20_000)]
        for request in reversed(requests):
            payload = {"success": True, "result": int(request["payload"]["tool"])}
            self.process.send({"type": "rpc_response", "id": request["id"], "payload": payload})
        self.assertEqual(self.process.finish(run_id).stdout, f"{sum(range(20_000))}\n")

    def test_a_thread_wakes_the_program_while_it_waits_for_a_call(self) -> None:
        code = """
import asyncio, time
async def thread():
    await asyncio.to_thread(time.sleep, 0.1)
    print("thread", flush=True)
async def call():
    print(await runtime.list_servers())
_ = await asyncio.gather(thread(), call())
"""
        run_id = self.process.start(code)
        request = self.process.receive()
        # Would wait in vain if the call kept the thread's task from going on.
        self.process.wait_for_stdout("thread")
        payload = {"success": True, "servers": ["a"]}
        self.process.send({"type": "rpc_response", "id": request["id"], "payload": payload})
        self.assertEqual(self.process.finish(run_id).stdout, "['a']\n")

    def test_a_call_that_another_thread_awaits_costs_no_other_call_its_reply(self) -> None:
        code = """
import asyncio
call = runtime.list_servers()
async def wait(): return await call
def thread():
    try: return asyncio.run(wait())
    except RuntimeError as error: return str(error)
refusal, servers = await asyncio.gather(asyncio.to_thread(thread), runtime.list_servers())
print("attached to a different loop" in refusal, servers, await call)
"""
        run_id = self.process.start(code)
        requests = [self.process.receive(), self.process.receive()]
        # Until the thread awaits the call.
        time.sleep(0.5)
        for request in requests:
            payload = {"success": True, "servers": ["a"]}
            self.process.send({"type": "rpc_response", "id": request["id"], "payload": payload})
        self.assertEqual(self.process.finish(run_id).stdout, "True ['a'] ['a']\n")

    def test_a_child_process_is_read_while_the_program_waits_for_a_call(self) -> None:
        code = """
import asyncio, sys
async def child():
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "print('child')", stdout=-1)
    print((await process.communicate())[0].decode(), end="")
async def call():
    print(await runtime.list_servers())
_ = await asyncio.gather(child(), call())
"""
        run_id = self.process.start(code)
        request = self.process.receive()
        self.process.wait_for_stdout("child")
        payload = {"success": True, "servers": ["a"]}
        self.process.send({"type": "rpc_response", "id": request["id"], "payload": payload})
        self.assertEqual(self.process.finish(run_id).stdout, "['a']\n")


if __name__ == "__main__":
    unittest.main()
