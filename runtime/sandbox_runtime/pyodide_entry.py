"""Connects a kernel to Pyodide.

The worker (``src/engine/wasm/child/worker.ts``) imports this module into the snapshot and calls ``start``
after loading it. Nothing of JavaScript may be touched on import: a snapshot cannot hold it.
"""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any, Callable

from . import preload  # noqa: F401 - for what it imports
from .kernel import Kernel

#: Longest wait in one piece. An interrupt that Python has taken out of its cell, but not yet turned into a
#: signal, does not wake the wait that follows: it is seen after this time.
_SLICE_SECONDS = 0.05


def start(post: Any, wait: Any) -> Callable[[str], None]:
    """Start a kernel and give the function that takes the host's lines.

    ``post(bytes)`` sends a line; ``wait(ms)`` blocks until the time is over or an interrupt comes.
    """
    # The snapshot holds the generator's state: without this every sandbox would draw the same numbers.
    random.seed()
    loop: Any = asyncio.get_event_loop()
    # Without handlers, Pyodide ends the interpreter when a background task raises one of these.
    loop._system_exit_handler = lambda _code: None
    loop._keyboard_interrupt_handler = lambda: None
    from pyodide.ffi import to_js

    kernel = Kernel(lambda line: post(to_js(line)), loop=loop, engine="wasm")
    time.sleep = _interruptible_sleep(wait, kernel.gate.checkpoint)
    kernel.start()
    return kernel.receive


def _interruptible_sleep(
    wait: Callable[[float], None], checkpoint: Callable[[], None]
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
        while (left := end - time.monotonic()) > 0:
            checkpoint()
            wait(min(left, _SLICE_SECONDS) * 1000)
        checkpoint()

    return sleep
