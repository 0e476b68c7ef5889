"""``Kernel``: an interrupt stops the run it names, and nothing else."""

from __future__ import annotations

import unittest

from kernel_host import KernelHost

SLEEP = "import asyncio\nx = 1\nawait asyncio.sleep(60)"
SIGNAL = "import signal\nsignal.raise_signal(signal.SIGINT)"


class KernelInterruptTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = self.enterContext(KernelHost())

    def test_interrupt_stops_a_run_that_awaits_and_keeps_its_variables(self) -> None:
        run_id = self.host.start(SLEEP)
        self.host.step()
        self.host.interrupt(run_id)
        self.assertEqual(
            self.host.finish(run_id),
            {
                "type": "execution_done",
                "id": run_id,
                "status": "interrupted",
                "place": "line 3: await asyncio.sleep(60)",
            },
        )
        self.assertEqual(self.host.value("x"), "1\n")

    def test_interrupt_of_another_run_does_nothing(self) -> None:
        run_id = self.host.start(SLEEP)
        self.host.step()
        self.host.interrupt("run-0")
        self.host.interrupt("")
        self.host.step()
        self.assertEqual(self.host.kernel.run_id, run_id)
        self.host.interrupt(run_id)
        self.assertEqual(self.host.finish(run_id)["status"], "interrupted")

    def test_interrupt_between_runs_does_nothing_to_the_next(self) -> None:
        self.host.run("1")
        self.host.interrupt("run-1")
        self.host.step()
        self.assertEqual(self.host.run("import asyncio\nawait asyncio.sleep(0)")["status"], "ok")

    def test_interrupt_before_the_first_step_still_ends_the_run(self) -> None:
        run_id = self.host.start("started = True")
        self.host.interrupt(run_id)
        self.assertEqual(self.host.finish(run_id)["status"], "interrupted")
        self.assertEqual(self.host.value("'started' in globals()"), "False\n")

    def test_interrupt_stops_the_tasks_a_run_gathers(self) -> None:
        run_id = self.host.start("import asyncio\nawait asyncio.gather(*map(asyncio.sleep, [60] * 9))")
        self.host.step()
        self.host.interrupt(run_id)
        self.assertEqual(self.host.finish(run_id)["status"], "interrupted")

    def test_interrupt_lets_the_code_clean_up(self) -> None:
        code = "import asyncio\ntry:\n    await asyncio.sleep(60)\nfinally:\n    print('cleaned up')"
        run_id = self.host.start(code)
        self.host.step()
        self.host.interrupt(run_id)
        self.assertEqual(self.host.finish(run_id)["status"], "interrupted")
        self.assertEqual(self.host.text("stdout", run_id), "cleaned up\n")

    def test_interrupt_of_a_tool_call_leaves_nothing_waiting(self) -> None:
        run_id = self.host.start("await runtime.call_tool('s', 't')")
        self.host.step()
        self.host.interrupt(run_id)
        self.assertEqual(self.host.finish(run_id)["status"], "interrupted")
        (request,) = self.host.requests()
        payload = {"success": True, "result": 1}
        self.host.send({"type": "rpc_response", "id": request["id"], "payload": payload})
        self.assertEqual(self.host.value("'alive'"), "'alive'\n")

    def test_a_signal_stops_code_that_runs(self) -> None:
        self.assertEqual(self.host.run(f"{SIGNAL}\nprint('after')")["status"], "interrupted")
        self.assertEqual(self.host.text("stdout", "run-1"), "")

    def test_a_signal_sends_what_was_printed_before_even_if_it_is_swallowed(self) -> None:
        code = """
import signal
print("before", end="")
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("after", end="")
"""
        self.assertEqual(self.host.run(code)["status"], "ok")
        texts = [message["data"] for message in self.host.sent if message["type"] == "stdout"]
        self.assertEqual(texts, ["before", "after"])

    def test_a_signal_lets_the_code_clean_up(self) -> None:
        code = """
import signal
try:
    signal.raise_signal(signal.SIGINT)
finally:
    print("cleaned up")
"""
        self.assertEqual(self.host.run(code)["status"], "interrupted")
        self.assertEqual(self.host.text("stdout", "run-1"), "cleaned up\n")

    def test_a_signal_of_one_run_does_not_mark_the_next(self) -> None:
        self.host.run(SIGNAL)
        done = self.host.run("raise KeyboardInterrupt")
        self.assertEqual((done["status"], done["error"]), ("error", "KeyboardInterrupt"))

    def test_a_signal_handler_of_the_code_does_not_outlive_its_run(self) -> None:
        self.host.run("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)")
        self.assertEqual(self.host.run(SIGNAL)["status"], "interrupted")

    def test_the_end_of_an_interrupted_run_names_the_line_it_was_on(self) -> None:
        self.host.run("import signal\ndef stop():\n    signal.raise_signal(signal.SIGINT)\n    pass")
        self.assertEqual(
            self.host.run("print(1)\nstop()")["place"],
            "line 3 of <run-1>, in stop: signal.raise_signal(signal.SIGINT)",
        )
        long = "x = [" + "'a', " * 100 + "signal.raise_signal(signal.SIGINT)]; pass"
        place = self.host.run(f"def {'f' * 5000}():\n    {long}\n{'f' * 5000}()")["place"]
        self.assertEqual((place[:19], len(place)), ("line 2, in ffffffff", 300))
        place = self.host.run(f"\n{long}")["place"]
        self.assertEqual(place, f"line 2: {long[:100]}…")

    def test_an_interrupted_run_names_the_line_of_its_own_not_the_library_it_waits_in(self) -> None:
        run_id = self.host.start(
            "import asyncio\nasync def main():\n    await asyncio.wait_for(asyncio.sleep(60), 90)\nawait main()"
        )
        self.host.step()
        self.host.interrupt(run_id)
        done = self.host.finish(run_id)
        self.assertEqual(
            done["place"], "line 3, in main: await asyncio.wait_for(asyncio.sleep(60), 90)"
        )

    def test_a_run_that_cancels_itself_ends(self) -> None:
        code = "import asyncio\nasyncio.current_task().cancel()\nawait asyncio.sleep(0)"
        self.assertEqual(self.host.run(code)["status"], "interrupted")
        self.assertEqual(self.host.value("'alive'"), "'alive'\n")


if __name__ == "__main__":
    unittest.main()
