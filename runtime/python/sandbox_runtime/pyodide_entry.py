"""Connects a kernel to Pyodide.

The worker (``src/engine/wasm/child/worker.ts``) imports this module into the snapshot and calls ``serve``
after loading it, which never returns: Python's event loop waits for the host's lines itself, and
JavaScript's stands still. Nothing of JavaScript may be touched on import: a snapshot cannot hold it.
"""

from __future__ import annotations

import asyncio
import collections
import math
import os
import random
import time
from typing import Any, Callable

from . import preload  # noqa: F401 - for what it imports
from .kernel import Kernel
from .loop.inline_pool import do_work_inline
from .loop.loops import KernelLoop, ProgramLoop, is_quiet, share
from .wire import messages

#: Longest sleep in one piece. An interrupt that Python has taken out of its cell, but not yet turned into a
#: signal, does not wake the sleep that follows: it is seen after this time.
_SLICE_SECONDS = 0.05

#: Number of the host's file: out of reach of programs that close all small ones.
_HOST_FD = 4000

# Read before the worker gave the zone its name.
time.tzname = ("UTC", "UTC")

# Bound here: a program may replace those of ``os``.
_read, _write = os.read, os.write


class _Host:
    """The host's lines, as the event loop's only source of events."""

    def __init__(self, js: Any) -> None:
        os.dup2(js.fd, _HOST_FD)
        os.close(js.fd)
        self._chunk_bytes = js.chunkBytes
        self._poll = js.poll
        self._begin = js.begin
        self._lines: collections.deque[bytes | bytearray] = collections.deque()
        #: Start of a line whose end has not come.
        self._held = bytearray()
        #: Whether that start is lost.
        self._is_cut = False
        self._is_filling = False
        self._kernel: Any = None

    def listen(self, kernel: Kernel) -> None:
        """Hand messages to this kernel."""
        self._kernel = kernel

    def send(self, lines: bytes) -> None:
        """Write lines to the host."""
        _write(_HOST_FD, lines)

    def take(self, seconds: float = math.inf) -> messages.HostMessage | None:
        """The next message, waited for at most so long."""
        if not self._lines and not self._fill(seconds):
            return None
        message = messages.parse(self._lines.popleft())
        if message["type"] == "execute":
            self._begin(message["id"])
        return message

    def _fill(self, seconds: float) -> bool:
        """Read until a line is there; false if none came in time."""
        if self._is_filling:
            # The garbage collector may run code of the user's between two lines below.
            raise RuntimeError("The host cannot be asked here: a message of it is being read")
        self._is_filling = True
        try:
            end = time.monotonic() + seconds if 0 < seconds < math.inf else 0
            while not self._lines:
                if seconds < math.inf and not self._poll(seconds * 1000):
                    return False
                self._split(_read(_HOST_FD, self._chunk_bytes))
                if end:
                    seconds = max(0, end - time.monotonic())
            return True
        finally:
            self._is_filling = False

    def _split(self, chunk: bytes) -> None:
        try:
            *lines, rest = chunk.split(b"\n")
            if lines and self._is_cut:
                del lines[0]
                self._is_cut = False
            elif lines and self._held:
                line, self._held = self._held, bytearray()
                # In place: a line may be long, and memory is what a program may use up.
                line += lines.pop(0)
                self._lines.append(line)
            self._lines.extend(lines)
            if not self._is_cut:
                self._held += rest
        except MemoryError:
            # What was read is lost; what comes after it is not.
            self._is_cut = not chunk.endswith(b"\n")
            self._held.clear()
            raise

    def select(self, timeout: float | None) -> tuple[()]:
        """Wait for a message, in the place of a selector that waits for files; take all that are there."""
        if timeout is None and self._kernel.give_up():
            return ()
        if timeout == 0:
            self._kernel.outbox.flush_if_due()
        else:
            # What was printed is not kept from the user while the program waits.
            self._kernel.outbox.flush()
        message = self.take(math.inf if timeout is None else timeout)
        while message is not None:
            self._kernel.receive(message)
            message = self.take(0)
        return ()


class _HostLoop(asyncio.BaseEventLoop):
    """A loop whose events are the host's messages."""

    def _process_events(self, _events: tuple[()]) -> None:
        """Nothing: the host's messages have been taken."""

    def _write_to_self(self) -> None:
        """Nothing: there is no other thread that could wake the loop."""

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Nothing is waited for: work of a pool has been done when it was handed in."""
        del timeout
        self._executor_shutdown_called = True

    def is_quiet(self) -> bool:
        """Whether nothing is due, now or at a time."""
        return not self._ready and not self._scheduled  # type: ignore[attr-defined]


class _Loop(KernelLoop, _HostLoop):
    def __init__(self, host: _Host) -> None:
        super().__init__()
        self._selector = host


class _ProgramLoop(ProgramLoop, _HostLoop):
    def __init__(self) -> None:
        super().__init__()
        self._selector = self.outer._selector


def serve(js: Any) -> None:
    """Run a kernel for ever.

    ``js.fd`` is a file that is the host, of which ``js.chunkBytes`` have to be asked for at once;
    ``js.poll(ms)`` tells whether bytes of it are there within this time; ``js.begin(id)`` is told of each
    run; ``js.wait(ms)`` blocks until the time is over or an interrupt comes; ``js.isTarget()`` tells whether
    the last interrupt is for the run that is going on.
    """
    # The snapshot holds the generator's state: without this every sandbox would draw the same numbers.
    random.seed()
    host = _Host(js)
    loop = _Loop(host)
    # Pyodide's own loop counts as running for ever.
    asyncio._set_running_loop(None)  # type: ignore[attr-defined]
    share(loop, _ProgramLoop)
    do_work_inline()
    kernel = Kernel(host.send, loop=loop, take=host.take, engine="wasm")
    host.listen(kernel)
    kernel.waiting.is_quiet = is_quiet
    # A signal is sent several times, and the last may be late.
    kernel.gate.is_target = js.isTarget
    time.sleep = _interruptible_sleep(js.wait, kernel)
    kernel.start()
    while True:
        try:
            loop.run_forever()
        except (KeyboardInterrupt, SystemExit):
            pass  # A background task ended itself; the interpreter goes on.


def _interruptible_sleep(
    wait: Callable[[float], None], kernel: Kernel
) -> Callable[[float], None]:
    """``time.sleep`` that an interrupt wakes; Pyodide's own one burns a core and cannot be woken."""

    def sleep(secs: float, /) -> None:
        """Delay execution for a given number of seconds."""
        if not isinstance(secs, (int, float)) and not hasattr(secs, "__index__"):
            raise TypeError(
                f"'{type(secs).__name__}' object cannot be interpreted as an integer"
            )
        if secs < 0:
            raise ValueError("sleep length must be non-negative")
        end = time.monotonic() + secs
        checkpoint = kernel.gate.checkpoint
        kernel.outbox.flush()
        while (left := end - time.monotonic()) > 0:
            checkpoint()
            wait(min(left, _SLICE_SECONDS) * 1000)
        checkpoint()

    return sleep
