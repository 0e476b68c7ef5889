"""The value on the last line of a run: shown, and kept for the runs that follow.

``_`` is the last one and ``Out[n]`` that of run n, so that the next call can slice a value instead of
computing it again. A long one is shown in part.
"""

from __future__ import annotations

import itertools
from typing import Any, Callable

from ..servers.tool_docs import lines_of

#: Longest text shown of a value, in characters.
_MAX_CHARS = 10_000
#: What is shown of the end of a text that is too long.
_TAIL_CHARS = 2_000
#: Containers with more items are not turned into text as a whole.
_MANY_ITEMS = 1_000
#: Values that are kept.
_KEPT = 20

_BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    dict: ("{", "}"),
}


class _Out(dict):  # type: ignore[type-arg]
    """Run number → value; negative numbers count from the last one, as in a list."""

    def __missing__(self, key: Any) -> Any:
        numbers = list(self)
        if isinstance(key, int) and -len(numbers) <= key < 0:
            return self[numbers[key]]
        known = ", ".join(map(str, numbers)) or "none yet"
        raise KeyError(f"{key!r}: there are values of the runs {known}")


class Echo:
    """Shows the values of one namespace's runs."""

    def __init__(
        self, namespace: dict[str, Any], describe: Callable[[Any], str | None] = lambda _value: None
    ) -> None:
        """``describe`` has words for values that say little to whoever reads them."""
        self._namespace = namespace
        self._describe = describe
        self._out = _Out()
        namespace["Out"] = self._out

    def show(self, value: Any, run: int) -> None:
        """Print a value and keep it."""
        self._namespace["_"] = self._out[run] = value
        if len(self._out) > _KEPT:
            del self._out[next(iter(self._out))]
        said = self._describe(value)
        text, left_out = _shorten(value) if said is None else (said, "")
        print(text)
        if left_out:
            print(f"... {left_out} not shown; the whole value is in `_` and `Out[{run}]`")


def _shorten(value: Any) -> tuple[str, str]:
    """Text of a value, and what it leaves out, in words."""
    lines = lines_of(value)
    if lines is not None:
        return _first_lines(lines)
    if type(value) in _BRACKETS and len(value) > _MANY_ITEMS:
        return _first_items(value)
    if isinstance(value, str) and len(value) > _MAX_CHARS:
        return _ends(value, _MAX_CHARS, "characters")
    if isinstance(value, (bytes, bytearray)) and len(value) > _MAX_CHARS // 4:
        # A byte is up to four characters.
        return _ends(value, _MAX_CHARS // 4, "bytes")
    text = repr(value)
    if len(text) <= _MAX_CHARS:
        return text, ""
    shown = f"{text[: _MAX_CHARS - _TAIL_CHARS]} ... {text[-_TAIL_CHARS:]}"
    return shown, f"{len(text) - _MAX_CHARS:,} of {len(text):,} characters"


def _ends(value: Any, most: int, unit: str) -> tuple[str, str]:
    """The start and the end of something long."""
    tail = most // 5
    shown = f"{value[: most - tail]!r} ... {value[-tail:]!r}"
    return shown, f"{len(value) - most:,} of {len(value):,} {unit}"


def _first_lines(lines: list[str]) -> tuple[str, str]:
    """The first lines that fit."""
    ends = itertools.accumulate(len(line) + 1 for line in lines)
    fitting = max(1, sum(end <= _MAX_CHARS for end in ends))
    left_out = len(lines) - fitting
    return "\n".join(lines[:fitting]), f"{left_out:,} of {len(lines):,} lines" if left_out else ""


def _first_items(value: Any) -> tuple[str, str]:
    """The first items that fit; the others are not even looked at."""
    opening, closing = _BRACKETS[type(value)]
    items: Any = value.items() if type(value) is dict else value
    texts: list[str] = []
    room = _MAX_CHARS
    for item in itertools.islice(items, _MANY_ITEMS):
        text = f"{item[0]!r}: {item[1]!r}" if type(value) is dict else repr(item)
        room -= len(text) + 2
        if room < 0 and texts:
            break
        texts.append(text[:_MAX_CHARS])
    left_out = len(value) - len(texts)
    return f"{opening}{', '.join(texts)}, ...{closing}", f"{left_out:,} of {len(value):,} items"
