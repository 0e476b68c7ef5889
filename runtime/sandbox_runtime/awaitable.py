"""Plain values that may also be awaited: models write ``await`` before functions that need none."""

from __future__ import annotations

from typing import Any, Generator, TypeVar

T = TypeVar("T")


class _Awaitable:
    def __await__(self) -> Generator[None, None, Any]:
        return self
        yield  # Makes it a generator that gives nothing.


class _Tuple(_Awaitable, tuple):  # type: ignore[type-arg]
    pass


class _List(_Awaitable, list):  # type: ignore[type-arg]
    pass


class _Dict(_Awaitable, dict):  # type: ignore[type-arg]
    pass


class _Str(_Awaitable, str):
    pass


class _Int(_Awaitable, int):
    pass


class _Float(_Awaitable, float):
    pass


class Flag(_Awaitable, int):
    """``True`` or ``False`` for functions that say yes or no: a bool cannot be awaited, nor subclassed."""

    def __repr__(self) -> str:
        return repr(bool(self))

    def __await__(self) -> Generator[None, None, bool]:
        return bool(self)
        yield


_KINDS: dict[type, type] = {
    tuple: _Tuple,
    list: _List,
    dict: _Dict,
    str: _Str,
    int: _Int,
    float: _Float,
}


def awaitable(value: T) -> T:
    """The same value, of a type that also takes an ``await``."""
    kind = _KINDS.get(type(value))
    return value if kind is None else kind(value)
