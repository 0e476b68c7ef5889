"""The line a program was on when it was stopped, for the answer that says so."""

from __future__ import annotations

import linecache
import traceback

from ..loop.interrupts import USER_FILES

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
