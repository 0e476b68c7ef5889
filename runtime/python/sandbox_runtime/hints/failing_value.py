"""The value at which user code failed, found without running any of it.

Python keeps the place of every instruction: the text there is parsed, and names and constant keys are
looked up in plain dicts and lists.
"""

from __future__ import annotations

import ast
import itertools
import linecache
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
