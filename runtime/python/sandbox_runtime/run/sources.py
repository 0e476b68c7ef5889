"""The text of the runs: for tracebacks, ``inspect`` and ``doctest``, and for the line a program was stopped on."""

from __future__ import annotations

import inspect
import linecache
import re
import traceback
from typing import Any

from ..loop.interrupts import USER_FILE_PREFIX, USER_FILES

#: Sources kept so that functions of earlier runs still show their lines, in characters.
_MAX_SOURCE_CHARS = 4 * 1024 * 1024

_sizes: dict[str, int] = {}


def remember_source(filename: str, code: str) -> None:
    """Let ``linecache`` find the code; the oldest sources go first."""
    linecache.cache[filename] = (len(code), None, code.splitlines(True), filename)
    _sizes.pop(filename, None)
    _sizes[filename] = len(code)
    total = sum(_sizes.values())
    for oldest in list(_sizes):
        if total <= _MAX_SOURCE_CHARS or oldest == filename:
            break
        total -= _sizes.pop(oldest)
        linecache.cache.pop(oldest, None)


def _file_of_class(kind: type) -> str | None:
    """The run that a class was made in: that of its methods, or else the last one that has such a class."""
    for value in vars(kind).values():
        method = inspect.unwrap(getattr(value, "fget", None) or getattr(value, "__func__", value))
        code = getattr(method, "__code__", None)
        if code is None or not code.co_filename.startswith(USER_FILE_PREFIX):
            continue
        # A function that was made elsewhere may have been put into the class.
        if getattr(method, "__qualname__", "").startswith(f"{kind.__qualname__}."):
            return code.co_filename
    head = re.compile(rf"\s*class\s+{kind.__name__}\b")
    return next((name for name in reversed(_sizes) if any(map(head.match, linecache.getlines(name)))), None)


def _getfile(object: Any, _getfile: Any = inspect.getfile) -> str:
    """Work out which source or compiled file an object was defined in."""
    is_ours = isinstance(object, type) and object.__module__ == "__main__"
    return is_ours and _file_of_class(object) or _getfile(object)


# Python takes each module for one file; the program's has one for each run.
inspect.getfile = _getfile


#: Longest part of a line that is shown, and longest place.
_MAX_LINE_CHARS = 100
_MAX_CHARS = 300


def place_of(error: BaseException, filename: str) -> str | None:
    """``line 3, in crunch: total += 1``: the innermost line of the user's own that ``error`` came through.

    ``filename`` is the program's own name, which goes without saying.
    """
    place = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if not code.co_filename.startswith(USER_FILES):
            continue
        other = "" if code.co_filename == filename else f" of {code.co_filename}"
        inside = "" if code.co_name == "<module>" else f", in {code.co_name}"
        text = linecache.getline(code.co_filename, number).strip()
        shown = text if len(text) <= _MAX_LINE_CHARS else f"{text[:_MAX_LINE_CHARS]}…"
        place = f"line {number}{other}{inside}" + (f": {shown}" if shown else "")
    # Lone surrogates as the standard streams show them.
    return place and place[:_MAX_CHARS].encode("utf-8", "backslashreplace").decode()
