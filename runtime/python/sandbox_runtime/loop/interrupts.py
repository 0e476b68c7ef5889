"""Stopping code that is running, and only that code.

The host interrupts with a SIGINT (a real one in a process, Pyodide's interrupt buffer on WASM). The
handler here raises ``KeyboardInterrupt`` only where the user's code is on top of the stack. Inside this
package it leaves a note instead, which ``checkpoint`` turns into the exception once our own state is
consistent. Everywhere else (the event loop between two steps) it raises nothing: there the kernel cancels
the run's task. A run gets one exception: it is not cancelled where it has had its ``KeyboardInterrupt``, nor
the other way round. Between runs a signal does nothing, so a late interrupt can never hit the next run, a
task left behind or the kernel itself.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import CodeType, FrameType
from typing import Callable

#: Code of the user is compiled under file names that start like this.
USER_FILE_PREFIX = "<run-"

#: So is code of saved tools, under names that start like this.
SAVED_TOOL_PREFIX = "<saved tool "

#: All code of the user.
USER_FILES = (USER_FILE_PREFIX, SAVED_TOOL_PREFIX)

#: Modules of this package have names that start like this.
OWN_PACKAGE = __name__.partition(".")[0]

#: Code of this package is in files that start like this.
OWN_FOLDER = os.path.dirname(os.path.dirname(__file__))


class Stuck(RuntimeError):
    """A program that awaits what never comes."""

    __module__ = "builtins"

    def __init__(self) -> None:
        super().__init__(
            "The program awaits something that nothing is left to bring about"
            " (promises of JavaScript are not kept here)"
        )


class _Standing:
    """Counts who waits inside a call; made once, since a wait may be short."""

    def __init__(self, gate: InterruptGate) -> None:
        self._gate = gate

    def __enter__(self) -> None:
        self._gate._standing += 1

    def __exit__(self, *_exc: object) -> None:
        # A run that has begun meanwhile counts its own.
        self._gate._standing = max(0, self._gate._standing - 1)


class InterruptGate:
    """Decides what a SIGINT does; ``before_raise`` is called just before it stops user code."""

    def __init__(self, before_raise: Callable[[], None] = lambda: None) -> None:
        self._before_raise = before_raise
        self._running = False
        self._pending = False
        self._standing = 0
        #: Whether the run has had its exception, one or the other.
        self._is_told = False
        #: Set by the kernel: the function that every frame of the run has below it. The rest is other tasks.
        self.run_code: CodeType | None = None
        #: For ``with``: user code waits inside a call of ours, where cancelling its task would stop nothing.
        self.standing = _Standing(self)
        #: Set by an entry whose signals may come late: whether one is for the run that is going on.
        self.is_target: Callable[[], bool] = lambda: True
        #: Whether this run has been stopped by an interrupt of ours.
        self.fired = False
        #: Whether this run was ended because nothing could wake it any more.
        self.is_stuck = False
        #: Whether a signal came that has stopped nothing yet: an entry that can sends it again, since the
        #: run's next step may be one that never comes back to the event loop.
        self.unanswered = False

    def install(self) -> None:
        """Take SIGINT over; needs the main thread."""
        signal.signal(signal.SIGINT, self._on_signal)

    def begin(self) -> None:
        """A run starts: interrupts count from now on, whatever the run before did to SIGINT."""
        self._pending = self.unanswered = self.fired = self.is_stuck = self._is_told = False
        self._standing = 0
        self._running = True
        self.install()

    def end(self) -> None:
        """The run is over: what comes late stops nothing."""
        self._running = self._pending = self.unanswered = False

    def request(self, cancel: Callable[[], object]) -> None:
        """The host wants the run to end: by ``cancel``, unless its code waits inside a call of ours.

        Where the code that waits is another task of the run, both are ended: the end of that task alone may
        be kept from the run, as by ``asyncio.gather``.
        """
        stands = self._standing > 0
        if not self._is_told and not (stands and self._is_run(sys._getframe())):
            self._is_told = True
            cancel()
        self._pending = stands and not self.fired
        if not stands:
            self.unanswered = False

    def request_end(self, cancel: Callable[[], object]) -> None:
        """Nothing can wake the run any more: it ends with ``Stuck``, where it waits."""
        if self._standing > 0:
            raise Stuck
        self.is_stuck = True
        cancel()

    def checkpoint(self) -> None:
        """Raise the interrupt that arrived inside this package; call it before going back to user code."""
        if self._pending and threading.current_thread() is threading.main_thread():
            self._stop(sys._getframe())

    def _stop(self, frame: FrameType) -> None:
        self._pending = self.unanswered = False
        if self._is_run(frame):
            if self._is_told:
                return
            self._is_told = True
        self.fired = True
        self._before_raise()
        raise KeyboardInterrupt

    def _is_run(self, frame: FrameType | None) -> bool:
        """Whether it is the run that this frame works for, rather than another task."""
        while frame is not None and self.run_code is not None:
            if frame.f_code is self.run_code:
                return True
            frame = frame.f_back
        return self.run_code is None

    def _on_signal(self, _signum: int, frame: FrameType | None) -> None:
        # Only one per run: the entries repeat a signal, and code that cleans up must be let alone.
        if not self._running or self.fired or not self.is_target():
            return
        self.unanswered = True
        while frame is not None:
            filename = frame.f_code.co_filename
            if filename.startswith(USER_FILES):
                return self._stop(frame)
            if filename.startswith(OWN_FOLDER):
                self._pending = True
                return
            frame = frame.f_back
