"""``pyodide_entry``: lines out of the bytes of a file that is the host."""

from __future__ import annotations

import json
import os
import random
import types
import unittest
from typing import Any
from unittest import mock

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime import pyodide_entry

CHUNK_BYTES = 64


class Scarce(bytes):
    """A chunk that there is no memory for."""

    def split(self, *_args: Any) -> Any:
        raise MemoryError


class HostTest(unittest.TestCase):
    def setUp(self) -> None:
        reader, self.writer = os.pipe()
        self.addCleanup(os.close, self.writer)
        self.begun: list[str] = []
        #: Chunks that are read in place of what is in the pipe.
        self.chunks: list[bytes] = []
        fd = os.dup(reader)
        self.addCleanup(os.close, fd)
        for name, value in (("_HOST_FD", fd), ("_read", self.read)):
            patch = mock.patch.object(pyodide_entry, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        js = types.SimpleNamespace(
            fd=reader, chunkBytes=CHUNK_BYTES, poll=lambda _ms: bool(self.chunks), begin=self.begun.append
        )
        self.host = pyodide_entry._Host(js)

    def read(self, _fd: int, size: int) -> bytes:
        self.assertEqual(size, CHUNK_BYTES)
        return self.chunks.pop(0)

    def pings(self, count: int) -> bytes:
        return b'{"type":"ping"}\n' * count

    def take_all(self) -> list[Any]:
        messages = []
        while (message := self.host.take(0)) is not None:
            messages.append(message)
        return messages

    def test_lines_are_the_same_however_the_bytes_are_cut(self) -> None:
        pick = random.Random(1)
        for _ in range(200):
            messages = [
                {"type": "rpc_response", "id": f"q{n}", "payload": {"x": "ü" * pick.randrange(100)}}
                for n in range(pick.randrange(1, 5))
            ]
            data = b"".join(json.dumps(m, ensure_ascii=False).encode() + b"\n" for m in messages)
            places = sorted(pick.randrange(len(data)) for _ in range(pick.randrange(8)))
            self.chunks = [data[a:b] for a, b in zip([0, *places], [*places, len(data)]) if a < b]
            self.assertEqual(self.take_all(), messages)

    def test_each_run_is_told(self) -> None:
        message = {"type": "execute", "id": "run-1", "code": "", "servers": [], "discovered": {}}
        self.chunks = [json.dumps(message).encode() + b"\n"]
        self.assertEqual(self.host.take(), message)
        self.assertEqual(self.begun, ["run-1"])

    def test_a_chunk_without_memory_for_it_costs_no_line_after_it(self) -> None:
        pings = self.pings(1)
        for lost in (self.pings(2), pings + pings[:5], pings[:5]):
            with self.subTest(lost=lost):
                self.chunks = [Scarce(lost)]
                with self.assertRaises(MemoryError):
                    self.host.take()
                rest = b"" if lost.endswith(b"\n") else pings[5:]
                self.chunks = [rest + pings, pings]
                self.assertEqual(len(self.take_all()), 2)

    def test_a_line_that_lost_its_middle_is_passed_over(self) -> None:
        line = self.pings(1)
        self.chunks = [line[:4]]
        self.assertIsNone(self.host.take(0))
        self.chunks = [Scarce(line[4:8])]
        with self.assertRaises(MemoryError):
            self.host.take()
        self.chunks = [line[8:10], line[10:], line]
        self.assertEqual(self.take_all(), [{"type": "ping"}])

    def test_code_that_the_garbage_collector_runs_meanwhile_cannot_wait_for_the_host(self) -> None:
        def read(_fd: int, _size: int) -> bytes:
            with self.assertRaisesRegex(RuntimeError, "cannot be asked here"):
                self.host.take()
            return self.pings(1)

        with mock.patch.object(pyodide_entry, "_read", read):
            self.assertEqual(self.host.take(), {"type": "ping"})


if __name__ == "__main__":
    unittest.main()
