"""Entry of a sandbox that is a process: ``python3 -u entrypoint.py``.

Puts the protocol's file descriptors aside before any user code runs, so that a stray write to fd 1 cannot
tear a message. The main thread owns the event loop; a reader thread takes the host's lines, so an
interrupt is seen while code runs. Ends when stdin does.
"""

from __future__ import annotations

import asyncio
import ctypes
import io
import os
import signal
import sys
import threading
import time
from typing import Any, Callable

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from sandbox_runtime import wire  # noqa: E402
from sandbox_runtime.kernel import Kernel  # noqa: E402
from sandbox_runtime.supervisor import supervise  # noqa: E402

_FLUSH_SECONDS = 0.1
_PIPE_CHUNK = 64 * 1024


class _Capture:
    """What is written to a file descriptor by C code or child processes, as text of its stream."""

    def __init__(self, name: str, fd: int) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.dup2(writer, fd)
        os.close(writer)

    def pump(self) -> None:
        """Take what comes, for ever."""
        import select

        while True:
            select.select([self._reader], [], [])
            self.drain()

    def drain(self) -> None:
        """Take what is there now."""
        stream = getattr(sys, f"__{self._name}__")
        with self._lock:
            try:
                while data := os.read(self._reader, _PIPE_CHUNK):
                    stream.buffer.write(data)
            except BlockingIOError:
                pass


def _writer(fd: int) -> Callable[[bytes], None]:
    lock = threading.Lock()

    def send(line: bytes) -> None:
        view = memoryview(line)
        with lock:
            while view:
                view = view[os.write(fd, view) :]

    return send


def _flush_c_streams() -> None:
    try:
        ctypes.CDLL(None).fflush(None)
    except (OSError, AttributeError):
        pass  # No C library to ask: what C code has buffered stays there until it flushes.


def _read_host(source: io.BufferedReader, kernel: Kernel, loop: Any) -> None:
    main = threading.main_thread().ident
    try:
        for line in source:
            if not line.strip():
                continue
            message = wire.parse(line)
            if message["type"] == "shutdown":
                break
            loop.call_soon_threadsafe(kernel.receive, line)
            if message["type"] == "interrupt" and message["id"] == kernel.run_id and main:
                signal.pthread_kill(main, signal.SIGINT)
    finally:
        os._exit(0)


def _flush_regularly(kernel: Kernel) -> None:
    while True:
        time.sleep(_FLUSH_SECONDS)
        kernel.outbox.flush_if_due()


def main() -> None:
    """Serve the host until it closes our stdin."""
    source = os.fdopen(os.dup(0), "rb")
    send = _writer(os.dup(1))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    captures = [_Capture("stdout", 1), _Capture("stderr", 2)]

    def drain() -> None:
        _flush_c_streams()
        for capture in captures:
            capture.drain()

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    kernel = Kernel(send, loop=loop, engine="container", before_done=drain)
    kernel.start()
    for work, args in (
        (_read_host, (source, kernel, loop)),
        (_flush_regularly, (kernel,)),
        *((capture.pump, ()) for capture in captures),
    ):
        threading.Thread(target=work, args=args, daemon=True).start()
    while True:
        try:
            loop.run_forever()
        except (KeyboardInterrupt, SystemExit):
            pass  # A background task ended itself; the interpreter goes on.


if __name__ == "__main__":
    supervise()
    main()
