"""Code as text → code that can run, or the reason why it is not run at all."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any, Mapping

from ..preflight.look_lines import lines_to_look_at

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class Refused(Exception):
    """Code that cannot work: ``error`` is its first problem, ``report`` tells all of them."""

    def __init__(self, error: str, report: str) -> None:
        super().__init__(error)
        self.error = error
        self.report = report


@dataclass
class Program:
    """The statements, and the expression on the last line whose value is echoed."""

    body: Any
    last: Any


def load(
    code: str, filename: str, names: Mapping[str, Any], discovered: Mapping[str, Any]
) -> Program:
    """Parse, check and compile; ``names`` and ``discovered`` are what the run has and could have."""
    try:
        tree = _parse(code, filename)
        statements = list(tree.body)
        program = _compile(tree, code, filename)
    except SyntaxError as error:
        from ..preflight.syntax_help import without_fence

        plain = without_fence(code)
        if plain is not None:
            return load(plain, filename, names, discovered)
        from ..preflight.preflight import check_syntax

        # What the compiler finds in a tree comes without its line.
        if error.text is None and 0 < (error.lineno or 0) <= code.count("\n") + 1:
            error.text = code.split("\n")[(error.lineno or 1) - 1]
        _refuse(check_syntax(error, code, filename, names, discovered))
    lines = lines_to_look_at(code)
    if lines:
        from ..preflight.preflight import check

        _refuse(check(statements, code, filename, names, discovered, lines=lines))
    return program


def _refuse(findings: list[Any]) -> None:
    if findings:
        from ..preflight.preflight import describe_findings

        raise Refused(findings[0].error, describe_findings(findings)) from None


def _parse(code: str, filename: str) -> ast.Module:
    if "\0" in code:
        # Python 3.11 calls it a ValueError.
        raise SyntaxError("source code string cannot contain null bytes")
    return compile(code, filename, "exec", _FLAGS | ast.PyCF_ONLY_AST, dont_inherit=True)


def _compile(tree: ast.Module, code: str, filename: str) -> Program:
    last = None
    if (
        tree.body
        and isinstance(tree.body[-1], ast.Expr)
        and not _ends_with_semicolon(code, tree.body[-1])
    ):
        expression = ast.Expression(tree.body.pop().value)
        last = compile(expression, filename, "eval", _FLAGS, dont_inherit=True)
    body = compile(tree, filename, "exec", _FLAGS, dont_inherit=True) if tree.body else None
    return Program(body, last)


def _ends_with_semicolon(code: str, statement: ast.stmt) -> bool:
    """Whether the user asked for silence, as in a notebook."""
    # Positions count bytes, and `splitlines` would see ends of lines that Python does not.
    line = re.split(r"\r\n|\r|\n", code)[(statement.end_lineno or 1) - 1]
    return line.encode("utf-8", "surrogatepass")[statement.end_col_offset :].lstrip().startswith(b";")
