"""A request that is under way, as an object.

``await`` gives its result. So does using it as a value, for code that forgot the ``await``: then the wait
happens on the spot. A call nobody has looked at is waited for at the end of the run, and its failure is
the run's.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import itertools
import json
import operator
import sys
import threading
from types import CodeType
from typing import Any, Callable, Iterator

from ..awaits.awaited import is_awaited
from ..loop.interrupts import USER_FILES
from ..rpc import Convert, RpcClient


def start(rpc: RpcClient, kind: str, convert: Convert, **fields: Any) -> Any:
    """Send a request now, for the function that the program has called.

    Gives an object to await where the program awaits it, else the result itself.
    """
    frame = sys._getframe(2)
    if not is_awaited(frame):
        return convert(rpc.ask(kind, **fields))
    payload = {"type": kind, **fields}
    if threading.current_thread() is threading.main_thread():
        return ToolCall(rpc, convert, payload, (frame.f_code, frame.f_lasti))
    return _in_thread(rpc.send_from_thread(convert, payload))


async def _in_thread(reply: concurrent.futures.Future[Any]) -> Any:
    return await asyncio.wrap_future(reply)


class ToolCall(asyncio.Future[Any]):
    """A call that is under way; ``await`` gives its result."""

    def __init__(
        self, rpc: RpcClient, convert: Convert, payload: dict[str, Any], made_at: tuple[CodeType, int] | None = None
    ) -> None:
        super().__init__(loop=asyncio.get_event_loop())
        self._payload = payload
        self._made_at = made_at
        self._rpc = rpc
        self._request_id = rpc.send(self, convert, payload)

    def __await__(self) -> Any:
        if self._rpc.waiting is not None and not self.done():
            if self._is_in_other_loop:
                self._rpc.waiting.wait(self)
            else:
                self._rpc.waiting.wait_in_quiet(self)
        return super().__await__()

    # A program may start a call at its top level and await it inside `asyncio.run`. What is scheduled in the
    # loop outside stands still then, so that the call is waited for on the spot.

    @property
    def _is_in_other_loop(self) -> bool:
        return asyncio._get_running_loop() not in (None, self._loop) and self._can_wait

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """The loop that runs: any of the main thread may wait for a call."""
        return asyncio.get_running_loop() if self._is_in_other_loop else self._loop

    def add_done_callback(self, fn: Any, /, *, context: Any = None) -> None:
        if self._is_in_other_loop:
            if not self.done():
                self._rpc.waiting.wait(self)  # type: ignore[union-attr]
            self.get_loop().call_soon(fn, self, context=context)
        else:
            super().add_done_callback(fn, context=context)

    def cancel(self, msg: Any = None) -> bool:
        self._rpc.forget(self._request_id)
        return super().cancel(msg)

    def set_exception(self, exception: type | BaseException, /) -> None:
        super().set_exception(exception)
        self._rpc.note_failure(self, self._request_id)

    @property
    def _label(self) -> str:
        server, tool = self._payload.get("server"), self._payload.get("tool")
        return f"{server}.{tool}" if tool else f"runtime.{self._payload['type']}"

    @property
    def place(self) -> str | None:
        """Where the program made it, if that is its own text."""
        if self._made_at is None:
            return None
        code, at = self._made_at
        lines = next(itertools.islice(code.co_positions(), at // 2, None), (None,))
        if lines[0] is None or not code.co_filename.startswith(USER_FILES):
            return None
        return f"line {lines[0]} of {code.co_filename}"

    def silence(self) -> None:
        """Nobody will look at the failure, and asyncio is not to complain of that."""
        self._log_traceback = False

    def result(self) -> Any:
        """The result; waits for it on the spot if it is not there yet."""
        if not self.done():
            if not self._can_wait:
                place = f" in {self.place}" if self.place else ""
                raise RuntimeError(f"The result of {self._label} is not there yet: write `await` before the call{place}")
            self._rpc.waiting.wait(self)  # type: ignore[union-attr]
        return super().result()

    @property
    def _can_wait(self) -> bool:
        return self._rpc.waiting is not None and self._rpc.waiting.is_possible

    @property
    def is_unnoticed(self) -> bool:
        """Whether nobody waits for it, or it failed and nobody has seen that."""
        if self.done():
            return bool(self._log_traceback)  # type: ignore[attr-defined]
        return not self._callbacks  # type: ignore[attr-defined]

    # Used as a value. Sets and dicts of calls go by identity, as asyncio needs it.

    __hash__ = asyncio.Future.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other or bool(self.result() == other)

    def __repr__(self) -> str:
        if not self.done() and not self._can_wait:
            # asyncio puts it into messages, and fails itself if that fails.
            return f"<call of {self._label}, under way>"
        return repr(self.result())

    def __str__(self) -> str:
        return str(self.result())

    def __format__(self, spec: str) -> str:
        return format(self.result(), spec)

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        return iter(self.result())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.result(), name)


_OPERATORS = (
    *("getitem", "setitem", "delitem", "contains", "lt", "le", "gt", "ge"),
    *("neg", "pos", "abs", "invert", "index"),
)
_BINARY = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"),
    *("and", "or", "xor", "lshift", "rshift", "matmul"),
)
_CONVERSIONS = {"__len__": len, "__bool__": bool, "__int__": int, "__float__": float, "__reversed__": reversed}


def _forward(name: str, function: Callable[..., Any]) -> None:
    def method(self: ToolCall, *args: Any) -> Any:
        return function(self.result(), *args)

    method.__name__ = name
    setattr(ToolCall, name, method)


for _name in (*_OPERATORS, *_BINARY):
    _forward(f"__{_name}__", getattr(operator, f"__{_name}__"))
for _name in _BINARY:
    _forward(f"__r{_name}__", lambda value, other, _f=getattr(operator, f"__{_name}__"): _f(other, value))
for _name, _function in _CONVERSIONS.items():
    _forward(_name, _function)


def _json_default(encoder: json.JSONEncoder, value: Any, _default: Any = json.JSONEncoder.default) -> Any:
    return value.result() if isinstance(value, ToolCall) else _default(encoder, value)


# Also what makes a call fit as the argument of another one.
json.JSONEncoder.default = _json_default  # type: ignore[method-assign]
