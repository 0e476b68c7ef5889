"""Functions whose value is there when they return, and which may be awaited: models write ``await`` before any call."""

from __future__ import annotations

import functools
import sys
from typing import Any, Callable

from .awaited import is_awaited


def also_awaitable(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function: where the program awaits what it gives, that can be awaited."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        value = function(*args, **kwargs)
        if not is_awaited(sys._getframe(1)):
            return value
        given = _give(value)
        given.__name__ = function.__name__
        return given

    return call


async def _give(value: Any) -> Any:
    return value
