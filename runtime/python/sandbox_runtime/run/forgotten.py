"""What a program made to be awaited and did not await, at the end of its run.

Its calls are waited for, and what went wrong is the run's error. Its coroutines have not begun and may be
awaited by the next run: the answer says so, once.
"""

from __future__ import annotations

import asyncio
import collections
import inspect
import itertools
import weakref
from types import CoroutineType
from typing import Any, Iterator, Mapping

from ..loop.loops import is_of_future
from ..rpc import RpcClient
from ..servers.calls import ToolCall

#: How deep in containers a coroutine is looked for, and how many items of each are looked at.
_MAX_DEPTH = 3
_MAX_ITEMS = 100

_CONTAINERS = (list, tuple, set, collections.deque)

_told: weakref.WeakSet[Any] = weakref.WeakSet()


async def settle(rpc: RpcClient) -> None:
    """Wait for calls of this run that nobody waits for, and raise what went wrong unseen."""
    calls = [call for call in rpc.futures() if isinstance(call, ToolCall)]
    pending = {future for call in calls for future in _unnoticed(call)}
    pending |= {task for task in asyncio.all_tasks() if is_of_future(task) and not task._callbacks}
    if pending:
        await asyncio.wait(pending)
    unseen = [*(call for call in rpc.failed if call.is_unnoticed), *(one for one in pending if not one.cancelled())]
    # One error may come by several of them.
    errors = list({id(error): error for one in unseen if (error := one.exception()) is not None}.values())
    if not errors:
        return
    error = errors[0]
    place = next((call.place for call in rpc.failed if call.exception() is error and call.place), None)
    if place is not None:
        error.add_note(f"The call is in {place}: write `await` there, so that it fails where it stands")
    if len(errors) > 1:
        error.add_note(f"{len(errors) - 1} more calls that nobody awaited failed, too")
    raise error


def _unnoticed(call: ToolCall) -> Iterator[asyncio.Future[Any]]:
    """The call, if nobody waits for it, or what ``gather`` or ``shield`` made of it and nobody waits for."""
    if call.is_unnoticed:
        yield call
    future: asyncio.Future[Any] | None = call
    while future is not None and not future.done():
        outer = next(filter(None, map(_outer, future._callbacks or ())), None)
        if outer is not None and not outer.done() and all(map(_is_asyncios_own, outer._callbacks or ())):
            yield outer
        future = outer


def _is_asyncios_own(callback: tuple[Any, Any]) -> bool:
    """Whether ``shield`` looks at its own future there."""
    return getattr(callback[0], "__qualname__", "") == "shield.<locals>._outer_done_callback"


def _outer(callback: tuple[Any, Any]) -> asyncio.Future[Any] | None:
    """The future of ``gather`` or ``shield`` that asyncio's callback is for."""
    function = callback[0]
    if getattr(function, "__module__", None) != asyncio.tasks.__name__:
        return None
    code = getattr(function, "__code__", None)
    if code is None or "outer" not in code.co_freevars:
        return None
    outer = function.__closure__[code.co_freevars.index("outer")].cell_contents
    return outer if isinstance(outer, asyncio.Future) else None


def tell_of_coroutines(names: Mapping[str, Any]) -> str:
    """A line on coroutines that the program holds and never began; empty if there are none."""
    begun = {task.get_coro() for task in asyncio.all_tasks()}
    for name, value in list(names.items()):
        for coroutine in _coroutines(value, _MAX_DEPTH):
            is_new = inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED and coroutine not in begun
            if not is_new or coroutine in _told:
                continue
            _told.update(_coroutines(value, _MAX_DEPTH))
            call = f"{coroutine.__name__}()"
            if coroutine is value:
                return f"hint: `{name}` is a call of {call} that nobody awaited, so it has not run: write `await {name}`\n"
            return f"hint: `{name}` holds calls of {call} that nobody awaited, so they have not run: gather them\n"
    return ""


def _coroutines(value: Any, depth: int) -> Iterator[CoroutineType[Any, Any, Any]]:
    # Nothing but exact types: a class of the user's own could run code.
    kind = type(value)
    if kind is CoroutineType:
        yield value
    elif depth and (kind in _CONTAINERS or kind is dict):
        items = value.values() if kind is dict else value
        for item in itertools.islice(items, _MAX_ITEMS):
            yield from _coroutines(item, depth - 1)
