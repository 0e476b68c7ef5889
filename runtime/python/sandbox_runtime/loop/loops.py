"""Event loops inside an event loop.

User code runs inside the kernel's loop, yet programs call ``asyncio.run(main())`` or make a loop of their
own, as they would in a script. Such a loop is a real one, with tasks, settings and an end of its own; the one
it runs inside stands still meanwhile. The kernel's loop itself can be entered again, for programs that ask for
"the" loop and run it.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import contextvars
import threading
from typing import Any, Callable, Iterator

from .interrupts import InterruptGate


class _Ready(collections.deque):  # type: ignore[type-arg]
    """The callbacks that are due; a turn inside a turn may take what the outer one has counted."""

    def __init__(self, nothing: asyncio.Handle) -> None:
        super().__init__()
        self._nothing = nothing

    def popleft(self) -> Any:
        return super().popleft() if self else self._nothing


class KernelLoop(asyncio.BaseEventLoop):
    """The loop of the kernel, which also runs while it is running."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        nothing = asyncio.Handle(id, (), self)
        nothing.cancel()
        self._ready = _Ready(nothing)
        #: Set by the kernel: decides about interrupts while a call inside a call waits.
        self.gate = InterruptGate()

    def forget_settings(self) -> None:
        """What a program told the loop does not hold for the next one."""
        self.set_task_factory(None)
        self.set_exception_handler(None)
        self.set_debug(False)

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        """As ever, and takes a future as well: a tool call is one, and no coroutine."""
        return super().create_task(_wait(coro) if isinstance(coro, asyncio.Future) else coro, **options)

    def run_until_complete(self, future: Any) -> Any:
        """Run until the future is done; inside the loop itself by further turns of it."""
        if not self.is_running():
            return super().run_until_complete(future)
        inner = asyncio.ensure_future(future, loop=self)
        try:
            self._turn_until(inner.done)
        except BaseException:
            if inner is not future:
                inner.cancel()
            raise
        return inner.result()

    def run_forever(self) -> None:
        """Run until ``stop`` is called; inside the loop itself by further turns of it."""
        if not self.is_running():
            return super().run_forever()
        self._turn_until(lambda: self._stopping)
        self._stopping = False

    def _turn_until(self, is_over: Callable[[], bool]) -> None:
        with _aside(), self.gate.standing:
            asyncio._set_running_loop(self)
            while not is_over():
                self._turn()

    def _turn(self) -> None:
        try:
            self._run_once()  # type: ignore[attr-defined]
        except (KeyboardInterrupt, SystemExit):
            # A task that is not ours to wait for ended itself.
            if self.gate.fired:
                raise
        self.gate.checkpoint()

    def close(self) -> None:
        """Nothing: a program that closes the loop it asked for must not end the sandbox."""


async def _wait(future: asyncio.Future[Any]) -> Any:
    return await future


def is_of_future(task: asyncio.Task[Any]) -> bool:
    """Whether a task was made of a future, such as a tool call."""
    return getattr(task.get_coro(), "cr_code", None) is _wait.__code__


class ProgramLoop(asyncio.BaseEventLoop):
    """A loop of the program's own: runs although another one does."""

    #: The kernel's, set by ``share``.
    outer: Any

    def run_until_complete(self, future: Any) -> Any:
        """Run until the future is done."""
        with _aside():
            return super().run_until_complete(future)

    def run_forever(self) -> None:
        """Run until ``stop`` is called."""
        with _aside(), self.outer.gate.standing:
            super().run_forever()

    def _run_once(self) -> None:
        super()._run_once()  # type: ignore[misc]
        self.outer.gate.checkpoint()


@contextlib.contextmanager
def _aside() -> Iterator[None]:
    """Let the running loop stand aside, so that another can run in this thread."""
    loop = asyncio._get_running_loop()
    task = None if loop is None else asyncio.current_task(loop)
    if task is not None:
        asyncio.tasks._leave_task(loop, task)  # type: ignore[attr-defined]
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)
        if task is not None:
            asyncio.tasks._enter_task(loop, task)  # type: ignore[attr-defined]


class _Runner(asyncio.Runner):
    __doc__ = asyncio.Runner.__doc__

    def run(self, coro: Any, *, context: contextvars.Context | None = None) -> Any:
        """Run code in the embedded event loop."""
        if isinstance(coro, asyncio.Future):
            loop = coro.get_loop()
            if isinstance(loop, KernelLoop):
                return loop.run_until_complete(coro)
            coro = _wait(coro)
        with _aside():
            return super().run(coro, context=context)

    def close(self) -> None:
        """Shutdown and close event loop."""
        with _aside():
            super().close()


def _run(main: Any, *, debug: bool | None = None, loop_factory: Any = None) -> Any:
    with _Runner(debug=debug, loop_factory=loop_factory) as runner:
        return runner.run(main)


def share(loop: KernelLoop, program_loop: type[ProgramLoop]) -> None:
    """Make one the loop of the main thread, and the other what a program gets that asks for a new one there."""
    original = asyncio.new_event_loop

    def new_event_loop() -> asyncio.AbstractEventLoop:
        is_main = threading.current_thread() is threading.main_thread()
        return program_loop() if is_main else original()

    program_loop.outer = loop
    asyncio.set_event_loop(loop)
    for module, name, ours in (
        (asyncio.events, "new_event_loop", new_event_loop),
        (asyncio.runners, "run", _run),
        (asyncio.runners, "Runner", _Runner),
    ):
        ours.__name__ = ours.__qualname__ = name
        ours.__doc__ = getattr(module, name).__doc__
        setattr(module, name, ours)
        setattr(asyncio, name, ours)
    # Names that a program may give to `loop_factory`.
    asyncio.SelectorEventLoop = asyncio.EventLoop = program_loop  # type: ignore[misc,assignment]


def is_quiet() -> bool:
    """Whether the running loop has nothing to do but wait for the host."""
    loop: Any = asyncio._get_running_loop()
    return isinstance(loop, (KernelLoop, ProgramLoop)) and loop.is_quiet()  # type: ignore[union-attr]
