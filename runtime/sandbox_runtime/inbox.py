"""Messages of the host in a process: a reader thread puts them in, the main thread takes them out.

The main thread gets them in its event loop or, where code waits on the spot, without a turn of it.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from typing import Callable

from . import wire
from .loops import ReentrantLoop


class ProcessLoop(ReentrantLoop, asyncio.SelectorEventLoop):
    """The loop of the main thread, which other threads may wake."""

    def __init__(self) -> None:
        super().__init__()
        #: Set when there is one: what to do besides waking the loop.
        self.on_wake: Callable[[], None] = lambda: None

    def _write_to_self(self) -> None:
        super()._write_to_self()  # type: ignore[misc]
        self.on_wake()

    def is_quiet(self) -> bool:
        """Whether this is its thread and nothing is due, at a time, by a file or by a signal."""
        if threading.get_ident() != self._thread_id:  # type: ignore[attr-defined]
            return False
        files = self._selector.get_map()  # type: ignore[attr-defined]
        # One file is there always: the one by which another thread wakes the loop.
        return not (self._ready or self._scheduled or self._signal_handlers or len(files) > 1)  # type: ignore[attr-defined]


class Inbox:
    """Messages of the host: for the event loop, or for code that waits for them on the spot."""

    def __init__(self, loop: ProcessLoop) -> None:
        self._loop = loop
        self._messages: queue.SimpleQueue[wire.HostMessage | None] = queue.SimpleQueue()
        self._receive: Callable[[wire.HostMessage], None] = id
        #: Whether code waits on the spot: then a message needs no turn of the loop.
        self._is_awaited = False
        loop.on_wake = self._wake

    def listen(self, receive: Callable[[wire.HostMessage], None]) -> None:
        """Hand messages to this function, in the event loop."""
        self._receive = receive

    def put(self, message: wire.HostMessage) -> None:
        """Add a message, from any thread."""
        self._messages.put(message)
        if not self._is_awaited:
            self._loop.call_soon_threadsafe(self._deliver)

    def take(self) -> wire.HostMessage | None:
        """The next message; none if another thread has given the event loop something to do."""
        self._is_awaited = True
        try:
            return self._messages.get()
        finally:
            self._is_awaited = False
            # What came meanwhile was left to us.
            if not self._messages.empty():
                self._loop.call_soon(self._deliver)

    def _wake(self) -> None:
        if self._messages.empty():
            self._messages.put(None)

    def _deliver(self) -> None:
        # They may have been taken already.
        while not self._messages.empty():
            message = self._messages.get()
            if message is not None:
                self._receive(message)
