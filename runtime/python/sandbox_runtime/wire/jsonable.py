"""Python values as JSON, by a rule that loses nothing unsaid: for what is kept, and for arguments of tools.

Written as they are: ``None``, bools, numbers, strings, lists, and dicts whose keys are strings. Tuples become
lists; dates, times and datetimes their ISO text. Anything else is an error that says where it is. Only
arguments may have keys of other kinds, which are written as Python's ``json`` writes them: nobody looks for
them under the old key again.
"""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import json
import math
from typing import Any

#: Deeper than data is, and far from where an interpreter's stack ends.
_MAX_DEPTH = 100

_DATES = (datetime.date, datetime.time)  # A datetime is a date.


def dumps(value: Any, name: str) -> str:
    """A value as JSON text; an error calls it ``name``."""
    trail: list[Any] = []
    try:
        plain = _plain(value, trail, [])
    except _Refusal as refusal:
        path = name + "".join(f"[{_short(step)}]" for step in trail[:_MAX_DEPTH])
        raise refusal.kind(f"{path} {refusal}") from None
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8 form; JSON's own escape carries it.
        text = json.dumps(plain, allow_nan=False, separators=(",", ":"))
    return text


def stand_in(value: Any) -> Any:
    """What is written for a value that JSON has no form of its own for; ``TypeError`` if there is nothing."""
    if isinstance(value, _DATES):
        return value.isoformat()
    if isinstance(value, asyncio.Future):
        # A tool call: its result stands for it.
        return value.result()
    raise TypeError(f"{_describe(value)}{_hint(value)}")


def refusal(value: Any, name: str) -> str | None:
    """What the error of ``dumps`` says, if there is one."""
    try:
        dumps(value, name)
    except (TypeError, ValueError) as error:
        return str(error)
    return None


class _Refusal(Exception):
    """What is wrong with the value where the trail ends."""

    def __init__(self, kind: type[Exception], problem: str) -> None:
        super().__init__(problem)
        self.kind = kind


def _plain(value: Any, trail: list[Any], parents: list[int]) -> Any:
    """The same value of plain types; ``trail`` has the keys and indexes that lead to it."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _Refusal(ValueError, f"is {value}, which JSON does not have: use None or a string")
        return float(value)
    if not isinstance(value, (dict, list, tuple)):
        try:
            other = stand_in(value)
        except TypeError as error:
            raise _Refusal(TypeError, f"is {error}") from None
        return _plain(other, trail, parents)
    if id(value) in parents:
        raise _Refusal(ValueError, "contains itself")
    if len(parents) >= _MAX_DEPTH:
        raise _Refusal(ValueError, f"is nested more than {_MAX_DEPTH} deep")
    parents.append(id(value))
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                problem = f"has the key {_short(key)}, {_describe(key)}: keys must be strings, use str(key)"
                raise _Refusal(TypeError, problem)
        items, plain = value.items(), {}
    else:
        items, plain = enumerate(value), [None] * len(value)
    trail.append(None)
    for step, item in items:
        trail[-1] = step
        plain[step] = _plain(item, trail, parents)
    trail.pop()
    parents.pop()
    return plain


def _integer(value: int) -> int:
    try:
        int.__repr__(value)
    except ValueError:
        raise _Refusal(ValueError, "is a number with too many digits: use hex(…)") from None
    return int(value)


def _short(step: Any) -> str:
    text = json.dumps(step) if isinstance(step, str) else repr(step)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _describe(value: Any) -> str:
    name = type(value).__name__
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if callable(value) and hasattr(value, "__name__"):
        return f"the function {value.__name__}"
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _hint(value: Any) -> str:
    """The next step, for kinds of values that programs often have."""
    if isinstance(value, type) or callable(value):
        return ", which is not data"
    if isinstance(value, (set, frozenset)):
        return ": use sorted(…)"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return ": use base64.b64encode(…).decode()"
    if isinstance(value, datetime.timedelta):
        return ": use .total_seconds()"
    if dataclasses.is_dataclass(value):
        return ": use dataclasses.asdict(…)"
    for method in ("to_dict", "tolist", "model_dump"):
        if callable(getattr(value, method, None)):
            return f": use .{method}()"
    return ": use str(…), or a dict, list, string or number"
