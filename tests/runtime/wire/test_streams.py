"""``streams``: many writes, few messages, nothing lost."""

from __future__ import annotations

import json
import time
import unittest
from typing import Any

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.wire import messages
from sandbox_runtime.wire.streams import Outbox, OutputStream

KIB = 1024
MIB = 1024 * 1024

DONE = messages.execution_done("run-1", "ok")


class StreamsTestCase(unittest.TestCase):
    def setUp(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.checkpoints = 0
        #: Messages that went out in one go.
        self.writes: list[int] = []
        self.outbox = Outbox(self.take)
        self.stdout = OutputStream("stdout", 1, self.outbox, self.checkpoint)
        self.stderr = OutputStream("stderr", 2, self.outbox, self.checkpoint)

    def checkpoint(self) -> None:
        self.checkpoints += 1

    def take(self, lines: bytes) -> None:
        messages = [json.loads(line) for line in lines.splitlines()]
        self.sent.extend(messages)
        self.writes.append(len(messages))

    def end(self) -> None:
        self.outbox.end(DONE)
        self.assertEqual(self.sent.pop(), DONE)

    def text(self, name: str = "stdout") -> str:
        return "".join(message["data"] for message in self.sent if message["type"] == name)


class OutboxTest(StreamsTestCase):
    def test_many_prints_make_few_messages(self) -> None:
        self.outbox.begin("run-1")
        for number in range(10_000):
            print(number, file=self.stdout)
        self.end()
        self.assertLess(len(self.sent), 500)
        self.assertEqual(self.text(), "".join(f"{number}\n" for number in range(10_000)))

    def test_the_end_goes_in_one_piece_with_what_is_left_of_the_run(self) -> None:
        self.outbox.begin("run-1")
        self.stdout.write("out")
        self.stderr.write("err")
        self.outbox.end(DONE)
        self.assertEqual(
            self.sent,
            [
                {"type": "stdout", "id": "run-1", "data": "out"},
                {"type": "stderr", "id": "run-1", "data": "err"},
                DONE,
            ],
        )
        self.assertEqual(self.writes, [3])

    def test_a_message_goes_in_one_piece_with_the_text_before_it(self) -> None:
        self.outbox.begin("run-1")
        self.stdout.write("before")
        self.outbox.send(messages.pong())
        self.assertEqual(self.sent, [{"type": "stdout", "id": "run-1", "data": "before"}, messages.pong()])
        self.assertEqual(self.writes, [2])

    def test_a_message_that_cannot_be_sent_costs_no_text(self) -> None:
        self.outbox.begin("run-1")
        self.stdout.write("kept")
        with self.assertRaises(TypeError):
            self.outbox.send(messages.rpc_request("q1", {"type": "x", "value": object()}))
        self.end()
        self.assertEqual(self.text(), "kept")

    def test_a_message_between_runs_leaves_the_text_for_the_next_one(self) -> None:
        self.stdout.write("late")
        self.outbox.send(messages.pong())
        self.assertEqual(self.sent, [messages.pong()])
        self.outbox.begin("run-1")
        self.end()
        self.assertEqual(self.text(), "late")

    def test_text_that_is_large_enough_goes_at_once(self) -> None:
        self.outbox.begin("run-1")
        self.stdout.write("x" * 64 * KIB)
        self.assertEqual(self.text(), "x" * 64 * KIB)

    def test_text_that_has_waited_goes_with_flush_if_due(self) -> None:
        self.outbox.begin("run-1")
        self.stdout.write("no newline")
        time.sleep(0.1)
        self.assertEqual(self.sent, [])
        self.outbox.flush_if_due()
        self.assertEqual(self.text(), "no newline")

    def test_flush_of_the_outbox_sends_and_flush_of_a_stream_does_not(self) -> None:
        self.outbox.begin("run-1")
        self.stdout.write("x")
        self.stdout.flush()
        self.assertEqual(self.sent, [])
        self.outbox.flush()
        self.assertEqual(self.text(), "x")

    def test_a_print_with_flush_for_each_line_still_makes_few_messages(self) -> None:
        self.outbox.begin("run-1")
        for number in range(1000):
            print(number, file=self.stdout, flush=True)
        self.end()
        self.assertLess(len(self.sent), 200)

    def test_huge_text_goes_in_pieces_of_at_most_a_million_characters(self) -> None:
        self.outbox.begin("run-1")
        text = "0123456789" * (3 * MIB // 10) + "end"
        self.stdout.write(text)
        self.end()
        self.assertLessEqual(max(len(message["data"]) for message in self.sent), MIB)
        self.assertEqual(self.text(), text)

    def test_text_written_between_runs_belongs_to_the_next(self) -> None:
        self.stdout.write("idle\n")
        self.outbox.flush()
        self.outbox.flush_if_due()
        self.assertEqual(self.sent, [])
        self.outbox.begin("run-2")
        self.end()
        self.assertEqual(self.sent, [{"type": "stdout", "id": "run-2", "data": "idle\n"}])

    def test_text_written_between_runs_is_bounded(self) -> None:
        for _ in range(1000):
            self.stdout.write("x" * 1000)
        self.outbox.begin("run-2")
        self.end()
        self.assertLessEqual(len(self.text()), 64 * KIB)
        self.assertGreater(len(self.text()), 32 * KIB)

    def test_text_too_large_to_keep_between_runs_does_not_stop_the_next_run(self) -> None:
        self.stdout.write("x" * MIB)
        self.outbox.begin("run-2")
        self.stdout.write("y")
        self.end()
        self.assertEqual(self.text(), "y")

    def test_empty_text_takes_no_room(self) -> None:
        self.outbox.begin("run-1")
        for _ in range(1000):
            self.stdout.write("")
        self.assertEqual(self.outbox._parts["stdout"], [])

    def test_text_printed_from_within_a_send_is_not_lost(self) -> None:
        def send(lines: bytes) -> None:
            self.take(lines)
            if len(self.sent) == 1:
                self.stdout.write("from a finalizer")

        self.outbox = Outbox(send)
        self.stdout = OutputStream("stdout", 1, self.outbox, self.checkpoint)
        self.outbox.begin("run-1")
        self.stdout.write("x")
        self.outbox.flush()
        self.end()
        self.assertEqual(self.text(), "xfrom a finalizer")


class OutputStreamTest(StreamsTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.outbox.begin("run-1")

    def test_lone_surrogates_are_shown_with_backslashreplace(self) -> None:
        self.stdout.write("a\ud800b\udc80ä😀")
        self.end()
        self.assertEqual(self.text(), "a\\ud800b\\udc80ä😀")

    def test_bytes_written_to_the_buffer_keep_their_place(self) -> None:
        self.stdout.write("one ")
        self.assertEqual(self.stdout.buffer.write("zwö ".encode()), 5)
        self.stdout.write("three")
        self.end()
        self.assertEqual(self.text(), "one zwö three")

    def test_a_character_whose_bytes_come_in_two_writes_is_whole(self) -> None:
        for byte in "€😀".encode():
            self.stdout.buffer.write(bytes([byte]))
        self.end()
        self.assertEqual(self.text(), "€😀")

    def test_bytes_that_are_not_utf8_are_shown_with_backslashreplace(self) -> None:
        self.stdout.buffer.write(memoryview(b"a\xffb"))
        self.end()
        self.assertEqual(self.text(), "a\\xffb")

    def test_both_streams_decode_apart(self) -> None:
        self.stdout.buffer.write(b"\xe2\x82")
        self.stderr.buffer.write(b"err")
        self.stdout.buffer.write(b"\xac")
        self.end()
        self.assertEqual((self.text("stdout"), self.text("stderr")), ("€", "err"))

    def test_write_gives_the_number_of_characters(self) -> None:
        self.assertEqual(self.stdout.write("ä😀"), 2)

    def test_write_refuses_what_is_not_text(self) -> None:
        with self.assertRaisesRegex(TypeError, "must be str, not bytes"):
            self.stdout.write(b"x")  # type: ignore[arg-type]

    def test_write_passes_the_checkpoint_after_the_text_is_kept(self) -> None:
        self.stdout.write("x")
        self.stdout.buffer.write(b"y")
        self.assertEqual(self.checkpoints, 2)

    def test_close_does_not_close(self) -> None:
        with self.stdout:
            self.stdout.close()
        self.stdout.write("still here")
        self.end()
        self.assertEqual(self.text(), "still here")

    def test_a_stream_looks_like_a_standard_stream(self) -> None:
        self.assertEqual((self.stdout.fileno(), self.stderr.fileno()), (1, 2))
        self.assertEqual(self.stdout.encoding, "utf-8")
        self.assertTrue(self.stdout.writable())
        self.assertFalse(self.stdout.isatty())
        self.stdout.reconfigure(encoding="utf-8", line_buffering=True)


if __name__ == "__main__":
    unittest.main()
