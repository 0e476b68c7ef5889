"""What a function of the program does with an argument, found where the call is made.

Nothing of the program is run: names are looked up in plain dicts, attributes without descriptors.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any, Callable, Mapping

from . import async_names
from .uses import NONE, Handed, Uses, held

#: By first line and name of a function of a file: what becomes of its arguments.
Parameters = Mapping[tuple[int, str], Mapping[str, Uses]]

#: Looks up a name where a program uses it; ``_MISSING`` if it is not there.
LookUp = Callable[[str], Any]

#: Most layers around a function: decorators, partial arguments, methods.
_MAX_LAYERS = 8

_MISSING = object()


def argument_uses(end: Handed, look_up: LookUp, read: Callable[[str], Parameters]) -> tuple[Uses, LookUp]:
    """What becomes of the argument, and how the function that gets it looks up names."""
    function, filled = _unwrap(_value(end.path, look_up))
    name = getattr(function, "__name__", None)
    if isinstance(name, str) and getattr(asyncio, name, None) is function:
        return async_names.awaiting(("asyncio", name), set()), look_up
    if not isinstance(function, FunctionType):
        return NONE, look_up
    code = function.__code__
    uses = read(code.co_filename).get((code.co_firstlineno, code.co_name))
    if not uses:
        return NONE, look_up
    return _of_argument(uses, code, end.argument, len(filled)), of_function(function, filled)


def _of_argument(uses: Mapping[str, Uses], code: CodeType, argument: int | str | None, filled: int) -> Uses:
    if isinstance(argument, str):
        return uses.get(argument, NONE)
    count, names = code.co_argcount, code.co_varnames
    others = NONE
    if code.co_flags & inspect.CO_VARARGS:
        others = held(uses.get(names[count + code.co_kwonlyargcount], NONE))
    if argument is None:
        return others.union(*(uses.get(name, NONE) for name in names[filled:count]))
    place = argument + filled
    return uses.get(names[place], NONE) if place < count else others


def of_frame(frame: FrameType) -> LookUp:
    """How code that is running looks up names."""

    def look_up(name: str) -> Any:
        # A comprehension may have a frame of its own, which has not all names of the one around it.
        for around in (frame, frame.f_back):
            if around is not None and name in around.f_locals:
                return around.f_locals[name]
        return frame.f_globals.get(name, _MISSING)

    return look_up


def of_function(function: FunctionType, filled: list[Any]) -> LookUp:
    """How a function looks up names, whose first parameters are known."""

    def look_up(name: str) -> Any:
        code = function.__code__
        known = dict(zip(code.co_varnames[: code.co_argcount], filled))
        if name in known:
            return known[name]
        if name in code.co_freevars and function.__closure__ is not None:
            cell = function.__closure__[code.co_freevars.index(name)]
            return _content(cell)
        return function.__globals__.get(name, _MISSING)

    return look_up


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING  # Not assigned yet.


def _value(path: tuple[str, ...], look_up: LookUp) -> Any:
    value = look_up(path[0])
    for name in path[1:]:
        if isinstance(value, ModuleType):
            value = value.__dict__.get(name, _MISSING)
            continue
        found = inspect.getattr_static(value, name, _MISSING)
        is_method = isinstance(found, FunctionType) and not isinstance(value, type)
        value = MethodType(found, value) if is_method and name not in getattr(value, "__dict__", ()) else found
    return value


def _unwrap(value: Any) -> tuple[Any, list[Any]]:
    """The function behind what is called, and the arguments that it has already."""
    filled: list[Any] = []
    for _ in range(_MAX_LAYERS):
        if isinstance(value, MethodType):
            filled = [value.__self__, *filled]
            value = value.__func__
        elif isinstance(value, functools.partial):
            filled = [*value.args, *filled]
            value = value.func
        elif isinstance(value, classmethod):
            filled = [None, *filled]
            value = value.__func__
        elif isinstance(value, staticmethod):
            value = value.__func__
        elif isinstance(value, FunctionType):
            inner = value.__dict__.get("__wrapped__")
            if inner is None:
                break
            value = inner
        elif isinstance(value, type):
            value, filled = inspect.getattr_static(value, "__init__", None), [None, *filled]
        elif value is not _MISSING and isinstance(call := inspect.getattr_static(type(value), "__call__", None), FunctionType):
            value = MethodType(call, value)
        else:
            break
    return value, filled
