"""``entrypoint.py`` as a process: an interrupt stops whatever the code does, and its variables stay."""

from __future__ import annotations

import time
import unittest

from process_host import RuntimeProcess

#: The host kills what has not stopped after 2 s. Stopping takes some 10 ms; a loaded machine may need more.
STOP_SECONDS = 10.0


class ProcessInterruptTest(unittest.TestCase):
    def setUp(self) -> None:
        self.process = self.enterContext(RuntimeProcess())

    def assert_stops(self, code: str) -> None:
        """Assert that an interrupt stops code that has begun, and that its variables are kept."""
        run_id = self.process.start(f"kept = 1\nprint('begun')\n{code}")
        self.process.wait_for_stdout("begun")
        start = time.monotonic()
        self.process.interrupt(run_id)
        self.assertEqual(self.process.finish(run_id).status, "interrupted")
        self.assertLess(time.monotonic() - start, STOP_SECONDS)
        self.assertEqual(self.process.run("kept").stdout, "1\n")

    def test_a_busy_loop_stops(self) -> None:
        self.assert_stops("while True: pass")

    def test_a_busy_loop_that_prints_stops(self) -> None:
        self.assert_stops("while True: print('x' * 100)")

    def test_a_sleep_stops(self) -> None:
        self.assert_stops("import time\ntime.sleep(600)")

    def test_an_await_stops(self) -> None:
        self.assert_stops("import asyncio\nawait asyncio.sleep(600)")

    def test_an_await_of_a_busy_task_stops(self) -> None:
        self.assert_stops(
            "import asyncio\nasync def busy():\n    while True: pass\nawait asyncio.create_task(busy())"
        )

    def test_a_wait_for_a_child_process_stops(self) -> None:
        self.assert_stops("import subprocess\nsubprocess.run(['sleep', '600'])")

    def test_a_wait_for_a_lock_stops(self) -> None:
        self.assert_stops("import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()")

    def test_a_tool_call_stops(self) -> None:
        run_id = self.process.start("await runtime.call_tool('s', 't')")
        self.assertEqual(self.process.receive()["type"], "rpc_request")
        self.process.interrupt(run_id)
        self.assertEqual(self.process.finish(run_id).status, "interrupted")

    def test_an_interrupt_stops_a_busy_loop_at_whatever_moment_it_comes(self) -> None:
        for step in range(60):
            run_id = self.process.start("while True: pass")
            time.sleep(step * 0.00005)
            self.process.interrupt(run_id)
            self.assertEqual(self.process.finish(run_id).status, "interrupted")

    def test_an_interrupt_while_the_code_is_compiled_stops_it(self) -> None:
        numbers = ",".join(f"({number},)" for number in range(100_000))
        run_id = self.process.start(f"x = [{numbers}]\nwhile True: pass")
        time.sleep(0.1)
        self.process.interrupt(run_id)
        self.assertEqual(self.process.finish(run_id).status, "interrupted")

    def test_an_interrupt_that_came_late_does_not_stop_the_next_run(self) -> None:
        for _ in range(20):
            run_id = self.process.start("pass")
            self.process.interrupt(run_id)
            self.process.finish(run_id)
            self.process.interrupt(run_id)
            ran = self.process.run("import time\ntime.sleep(0.002)\n'whole'")
            self.assertEqual((ran.status, ran.stdout), ("ok", "'whole'\n"))

    def test_an_interrupt_of_another_run_does_nothing(self) -> None:
        run_id = self.process.start("import time\ntime.sleep(0.3)\n'whole'")
        self.process.interrupt("run-99")
        ran = self.process.finish(run_id)
        self.assertEqual((ran.status, ran.stdout), ("ok", "'whole'\n"))

    def test_text_printed_before_a_swallowed_interrupt_arrives(self) -> None:
        code = """
import time
print("begun")
try:
    time.sleep(600)
except KeyboardInterrupt:
    print("swallowed")
    time.sleep(0.5)
"""
        run_id = self.process.start(code)
        self.process.wait_for_stdout("begun")
        self.process.interrupt(run_id)
        self.process.wait_for_stdout("swallowed")
        # A run gets one exception: code that cleans up is let alone until it is killed.
        self.process.interrupt(run_id)
        self.assertEqual(self.process.finish(run_id).status, "ok")

    def test_code_that_cleans_up_with_await_after_a_signal_is_let_alone(self) -> None:
        code = """
import asyncio, time
print("begun")
try:
    time.sleep(600)
except KeyboardInterrupt:
    await asyncio.sleep(0.3)
    print("cleaned")
"""
        run_id = self.process.start(code)
        self.process.wait_for_stdout("begun")
        self.process.interrupt(run_id)
        self.assertEqual(self.process.finish(run_id).stdout, "cleaned\n")

    def test_code_that_cleans_up_after_a_cancellation_is_let_alone(self) -> None:
        code = """
import asyncio, time
print("begun")
try:
    await asyncio.sleep(600)
except asyncio.CancelledError:
    end = time.monotonic() + 0.3
    while time.monotonic() < end: pass
    print("cleaned")
"""
        run_id = self.process.start(code)
        self.process.wait_for_stdout("begun")
        self.process.interrupt(run_id)
        self.assertEqual(self.process.finish(run_id).stdout, "cleaned\n")

    def test_one_interrupt_is_one_exception(self) -> None:
        code = """
import time
seen = 0
print("begun")
end = time.monotonic() + 1
while time.monotonic() < end:
    try:
        time.sleep(0.01)
    except KeyboardInterrupt:
        seen += 1
seen
"""
        run_id = self.process.start(code)
        self.process.wait_for_stdout("begun")
        self.process.interrupt(run_id)
        self.assertEqual(self.process.finish(run_id).stdout, "1\n")

    def test_an_interrupt_leaves_the_capture_of_raw_output_alive(self) -> None:
        code = "import os\nwhile True:\n    os.write(1, b'raw\\n')\n    print('x')"
        run_id = self.process.start(code)
        self.process.wait_for_stdout("raw")
        self.process.interrupt(run_id)
        self.assertEqual(self.process.finish(run_id).status, "interrupted")
        self.assertEqual(self.process.run("os.write(1, b'alive\\n');").stdout, "alive\n")


if __name__ == "__main__":
    unittest.main()
