"""The value at which user code failed, found without running any of it, and what to do about it."""

from __future__ import annotations

import ast
import difflib
import itertools
import linecache
import re
from types import FrameType
from typing import Any

from ..loop.interrupts import OWN_PACKAGE, USER_FILE_PREFIX

#: Stands for a value that cannot be found.
UNKNOWN = object()


def subscripted(error: BaseException) -> Any:
    """The object whose ``[…]`` failed, or ``UNKNOWN``."""
    try:
        frame, node = _failing_expression(error)
        if isinstance(node, ast.Subscript):
            return _value(node.value, frame)
    except Exception:  # noqa: BLE001 - a hint that cannot be made is left out
        pass
    return UNKNOWN


def _failing_expression(error: BaseException) -> tuple[FrameType, ast.expr]:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not trace.tb_frame.f_code.co_filename.startswith(USER_FILE_PREFIX):
        raise LookupError("Not raised by user code itself")
    code = trace.tb_frame.f_code
    position = next(itertools.islice(code.co_positions(), trace.tb_lasti // 2, None))
    first, last, start, end = position
    if first is None or last is None or start is None or end is None:
        raise LookupError("No position is known")
    lines = [linecache.getline(code.co_filename, number).encode() for number in range(first, last + 1)]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    return trace.tb_frame, ast.parse(b"(" + b"".join(lines) + b")", mode="eval").body


def _value(node: ast.expr, frame: FrameType) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        names = frame.f_locals if node.id in frame.f_locals else frame.f_globals
        return settled(names[node.id])
    if isinstance(node, ast.Subscript):
        base, key = _value(node.value, frame), _value(node.slice, frame)
        # Nothing but exact types: a class of the user's own could run code.
        if type(base) in (dict, list, tuple) and type(key) in (str, int):
            return settled(base[key])
    raise LookupError("Not a plain lookup")


def settled(value: Any) -> Any:
    """A tool call that is over stands for its result."""
    if type(value).__name__ == "ToolCall" and type(value).__module__.startswith(OWN_PACKAGE):
        return value.result() if value.done() and value.exception() is None else UNKNOWN
    return value


_MAX_KEYS = 12
_MAX_CHARS = 40

#: Members of the result objects of MCP's own client.
_CLIENT_RESULT = ("content", "text", "structuredContent", "structured_content", "isError", "is_error")


def key_hint(error: KeyError) -> str | None:
    """The keys there are."""
    value = subscripted(error)
    if type(value) is not dict:
        return None
    return _keys(value, error.args[0] if error.args else None)


def index_hint(error: IndexError) -> str | None:
    """How many items there are."""
    value = subscripted(error)
    if type(value) not in (list, tuple, str):
        return None
    kind = type(value).__name__
    if not value:
        return f"The {kind} is empty: check it before"
    return f"The {kind} has {len(value)} item{'s'[: len(value) != 1]}: the last index is {len(value) - 1}"


def attribute_hint(error: AttributeError) -> str | None:
    """How the value is read that has no such attribute."""
    value, name = settled(error.obj), error.name or ""
    if type(value).__name__ == "coroutine":
        return "The call was not awaited: write (await call(…))" + f".{name}"
    if type(value) is dict:
        if name in value:
            return f'A dict is read with brackets: ["{name}"]'
        return _client_result(name) or _keys(value, name)
    if type(value) in (list, tuple):
        return _client_result(name) or _items(value)
    if type(value) is str:
        return _client_result(name) or _text(value)
    if "'NoneType' object" in str(error):
        return "The value is None: check what gave it"
    if getattr(value, "__name__", None) == "datetime" and name in ("now", "today", "strptime", "fromisoformat"):
        return f"The class is inside the module: from datetime import datetime, then datetime.{name}(…)"
    return None


def type_hint(error: TypeError) -> str | None:
    """For operations that the type of a value does not have."""
    message = str(error)
    if re.search(r"string indices must be|list indices must be|tuple indices must be", message):
        value = subscripted(error)
        if type(value) is str:
            return _text(value)
        return _items(value) if type(value) in (list, tuple) else None
    for pattern, hint in _TYPE_ERRORS:
        if re.search(pattern, message):
            return hint
    return None


_TYPE_ERRORS = (
    (r"'coroutine' object is not", "The call was not awaited: write (await call(…))[…]"),
    (r"'NoneType' object can't be (?:awaited|used in 'await')", "The call gives nothing to wait for: drop the `await`"),
    (r"can't be (?:awaited|used in 'await')", "This is a plain value, there already: drop the `await`"),
    (r"JSON object must be .* not (?:dict|list)", "The value is parsed already: drop json.loads"),
    (r"not JSON serializable", "json.dumps(value, default=str) writes what JSON does not know as text"),
    (r"'NoneType' object is not", "The value is None: check what gave it"),
    (r"concatenate str|unsupported operand .*'str'", "Convert first: str(x), int(x), or an f-string"),
    (r"unhashable type: '(?:dict|list|set)'", "Use a tuple, or json.dumps(value), as the key"),
    (r"'(?:dict|list)' object is not callable", "Square brackets read a value: x[…], not x(…)"),
    (r"'module' object is not callable", "Call something inside the module: module.name(…)"),
    (r"offset-naive and offset-aware", "Give both a time zone: datetime.now(timezone.utc)"),
)


def _client_result(name: str) -> str | None:
    if name not in _CLIENT_RESULT:
        return None
    return f"A tool call gives the value itself, without .{name}: print it to see its form"


def _keys(value: dict[Any, Any], wanted: Any) -> str:
    if not value:
        return "The dict is empty"
    near = ""
    if isinstance(wanted, str):
        texts = [key for key in value if type(key) is str]
        close = difflib.get_close_matches(wanted, texts[:1000], n=1) or [
            key for key in texts if wanted and key and (wanted in key or key in wanted)
        ]
        near = f"Did you mean {close[0]!r}? " if close else ""
    keys = [_short(key) for _, key in zip(range(_MAX_KEYS), value)]
    more = f" and {len(value) - _MAX_KEYS} more" if len(value) > _MAX_KEYS else ""
    return f"{near}Keys there: {', '.join(keys)}{more}"


def _items(value: Any) -> str:
    if not value:
        return f"The value is an empty {type(value).__name__}"
    first = value[0]
    keys = f" with keys {', '.join(map(_short, list(first)[:_MAX_KEYS]))}" if type(first) is dict else ""
    return (
        f"The value is a {type(value).__name__} of {len(value)} ({type(first).__name__}{keys}):"
        " take one with [0], or loop"
    )


def _text(value: str) -> str:
    how = "json.loads(…) reads it" if value.lstrip()[:1] in ("{", "[") else "split or parse it first"
    return f"The value is text: {how}; it begins with {value[:_MAX_CHARS]!r}"


def _short(key: Any) -> str:
    if type(key) not in (str, int, float, bool, bytes, type(None)):
        return f"<{type(key).__name__}>"
    text = repr(key)
    return text if len(text) <= _MAX_CHARS else text[: _MAX_CHARS - 1] + "…"


__all__ = ["UNKNOWN", "attribute_hint", "index_hint", "key_hint", "type_hint"]
