"""Messages of the host in a process: a reader thread puts them in, the main thread takes them out.

The main thread gets them in its event loop or, where code waits on the spot, without a turn of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from typing import Any, Callable, Iterator

from ..wire import messages
from .loops import KernelLoop, ProgramLoop


class Inbox:
    """Messages of the host: for the event loop that runs, or for code that waits for them on the spot."""

    def __init__(self) -> None:
        self._messages: queue.SimpleQueue[messages.HostMessage | None] = queue.SimpleQueue()
        self._receive: Callable[[messages.HostMessage], None] = id
        #: The loop that runs in the main thread.
        self._loop: asyncio.AbstractEventLoop | None = None
        #: Held where that one must not become another, which could be closed by then.
        self._lock = threading.Lock()
        #: Whether code waits on the spot: then a message needs no turn of the loop.
        self._is_awaited = False

    def listen(self, receive: Callable[[messages.HostMessage], None]) -> None:
        """Hand messages to this function, in the event loop."""
        self._receive = receive

    @contextlib.contextmanager
    def reaching(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Hand messages over in this loop."""
        before = self._loop
        self._move(loop)
        try:
            yield
        finally:
            self._move(before)

    def _move(self, loop: asyncio.AbstractEventLoop | None) -> None:
        with self._lock:
            self._loop = loop
        # What came meanwhile would wait for the other one.
        if loop is not None and not self._messages.empty():
            loop.call_soon(self._deliver)

    def put(self, message: messages.HostMessage) -> None:
        """Add a message, from any thread."""
        self._messages.put(message)
        if self._is_awaited:
            return
        with self._lock:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._deliver)

    def take(self) -> messages.HostMessage | None:
        """The next message; none if another thread has given the event loop something to do."""
        self._is_awaited = True
        try:
            return self._messages.get()
        finally:
            self._is_awaited = False
            # What came meanwhile was left to us.
            if not self._messages.empty() and self._loop is not None:
                self._loop.call_soon(self._deliver)

    def wake(self) -> None:
        """End a wait on the spot."""
        if self._messages.empty():
            self._messages.put(None)

    def _deliver(self) -> None:
        # They may have been taken already.
        while not self._messages.empty():
            message = self._messages.get()
            if message is not None:
                self._receive(message)


class _HearingLoop(asyncio.SelectorEventLoop):
    """A loop of a process that gets the messages of an inbox while it runs in the main thread."""

    inbox: Inbox

    def run_forever(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return super().run_forever()
        with self.inbox.reaching(self):
            super().run_forever()

    def _write_to_self(self) -> None:
        super()._write_to_self()  # type: ignore[misc]
        self.inbox.wake()

    def is_quiet(self) -> bool:
        """Whether this is its thread and nothing is due, at a time, by a file or by a signal."""
        if threading.get_ident() != self._thread_id:  # type: ignore[attr-defined]
            return False
        files = self._selector.get_map()  # type: ignore[attr-defined]
        # One file is there always: the one by which another thread wakes the loop.
        return not (self._ready or self._scheduled or self._signal_handlers or len(files) > 1)  # type: ignore[attr-defined]


class ProcessLoop(KernelLoop, _HearingLoop):
    """The loop of the main thread, which other threads may wake."""

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox
        super().__init__()


class ProcessProgramLoop(ProgramLoop, _HearingLoop):
    """A loop of the program's own."""

    def __init__(self, *args: Any) -> None:
        self.inbox = self.outer.inbox
        super().__init__(*args)
