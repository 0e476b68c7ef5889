"""Waiting for the host on the spot.

Plain functions such as ``save_memory`` and values of calls that nobody awaited need a reply before they
return. The event loop stands still meanwhile; messages of the host are taken here, in their order.
"""

from __future__ import annotations

import asyncio
import threading
from typing import Any, Callable

from ..wire.streams import Outbox
from .interrupts import InterruptGate

#: Waits for the next message of the host and takes it; an interrupt is one, too.
TakeMessage = Callable[[], None]


class Waiting:
    """Waits in the main thread, which alone may touch futures of the event loop."""

    def __init__(self, take: TakeMessage, gate: InterruptGate, outbox: Outbox) -> None:
        self._take = take
        self._gate = gate
        self._outbox = outbox
        #: Set by an entry that can tell: whether the event loop has nothing to do but wait for the host.
        self.is_quiet: Callable[[], bool] = lambda: False

    @property
    def is_possible(self) -> bool:
        """Whether this thread may wait here."""
        return threading.current_thread() is threading.main_thread()

    def wait(self, future: asyncio.Future[Any]) -> None:
        """Return when the future is done; an interrupt of the host ends the wait."""
        with self._gate.standing:
            while not future.done():
                self._take_next()

    def wait_in_quiet(self, future: asyncio.Future[Any]) -> None:
        """Wait as long as the event loop has nothing else to do: then a reply costs no turn of it."""
        if not self.is_quiet():
            return
        with self._gate.standing:
            while not future.done() and self.is_quiet():
                self._take_next()

    def _take_next(self) -> None:
        self._outbox.flush()
        self._take()
        self._gate.checkpoint()
