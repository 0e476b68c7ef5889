"""Running one piece of code in a namespace: load, run, echo the last value.

Knows nothing of messages. What the code raised comes back as an ``Outcome``; its traceback starts in the
user's code.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import traceback
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Awaitable, Callable, Mapping

from ..loop.interrupts import OWN_FOLDER, InterruptGate, Stuck
from .program import Program, Refused, load
from .sources import place_of, remember_source

#: Longest error in an outcome; the traceback has the whole of it.
_MAX_ERROR_CHARS = 64 * 1024

#: Where the standard library is, and installed packages below it.
_LIBRARY = os.path.dirname(os.__file__)


@dataclass
class Outcome:
    """How a run ended, in the words of ``execution_done``."""

    status: str
    error: str | None = None
    exit_code: int | None = None
    #: The line it was on, if it was interrupted.
    place: str | None = None


async def execute(
    code: str,
    filename: str,
    namespace: dict[str, Any],
    *,
    report: Callable[[str], None],
    gate: InterruptGate,
    settle: Callable[[], Awaitable[None]],
    echo: Callable[[Any], None],
    discovered: Mapping[str, str] = MappingProxyType({}),
    restore: Callable[[], None] = lambda: None,
) -> Outcome:
    """Run code and say how it ended; never raises.

    ``report`` takes what belongs on stderr, whatever the code did to ``sys.stderr``; ``gate`` tells a
    ``KeyboardInterrupt`` of the host from one the code raised itself; ``settle`` ends what the code started
    and did not wait for; ``echo`` shows the value on the last line; ``discovered`` are the servers that a run could name;
    ``restore`` takes back what the code made of Python's own names.
    """
    remember_source(filename, code)
    namespace["__file__"] = filename

    def fail(error: BaseException) -> Outcome:
        told = format_traceback(error)
        report(told + _hint_line(error, told, namespace, discovered))
        return Outcome("error", error=describe(error))

    try:
        program = load(code, filename, namespace, discovered)
        gate.checkpoint()
        try:
            value = await _evaluate_all(program, namespace)
        finally:
            restore()
        if value is not None:
            echo(value)
        await settle()
        return Outcome("ok")
    except Refused as refused:
        report(refused.report)
        return Outcome("error", error=refused.error)
    except asyncio.CancelledError as error:
        if gate.is_stuck:
            return fail(Stuck().with_traceback(error.__traceback__))
        if _cancelled_from_outside():
            return Outcome("interrupted", place=place_of(error, filename))
        return fail(error)
    except SystemExit as error:
        return _exit(error, report)
    except BaseException as error:  # noqa: BLE001 - whatever user code raises is a result
        if isinstance(error, KeyboardInterrupt) and gate.fired:
            return Outcome("interrupted", place=place_of(error, filename))
        return fail(error)


async def _evaluate_all(program: Program, namespace: dict[str, Any]) -> Any:
    """Run the statements and give the value of the last line."""
    if program.body is not None:
        await _evaluate(program.body, namespace)
    if program.last is None:
        return None
    value = await _evaluate(program.last, namespace)
    if inspect.iscoroutine(value) or isinstance(value, asyncio.Future):
        # The last line forgot its `await`: nobody wants to read of a pending object.
        return await value
    return value


async def _evaluate(code: Any, namespace: dict[str, Any]) -> Any:
    value = eval(code, namespace)
    if code.co_flags & inspect.CO_COROUTINE:
        return await value
    return value


def _cancelled_from_outside() -> bool:
    """Whether the run's own task was cancelled, rather than something it awaited."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _exit(error: SystemExit, report: Callable[[str], None]) -> Outcome:
    code = error.code
    if code is None or code is False:
        return Outcome("exit", exit_code=0)
    if isinstance(code, int):
        # An operating system would keep less; beyond 32 bits there is no number to show.
        return Outcome("exit", exit_code=int(code) if -(2**31) <= code < 2**31 else 1)
    report(f"{_text(code)}\n")
    return Outcome("exit", exit_code=1)


def _hint_line(
    error: BaseException, told: str, namespace: dict[str, Any], discovered: Mapping[str, str]
) -> str:
    # Not before something failed.
    from ..hints.hints import hint_for

    hint = hint_for(error, told, namespace, discovered)
    return f"hint: {hint}\n" if hint else ""


def describe(error: BaseException) -> str:
    """``ExcType: message``, as the last line of a traceback has it."""
    name = type(error).__name__
    message = _text(error.msg if isinstance(error, SyntaxError) else error)
    text = (f"{name}: {message}" if message else name)[:_MAX_ERROR_CHARS]
    # Lone surrogates as the standard streams show them.
    return text.encode("utf-8", "backslashreplace").decode()


def _text(value: object) -> str:
    try:
        return str(value)
    except BaseException:  # noqa: BLE001 - a broken __str__ must not hide the error
        return "<exception str() failed>"


def format_traceback(error: BaseException) -> str:
    """The traceback without our own frames and those in between: it starts in the user's code."""
    try:
        report = traceback.TracebackException.from_exception(error, compact=True)
        _shorten(report)
        return "".join(report.format())
    except BaseException:  # noqa: BLE001 - an exception that cannot be formatted is still reported
        return describe(error) + "\n"


def _shorten(report: traceback.TracebackException) -> None:
    linked = [report.__cause__, report.__context__, *(getattr(report, "exceptions", None) or ())]
    frames = [frame for frame in report.stack if not frame.filename.startswith(OWN_FOLDER)]
    # The way through the standard library says nothing that the message does not.
    report.stack[:] = [frame for frame in frames if not _is_standard(frame)] or frames
    for other in linked:
        if other is not None:
            _shorten(other)
    context = report.__context__
    if context is not None and context.stack and all(map(_is_standard, context.stack)):
        # What the library caught inside itself is not the user's affair.
        report.__context__ = None


def _is_standard(frame: traceback.FrameSummary) -> bool:
    return frame.filename.startswith((_LIBRARY, "<frozen ")) and "-packages" not in frame.filename
