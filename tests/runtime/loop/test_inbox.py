"""``inbox``: messages of a reader thread, in their order, wherever the main thread waits for them."""

from __future__ import annotations

import asyncio
import threading
import time
import unittest
from typing import Any, Callable

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.loop.inbox import Inbox, ProcessLoop


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait in a thread beside the loop's."""
    while not is_so():
        time.sleep(0.001)


class InboxTest(unittest.TestCase):
    def setUp(self) -> None:
        self.inbox = Inbox()
        self.loop = ProcessLoop(self.inbox)
        self.addCleanup(asyncio.SelectorEventLoop.close, self.loop)
        self.received: list[Any] = []
        self.inbox.listen(self.received.append)

    def in_loop(self, body: Callable[[], Any]) -> Any:
        """Run a function as a step of the loop."""

        async def main() -> Any:
            return body()

        return self.loop.run_until_complete(main())

    def put(self, *numbers: int) -> None:
        """Put messages in from another thread."""
        for number in numbers:
            self.inbox.put({"number": number})  # type: ignore[arg-type]

    def put_when_awaited(self, number: int) -> None:
        """Put a message in when the main thread waits on the spot."""
        wait_until(lambda: self.inbox._is_awaited)
        self.put(number)

    def start(self, work: Callable[..., None], *args: Any) -> None:
        thread = threading.Thread(target=work, args=args)
        thread.start()
        self.addCleanup(thread.join)

    def numbers(self) -> list[int]:
        return [message["number"] for message in self.received]

    def test_messages_reach_the_loop_in_their_order(self) -> None:
        self.start(self.put, 1, 2, 3)

        async def wait() -> None:
            while len(self.received) < 3:
                await asyncio.sleep(0.001)

        self.loop.run_until_complete(wait())
        self.assertEqual(self.numbers(), [1, 2, 3])

    def test_a_message_that_is_waited_for_on_the_spot_needs_no_turn_of_the_loop(self) -> None:
        self.start(self.put_when_awaited, 1)
        self.assertEqual(self.in_loop(lambda: self.inbox.take()), {"number": 1})
        self.loop.run_until_complete(asyncio.sleep(0.01))
        self.assertEqual(self.received, [])

    def test_what_came_while_one_was_waited_for_reaches_the_loop(self) -> None:
        def take() -> Any:
            self.inbox._is_awaited = True
            self.put(1, 2, 3)
            return self.inbox.take()

        self.assertEqual(self.in_loop(take), {"number": 1})
        self.loop.run_until_complete(asyncio.sleep(0.01))
        self.assertEqual(self.numbers(), [2, 3])

    def test_work_of_another_thread_ends_a_wait_on_the_spot(self) -> None:
        def work() -> None:
            self.loop.call_soon_threadsafe(self.received.append, {"number": 7})

        self.start(lambda: (wait_until(lambda: self.inbox._is_awaited), work()))
        self.assertIsNone(self.in_loop(lambda: self.inbox.take()))
        self.loop.run_until_complete(asyncio.sleep(0.01))
        self.assertEqual(self.numbers(), [7])

    def test_work_of_many_threads_leaves_no_more_than_one_wake_behind(self) -> None:
        def work() -> None:
            for _ in range(1000):
                self.loop.call_soon_threadsafe(id, None)

        self.in_loop(work)
        self.assertLessEqual(self.inbox._messages.qsize(), 1)

    def test_many_messages_keep_their_order_however_they_are_taken(self) -> None:
        count = 5000

        def put() -> None:
            for number in range(count):
                if number % 500 == 0:
                    wait_until(lambda: self.inbox._is_awaited)
                self.put(number)

        self.start(put)
        taken = 0

        async def main() -> None:
            nonlocal taken
            while len(self.received) < count:
                if self.loop.is_quiet():
                    message = self.inbox.take()
                    if message is not None:
                        taken += 1
                        self.received.append(message)
                else:
                    await asyncio.sleep(0)

        self.loop.run_until_complete(main())
        self.assertEqual(self.numbers(), list(range(count)))
        self.assertGreater(taken, 0)


class ProcessLoopTest(unittest.TestCase):
    def setUp(self) -> None:
        self.loop = ProcessLoop(Inbox())
        self.addCleanup(asyncio.SelectorEventLoop.close, self.loop)

    def quiet(self, prepare: Callable[[], Any]) -> bool:
        async def main() -> bool:
            self.kept = prepare()
            return self.loop.is_quiet()

        return self.loop.run_until_complete(main())

    def test_a_loop_with_nothing_to_do_is_quiet(self) -> None:
        self.assertTrue(self.quiet(lambda: None))

    def test_a_loop_with_work_or_a_timer_is_not(self) -> None:
        self.assertFalse(self.quiet(lambda: self.loop.call_soon(id, None)))
        self.assertFalse(self.quiet(lambda: self.loop.call_later(30, id, None)))

    def test_a_loop_that_waits_for_a_file_or_a_signal_is_not(self) -> None:
        import os
        import signal

        reader, writer = os.pipe()
        self.assertFalse(self.quiet(lambda: self.loop.add_reader(reader, id, None)))
        self.loop.remove_reader(reader)
        os.close(reader)
        os.close(writer)
        self.assertTrue(self.quiet(lambda: None))
        self.assertFalse(self.quiet(lambda: self.loop.add_signal_handler(signal.SIGUSR1, id, None)))
        self.loop.remove_signal_handler(signal.SIGUSR1)

    def test_in_another_thread_it_never_is(self) -> None:
        answers: list[bool] = []

        async def main() -> None:
            await asyncio.to_thread(lambda: answers.append(self.loop.is_quiet()))

        self.loop.run_until_complete(main())
        self.assertEqual(answers, [False])


if __name__ == "__main__":
    unittest.main()
