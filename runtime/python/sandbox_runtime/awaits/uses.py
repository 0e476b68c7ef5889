"""What becomes of a value, as the text of a program tells it.

A ``Use`` is a depth and an end: 0 is the value itself, 1 is what it holds. ``await x`` awaits ``x`` itself,
``gather(*x)`` what ``x`` holds. Where the end lies outside of the function, or in another one, it is looked up
when the call is made.
"""

from __future__ import annotations

from typing import NamedTuple, Union


class Awaited(NamedTuple):
    """It is awaited, or given to asyncio for that."""


class Returned(NamedTuple):
    """It goes to the caller, to which it is the value of the call, or is held by that."""

    depth: int


class Handed(NamedTuple):
    """It is an argument of a function, by position or name; ``None`` is one of several."""

    path: tuple[str, ...]
    argument: int | str | None
    depth: int


Use = tuple[int, Union[Awaited, Returned, Handed]]
Uses = frozenset[Use]

NONE: Uses = frozenset()
ITSELF: Uses = frozenset({(0, Awaited())})
ITEMS: Uses = frozenset({(1, Awaited())})
RETURNED: Uses = frozenset({(0, Returned(0)), (1, Returned(1))})
YIELDED: Uses = frozenset({(0, Returned(1)), (1, Returned(1))})


def handed(path: tuple[str, ...], argument: int | str | None) -> Uses:
    """The uses of an argument."""
    return frozenset({(0, Handed(path, argument, 0)), (1, Handed(path, argument, 1))})


def held(uses: Uses) -> Uses:
    """Of what is in a value with these uses: it may itself hold what they are about."""
    return frozenset([(depth, end) for at, end in uses if at for depth in (0, 1)]) if uses else NONE


def holder(uses: Uses) -> Uses:
    """Of a value that holds one with these uses."""
    return frozenset([(1, end) for _, end in uses]) if uses else NONE


def inside(uses: Uses) -> Uses:
    """Those that are about what a value holds."""
    return frozenset([use for use in uses if use[0]]) if uses else NONE


def carried(uses: Uses) -> Uses:
    """Of whatever is called while a value with these uses is made or gone through."""
    return frozenset([(depth, end) for _, end in uses for depth in (0, 1)]) if uses else NONE
