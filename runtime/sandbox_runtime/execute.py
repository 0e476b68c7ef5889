"""Running one piece of code in a namespace: parse, compile, run, echo the last value.

Knows nothing of messages. What the code raised comes back as an ``Outcome``; its traceback starts in the
user's code.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import linecache
import re
import traceback
from dataclasses import dataclass
from typing import Any, Awaitable, Callable

from .interrupts import OWN_FOLDER, InterruptGate, Stuck

#: Sources kept so that functions of earlier runs still show their lines in tracebacks, in characters.
_MAX_SOURCE_CHARS = 4 * 1024 * 1024

#: Longest error in an outcome; the traceback has the whole of it.
_MAX_ERROR_CHARS = 64 * 1024

_sources: dict[str, int] = {}


@dataclass
class Outcome:
    """How a run ended, in the words of ``execution_done``."""

    status: str
    error: str | None = None
    exit_code: int | None = None


async def execute(
    code: str,
    filename: str,
    namespace: dict[str, Any],
    *,
    report: Callable[[str], None],
    gate: InterruptGate,
    settle: Callable[[], Awaitable[None]],
) -> Outcome:
    """Run code and say how it ended; never raises but for the cancellation of its own task.

    ``report`` takes what belongs on stderr, whatever the code did to ``sys.stderr``; ``gate`` tells a
    ``KeyboardInterrupt`` of the host from one the code raised itself; ``settle`` ends what the code started
    and did not wait for.
    """
    _remember_source(filename, code)
    try:
        body, last = _compile(code, filename)
        gate.checkpoint()
        if body is not None:
            await _evaluate(body, namespace)
        if last is not None:
            value = await _evaluate(last, namespace)
            if inspect.iscoroutine(value) or isinstance(value, asyncio.Future):
                # The last line forgot its `await`: nobody wants to read of a pending object.
                value = await value
            if value is not None:
                namespace["_"] = value
                print(repr(value))
        await settle()
        return Outcome("ok")
    except asyncio.CancelledError as error:
        if gate.is_stuck:
            return _failure(Stuck().with_traceback(error.__traceback__), report)
        if _cancelled_from_outside():
            raise
        return _failure(error, report)
    except SystemExit as error:
        return _exit(error, report)
    except BaseException as error:  # noqa: BLE001 - whatever user code raises is a result
        if isinstance(error, KeyboardInterrupt) and gate.fired:
            return Outcome("interrupted")
        return _failure(error, report)


def _compile(code: str, filename: str) -> tuple[Any, Any]:
    """Code objects of the statements and of the expression on the last line, if there is one."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    if "\0" in code:
        # Python 3.11 calls it a ValueError.
        raise SyntaxError("source code string cannot contain null bytes")
    tree = compile(code, filename, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    last = None
    if (
        tree.body
        and isinstance(tree.body[-1], ast.Expr)
        and not _ends_with_semicolon(code, tree.body[-1])
    ):
        expression = ast.Expression(tree.body.pop().value)
        last = compile(expression, filename, "eval", flags, dont_inherit=True)
    body = (
        compile(tree, filename, "exec", flags, dont_inherit=True) if tree.body else None
    )
    return body, last


def _ends_with_semicolon(code: str, statement: ast.stmt) -> bool:
    """Whether the user asked for silence, as in a notebook."""
    # Positions count bytes, and `splitlines` would see ends of lines that Python does not.
    line = re.split(r"\r\n|\r|\n", code)[(statement.end_lineno or 1) - 1]
    return line.encode("utf-8", "surrogatepass")[statement.end_col_offset :].lstrip().startswith(b";")


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


def _failure(error: BaseException, report: Callable[[str], None]) -> Outcome:
    report(format_traceback(error))
    return Outcome("error", error=describe(error))


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
    """The traceback without our own frames: it starts in the user's code."""
    try:
        report = traceback.TracebackException.from_exception(error, compact=True)
        _strip_own_frames(report)
        return "".join(report.format())
    except BaseException:  # noqa: BLE001 - an exception that cannot be formatted is still reported
        return describe(error) + "\n"


def _strip_own_frames(report: traceback.TracebackException) -> None:
    linked = [report.__cause__, report.__context__, *(getattr(report, "exceptions", None) or ())]
    report.stack[:] = [
        frame for frame in report.stack if not frame.filename.startswith(OWN_FOLDER)
    ]
    for other in linked:
        if other is not None:
            _strip_own_frames(other)


def _remember_source(filename: str, code: str) -> None:
    """Let tracebacks and ``inspect.getsource`` find the code; the oldest sources go first."""
    linecache.cache[filename] = (len(code), None, code.splitlines(True), filename)
    _sources[filename] = len(code)
    total = sum(_sources.values())
    for oldest in list(_sources):
        if total <= _MAX_SOURCE_CHARS or oldest == filename:
            break
        total -= _sources.pop(oldest)
        linecache.cache.pop(oldest, None)
