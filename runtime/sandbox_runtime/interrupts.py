"""Stopping code that is running, and only that code.

The host interrupts with a SIGINT (a real one in a process, Pyodide's interrupt buffer on WASM). The
handler here raises ``KeyboardInterrupt`` only where the user's code is on top of the stack. Inside this
package it leaves a note instead, which ``checkpoint`` turns into the exception once our own state is
consistent. Everywhere else (the event loop between two steps) it does nothing: there the kernel cancels
the run's task, so a late interrupt can never hit the next run or the kernel itself.
"""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import Callable, NoReturn

#: Code of the user is compiled under file names that start like this.
USER_FILE_PREFIX = "<run-"

#: Code of this package is in files that start like this.
OWN_FOLDER = os.path.dirname(__file__)


class InterruptGate:
    """Decides what a SIGINT does; ``before_raise`` is called just before it stops user code."""

    def __init__(self, before_raise: Callable[[], None] = lambda: None) -> None:
        self._before_raise = before_raise
        self._pending = False
        #: Whether this run has been stopped by an interrupt of ours.
        self.fired = False

    def install(self) -> None:
        """Take SIGINT over; needs the main thread."""
        signal.signal(signal.SIGINT, self._on_signal)

    def clear(self) -> None:
        """Forget the interrupts of the run before."""
        self._pending = self.fired = False

    def checkpoint(self) -> None:
        """Raise the interrupt that arrived inside this package; call it before going back to user code."""
        if self._pending:
            self._raise()

    def _raise(self) -> NoReturn:
        self._pending = False
        self.fired = True
        self._before_raise()
        raise KeyboardInterrupt

    def _on_signal(self, _signum: int, frame: FrameType | None) -> None:
        while frame is not None:
            filename = frame.f_code.co_filename
            if filename.startswith(USER_FILE_PREFIX):
                self._raise()
            if filename.startswith(OWN_FOLDER):
                self._pending = True
                return
            frame = frame.f_back
