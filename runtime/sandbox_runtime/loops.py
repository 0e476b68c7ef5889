"""One event loop that can be entered again.

User code runs inside the kernel's loop, yet programs call ``asyncio.run(main())`` or make a loop of their
own, as they would in a script. In the main thread all of that leads to the one loop there is, which goes on
turning inside the call.
"""

from __future__ import annotations

import asyncio
import collections
import contextvars
import threading
from typing import Any, Callable

from .interrupts import InterruptGate


class _Ready(collections.deque):  # type: ignore[type-arg]
    """The callbacks that are due; a turn inside a turn may take what the outer one has counted."""

    def __init__(self, nothing: asyncio.Handle) -> None:
        super().__init__()
        self._nothing = nothing

    def popleft(self) -> Any:
        return super().popleft() if self else self._nothing


class ReentrantLoop(asyncio.BaseEventLoop):
    """A loop whose ``run_until_complete`` also works while it is running."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        nothing = asyncio.Handle(id, (), self)
        nothing.cancel()
        self._ready = _Ready(nothing)
        #: Set by the kernel: decides about interrupts while a call inside a call waits.
        self.gate = InterruptGate()

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        """As ever, and takes a future as well: a tool call is one, and no coroutine."""
        return super().create_task(_wait(coro) if isinstance(coro, asyncio.Future) else coro, **options)

    def run_until_complete(self, future: Any) -> Any:
        """Run until the future is done; inside the loop itself by further turns of it."""
        if not self.is_running():
            return super().run_until_complete(future)
        inner = asyncio.ensure_future(future, loop=self)
        task = asyncio.current_task(self)
        if task is not None:
            asyncio.tasks._leave_task(self, task)  # type: ignore[attr-defined]
        try:
            with self.gate.standing:
                while not inner.done():
                    self._turn()
        except BaseException:
            if inner is not future:
                inner.cancel()
            raise
        finally:
            if task is not None:
                asyncio.tasks._enter_task(self, task)  # type: ignore[attr-defined]
        return inner.result()

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


def share(loop: ReentrantLoop) -> None:
    """Make this the loop of the main thread, whatever way a program asks for one."""
    asyncio.set_event_loop(loop)

    class Runner:
        """``asyncio.Runner`` over the loop that is running."""

        def __init__(self, *, debug: bool | None = None, loop_factory: Any = None) -> None:
            del debug, loop_factory

        def __enter__(self) -> Runner:
            return self

        def __exit__(self, *_exc: object) -> None:
            self.close()

        def close(self) -> None:
            """Nothing: the loop goes on."""

        def get_loop(self) -> ReentrantLoop:
            """The loop that is running."""
            return loop

        def run(self, coro: Any, *, context: contextvars.Context | None = None) -> Any:
            """Run to the end and give the result."""
            _check_awaitable(coro)
            if context is not None:
                return context.run(loop.run_until_complete, coro)
            return loop.run_until_complete(coro)

    def run(main: Any, *, debug: bool | None = None, loop_factory: Any = None) -> Any:
        """Run to the end and give the result, inside the loop that is running already."""
        del debug, loop_factory
        return Runner().run(main)

    _replace("new_event_loop", lambda: loop, asyncio.events)
    _replace("run", run, asyncio.runners)
    _replace("Runner", Runner, asyncio.runners)


def _check_awaitable(value: Any) -> None:
    if not hasattr(value, "__await__"):
        hint = ": call it, as in asyncio.run(main())" if callable(value) else ""
        raise ValueError(f"a coroutine was expected, got {value!r}{hint}")


def _replace(name: str, ours: Callable[..., Any], module: Any) -> None:
    """Put ours in the place of asyncio's own, in the main thread; other threads have loops of their own."""
    original = getattr(module, name)

    def choose(*args: Any, **kwargs: Any) -> Any:
        is_main = threading.current_thread() is threading.main_thread()
        return (ours if is_main else original)(*args, **kwargs)

    choose.__name__ = choose.__qualname__ = name
    choose.__doc__ = original.__doc__
    setattr(asyncio, name, choose)
    setattr(module, name, choose)
