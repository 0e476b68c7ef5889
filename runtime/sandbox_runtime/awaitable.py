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


_KINDS: dict[type, type] = {tuple: _Tuple, list: _List, dict: _Dict, str: _Str}


def awaitable(value: T) -> T:
    """The same value, of a type that also takes an ``await``."""
    kind = _KINDS.get(type(value))
    return value if kind is None else kind(value)
