"""``InterruptGate``: what a SIGINT does is decided by the frames it meets."""

from __future__ import annotations

import os
import signal
import threading
import unittest
from typing import Callable

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.loop.interrupts import OWN_FOLDER, USER_FILE_PREFIX, InterruptGate

USER_FILE = f"{USER_FILE_PREFIX}1>"
OWN_FILE = os.path.join(OWN_FOLDER, "part_of_ours.py")
LIBRARY_FILE = os.path.join(os.sep, "lib", "library.py")


def send_signal() -> None:
    """A real SIGINT to this thread, whose handler has run when this returns."""
    signal.raise_signal(signal.SIGINT)


def placed_in(filename: str, call: Callable[[], None]) -> Callable[[], None]:
    """A function that calls another one and whose frame says it is in that file."""
    names: dict[str, Callable[[], None]] = {"call": call}
    exec(compile("def placed():\n    call()", filename, "exec"), names)
    return names["placed"]


class InterruptGateTest(unittest.TestCase):
    def setUp(self) -> None:
        self.addCleanup(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
        self.raised = 0
        self.gate = InterruptGate(self.before_raise)
        self.gate.begin()

    def before_raise(self) -> None:
        self.raised += 1

    def test_a_signal_in_user_code_raises(self) -> None:
        with self.assertRaises(KeyboardInterrupt):
            placed_in(USER_FILE, send_signal)()
        self.assertTrue(self.gate.fired)
        self.assertFalse(self.gate.unanswered)
        self.assertEqual(self.raised, 1)

    def test_a_signal_in_a_library_that_user_code_called_raises(self) -> None:
        with self.assertRaises(KeyboardInterrupt):
            placed_in(USER_FILE, placed_in(LIBRARY_FILE, send_signal))()

    def test_a_signal_in_user_code_that_we_called_raises(self) -> None:
        with self.assertRaises(KeyboardInterrupt):
            placed_in(OWN_FILE, placed_in(USER_FILE, send_signal))()

    def test_a_signal_in_our_code_waits_for_the_checkpoint(self) -> None:
        placed_in(USER_FILE, placed_in(OWN_FILE, send_signal))()
        self.assertFalse(self.gate.fired)
        self.assertEqual(self.raised, 0)
        with self.assertRaises(KeyboardInterrupt):
            self.gate.checkpoint()
        self.assertTrue(self.gate.fired)
        self.assertEqual(self.raised, 1)

    def test_a_signal_in_a_library_that_we_called_waits_for_the_checkpoint(self) -> None:
        placed_in(USER_FILE, placed_in(OWN_FILE, placed_in(LIBRARY_FILE, send_signal)))()
        with self.assertRaises(KeyboardInterrupt):
            self.gate.checkpoint()

    def test_a_checkpoint_raises_once(self) -> None:
        placed_in(OWN_FILE, send_signal)()
        with self.assertRaises(KeyboardInterrupt):
            self.gate.checkpoint()
        self.gate.checkpoint()

    def test_a_checkpoint_without_a_signal_does_nothing(self) -> None:
        self.gate.checkpoint()
        self.assertFalse(self.gate.fired)

    def test_a_checkpoint_of_another_thread_leaves_the_interrupt_to_the_main_thread(self) -> None:
        placed_in(OWN_FILE, send_signal)()
        passed: list[bool] = []

        def pass_checkpoint() -> None:
            self.gate.checkpoint()
            passed.append(True)

        thread = threading.Thread(target=pass_checkpoint)
        thread.start()
        thread.join()
        self.assertEqual(passed, [True])
        with self.assertRaises(KeyboardInterrupt):
            self.gate.checkpoint()

    def test_a_signal_between_two_steps_raises_nothing_and_stays_unanswered(self) -> None:
        send_signal()
        self.gate.checkpoint()
        self.assertFalse(self.gate.fired)
        self.assertTrue(self.gate.unanswered)

    def test_a_cancelled_task_answers_the_signal(self) -> None:
        placed_in(OWN_FILE, send_signal)()
        cancelled: list[bool] = []
        self.gate.request(lambda: cancelled.append(True))
        self.assertEqual(cancelled, [True])
        self.assertFalse(self.gate.unanswered)
        self.gate.checkpoint()

    def test_code_that_waits_inside_a_call_is_stopped_there_and_not_cancelled(self) -> None:
        with self.gate.standing:
            self.gate.request(self.fail)
            with self.assertRaises(KeyboardInterrupt):
                self.gate.checkpoint()
            self.gate.request(self.fail)
            self.gate.checkpoint()

    def test_another_task_that_waits_inside_a_call_is_stopped_and_the_run_cancelled(self) -> None:
        cancelled: list[bool] = []
        self.gate.run_code = send_signal.__code__
        with self.gate.standing:
            self.gate.request(lambda: cancelled.append(True))
            with self.assertRaises(KeyboardInterrupt):
                self.gate.checkpoint()
        self.assertEqual(cancelled, [True])

    def test_a_run_that_was_cancelled_gets_no_signal_while_it_cleans_up(self) -> None:
        self.gate.request(lambda: None)
        placed_in(USER_FILE, send_signal)()
        placed_in(OWN_FILE, send_signal)()
        self.gate.checkpoint()
        self.assertFalse(self.gate.fired)

    def test_a_run_that_had_a_signal_is_not_cancelled(self) -> None:
        with self.assertRaises(KeyboardInterrupt):
            placed_in(USER_FILE, send_signal)()
        self.gate.request(self.fail)

    def test_a_signal_in_another_task_leaves_the_run_to_be_cancelled(self) -> None:
        self.gate.run_code = placed_in.__code__
        with self.assertRaises(KeyboardInterrupt):
            placed_in(USER_FILE, send_signal)()
        cancelled: list[bool] = []
        self.gate.request(lambda: cancelled.append(True))
        self.assertEqual(cancelled, [True])

    def test_code_that_waits_across_the_start_of_a_run_leaves_no_trace(self) -> None:
        with self.gate.standing:
            self.gate.begin()
        with self.gate.standing:
            self.gate.request(self.fail)

    def test_a_signal_after_the_end_of_the_run_does_nothing(self) -> None:
        self.gate.end()
        placed_in(USER_FILE, send_signal)()
        placed_in(OWN_FILE, send_signal)()
        self.gate.checkpoint()
        self.assertFalse(self.gate.fired)
        self.assertFalse(self.gate.unanswered)

    def test_an_interrupt_that_waits_at_the_end_of_a_run_does_not_reach_the_next(self) -> None:
        placed_in(OWN_FILE, send_signal)()
        self.gate.end()
        self.gate.begin()
        self.gate.checkpoint()
        self.assertFalse(self.gate.fired)

    def test_begin_takes_sigint_back_from_the_run_before(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.gate.end()
        self.gate.begin()
        with self.assertRaises(KeyboardInterrupt):
            placed_in(USER_FILE, send_signal)()


if __name__ == "__main__":
    unittest.main()
