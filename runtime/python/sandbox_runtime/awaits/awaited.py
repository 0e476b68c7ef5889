"""Is what a function of ours gives awaited by the program that calls it?

The frame tells which expression is being computed, and the text of the program what becomes of its value.
Where there is no text, the next instruction does.
"""

from __future__ import annotations

import ast
import functools
import linecache
import os
import sys
from inspect import CO_COROUTINE
from opcode import opmap
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, Callable

from ..loop.interrupts import OWN_FOLDER, SAVED_TOOL_PREFIX, USER_FILE_PREFIX
from .uses import ITSELF, NONE, Awaited, Handed, Returned, Uses, carried

if TYPE_CHECKING:
    from .expression_uses import ExpressionUses
    from .handed import LookUp, Parameters

#: Longest text that is read, in characters: a program's own, not that of a library.
_MAX_CHARS = 1024 * 1024

#: Most functions that a value is followed through.
_MAX_STEPS = 50

#: Most code objects that are remembered.
_MAX_KNOWN = 4096

_USERS = (USER_FILE_PREFIX, SAVED_TOOL_PREFIX)
_LIBRARY = os.path.dirname(os.__file__)
_ASYNCIO_TASKS = os.path.join("asyncio", "tasks.py")
_GET_AWAITABLE = opmap["GET_AWAITABLE"]
_RETURN = opmap["RETURN_VALUE"]
_RETURNED_ITSELF: Uses = frozenset({(0, Returned(0))})
_BY_ASYNCIO = carried(ITSELF)

#: By the identity of a code object: itself, and what is known of the values of its instructions.
_known: dict[int, tuple[CodeType, dict[int, Uses]]] = {}
#: By file name: its lines, and what was read of them.
_texts: dict[str, tuple[list[str], ExpressionUses | None]] = {}


def is_awaited(frame: FrameType) -> bool:
    """Whether the program awaits the value that this frame waits for now."""
    code, at = frame.f_code, frame.f_lasti
    known = _known.get(id(code))
    # Nearly every call is simply awaited, and not for the first time.
    if known is not None and known[1].get(at) is ITSELF and known[0] is code:
        return True
    uses = _uses(code, at)
    return uses is ITSELF or bool(uses) and _is_awaited(uses, 0, frame, None, _MAX_STEPS)


def _is_awaited(uses: Uses, depth: int, frame: FrameType, look_up: LookUp | None, steps: int) -> bool:
    if steps == 0:
        return False
    for at, end in uses:
        if at != depth:
            continue
        if isinstance(end, Awaited):
            return True
        if isinstance(end, Returned):
            # In another function than the one that runs, nobody knows who will call it.
            caller = frame.f_back if look_up is None else None
            if caller is not None and not _is_driven_by_asyncio(frame, caller):
                of_call = _uses(caller.f_code, caller.f_lasti)
                if _is_awaited(of_call, end.depth, caller, None, steps - 1):
                    return True
        elif _goes_to_one_that_awaits(end, frame, look_up, steps):
            return True
    return False


def _is_driven_by_asyncio(frame: FrameType, caller: FrameType) -> bool:
    """Whether asyncio awaits the coroutine that runs, and so not what that returns."""
    return bool(frame.f_code.co_flags & CO_COROUTINE) and caller.f_code.co_filename.endswith(_ASYNCIO_TASKS)


def _goes_to_one_that_awaits(end: Handed, frame: FrameType, look_up: LookUp | None, steps: int) -> bool:
    from .handed import argument_uses, of_frame

    uses, inner = argument_uses(end, look_up or of_frame(frame), _parameters)
    return _is_awaited(uses, end.depth, frame, inner, steps - 1)


def _parameters(filename: str) -> Parameters:
    read = _read_file(filename)
    return read.parameters if read is not None else {}


def _uses(code: CodeType, at: int) -> Uses:
    known = _known.get(id(code))
    if known is None or known[0] is not code:
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        known = _known[id(code)] = (code, {})
    uses = known[1].get(at)
    if uses is None:
        following = _following(code, at)
        if following == _GET_AWAITABLE:
            uses = known[1][at] = ITSELF
        elif read := _read_file(code.co_filename):
            known[1].update(_by_place(code, read))
            uses = known[1].setdefault(at, NONE)
        else:
            uses = known[1][at] = _without_text(code, following)
    return uses


def _by_place(code: CodeType, read: ExpressionUses) -> dict[int, Uses]:
    """What becomes of the value at each instruction; all at once, since code may be long."""
    places = read.places
    return {2 * number: places.get(place, NONE) for number, place in enumerate(code.co_positions())}


def _without_text(code: CodeType, following: int) -> Uses:
    if code.co_filename.endswith(_ASYNCIO_TASKS):
        return _BY_ASYNCIO
    return _RETURNED_ITSELF if following == _RETURN else NONE


def _following(code: CodeType, at: int) -> int:
    """The instruction after the one at this place."""
    instructions = code.co_code
    at += 2
    while at < len(instructions) and instructions[at] == 0:
        at += 2  # What an instruction keeps for itself.
    return instructions[at] if at < len(instructions) else 0


def _read_file(filename: str) -> ExpressionUses | None:
    """What becomes of the values in a text of the user's; nothing for code of others."""
    if not filename.startswith(_USERS) and _is_foreign(filename):
        return None
    lines = linecache.getlines(filename)
    known = _texts.get(filename)
    if known is None or known[0] is not lines:
        known = _texts[filename] = (lines, _read("".join(lines), filename))
    return known[1]


def _is_foreign(filename: str) -> bool:
    if filename.startswith(("<", _LIBRARY, OWN_FOLDER)) or "-packages" in filename:
        return True
    return not os.path.isabs(filename)


def _read(text: str, filename: str) -> ExpressionUses | None:
    # Not before a call that is not simply awaited.
    from ..preflight.syntax_help import without_fence
    from .statement_uses import read_uses

    if not text or len(text) > _MAX_CHARS:
        return None
    try:
        return read_uses(_parse(text, filename))
    except SyntaxError:
        plain = without_fence(text)
        return read_uses(_parse(plain, filename)) if plain is not None else None


def _parse(text: str, filename: str) -> ast.Module:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST
    return compile(text, filename, "exec", flags, dont_inherit=True)


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
