"""Connects a kernel to Pyodide.

The worker (``src/engine/wasm/child/worker.ts``) imports this module into the snapshot and calls ``serve``
after loading it, which never returns: Python's event loop waits for the host's lines itself, and
JavaScript's stands still. Nothing of JavaScript may be touched on import: a snapshot cannot hold it.
"""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any, Callable

from . import preload  # noqa: F401 - for what it imports
from . import wire
from .kernel import Kernel
from .loops import ReentrantLoop, share

#: Longest wait in one piece. An interrupt that Python has taken out of its cell, but not yet turned into a
#: signal, does not wake the wait that follows: it is seen after this time.
_SLICE_SECONDS = 0.05

#: Longest time printed text is held back while the code awaits.
_FLUSH_SECONDS = 0.1

#: Longer than any sandbox lives.
_FOREVER_SECONDS = 1e9


class _Host:
    """The host's lines, as the event loop's only source of events."""

    def __init__(self, take: Callable[[float], Any]) -> None:
        self._take = take
        self._kernel: Any = None

    def listen(self, kernel: Kernel) -> None:
        """Hand messages to this kernel."""
        self._kernel = kernel

    def take(self, seconds: float) -> wire.HostMessage | None:
        """The next message, waited for at most so long."""
        line = self._take(seconds * 1000)
        if line is None:
            return None
        return wire.parse(line if isinstance(line, str) else _take_bytes(line))

    def select(self, timeout: float | None) -> tuple[()]:
        """Wait for a message, in the place of a selector that waits for files; take all that are there."""
        if timeout is None and self._kernel.give_up():
            return ()
        message = self.take(_FOREVER_SECONDS if timeout is None else timeout)
        while message is not None:
            self._kernel.receive(message)
            message = self.take(0)
        return ()


def _take_bytes(buffer: Any) -> bytes:
    """The bytes of an ``ArrayBuffer``, which gives its own memory back: garbage counts against the limit."""
    data: bytes = buffer.to_bytes()
    buffer.transfer(0)
    return data


class _Loop(ReentrantLoop):
    def __init__(self, host: _Host) -> None:
        super().__init__()
        self._selector = host

    def _process_events(self, _events: tuple[()]) -> None:
        """Nothing: the host's messages have been taken."""

    def _write_to_self(self) -> None:
        """Nothing: there is no other thread that could wake the loop."""


def serve(post: Any, take: Any, wait: Any, is_target: Any) -> None:
    """Run a kernel for ever.

    ``post(bytes)`` sends a line; ``take(ms)`` gives the host's next line, as bytes when it is a long reply, or
    nothing when the time is over;
    ``wait(ms)`` blocks until the time is over or an interrupt comes; ``is_target()`` tells whether the last
    interrupt is for the run that is going on.
    """
    # The snapshot holds the generator's state: without this every sandbox would draw the same numbers.
    random.seed()
    from pyodide.ffi import to_js

    host = _Host(take)
    loop = _Loop(host)
    # Pyodide's own loop counts as running for ever.
    asyncio._set_running_loop(None)  # type: ignore[attr-defined]
    share(loop)
    kernel = Kernel(lambda line: post(to_js(line)), loop=loop, take=host.take, engine="wasm")
    host.listen(kernel)
    kernel.waiting.is_quiet = lambda: not loop._ready and not loop._scheduled
    # A signal is sent several times, and the last may be late.
    kernel.gate.is_target = is_target
    # No thread flushes here: text that is held back goes out when the code awaits or sleeps.
    kernel.outbox.call_later = lambda flush: loop.call_later(_FLUSH_SECONDS, flush)
    time.sleep = _interruptible_sleep(wait, kernel)
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
