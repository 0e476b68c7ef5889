"""Looking at code before it runs: all that cannot work, in one answer, and nothing has been executed.

A correct program must never be refused, so only what is certain to fail is a finding; the rest is left to
run, where the errors say the same.
"""

from __future__ import annotations

import ast
import asyncio
import re
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Mapping

from .look_lines import lines_to_look_at
from .suspects import Look, Suspect

if TYPE_CHECKING:
    from .harmless import Harmless

#: Longer programs are mostly data: a look at them costs more than it gives.
_MAX_CHARS = 200_000

#: Findings that are told; who has more will look again anyway.
_MAX_FINDINGS = 10

#: A line that starts a statement at the top level.
_TOP_LEVEL = r"(?!(?:else|elif|except|finally|case)\b)[^\s#)\]}]"


@dataclass
class Finding:
    """One thing that cannot work: where, what Python would say, what to do."""

    place: str
    error: str
    hint: str | None = None


def check(
    body: list[ast.stmt],
    code: str,
    filename: str,
    names: Mapping[str, Any],
    discovered: Mapping[str, Any],
    *,
    lines: list[int],
    made: frozenset[str] = frozenset(),
) -> list[Finding]:
    """What is certain to fail in a program that parses.

    ``lines`` are those of ``lines_to_look_at``; ``made`` are names that the program is known to make.
    """
    if len(code) > _MAX_CHARS:
        return []
    try:
        look = Look(names, discovered)
        suspects = look.suspects(body, lines)
        certain = _certain(suspects, look, body, code, filename, names, made) if suspects else []
    except Exception:  # noqa: BLE001 - such as code nested too deeply: the run will tell
        return []
    # What an earlier run left going may still make what is missing.
    return [] if certain and asyncio.all_tasks() - {asyncio.current_task()} else certain


def _certain(
    suspects: list[Suspect],
    look: Look,
    body: list[ast.stmt],
    code: str,
    filename: str,
    names: Mapping[str, Any],
    made: frozenset[str],
) -> list[Finding]:
    """Those that are certain to be reached, of names that nothing binds."""
    # Not for programs that are right.
    from .bindings import bindings
    from .harmless import Harmless

    bound = bindings(ast.Module(body, []))
    wrong: dict[ast.AST, list[Suspect]] = {}
    for suspect in suspects:
        # A star may bind anything.
        may_be_bound = suspect.name in bound or suspect.name in made or "*" in bound
        if suspect.name is None or not may_be_bound:
            wrong.setdefault(suspect.node, []).append(suspect)

    def is_server(node: ast.expr) -> bool:
        name, proxy = look.proxy(node)
        return proxy is not None and name not in bound

    text = re.split(r"\r\n|\r|\n", code)
    return [
        Finding(_place(filename, text, node), suspect.error, suspect.hint)
        for node in certain_nodes(body, Harmless(wrong, bound, names, is_server))
        for suspect in wrong.get(node, ())
    ]


def check_syntax(
    error: SyntaxError,
    code: str,
    filename: str,
    names: Mapping[str, Any],
    discovered: Mapping[str, Any],
) -> list[Finding]:
    """The findings of a program that does not parse: the error, and what else is wrong in the rest."""
    from .syntax_help import is_command

    findings = [_syntax_finding(error, code)]
    lines = code.split("\n")
    removed: list[str] = []
    for _ in range(_MAX_FINDINGS):
        number = error.lineno or 0
        if not 0 < number <= len(lines):
            return findings
        is_line = is_command(lines[number - 1])
        first, last = (number - 1, number) if is_line else _statement_around(lines, number - 1)
        removed += lines[first:last]
        indent = re.match(r"\s*", lines[first])[0]  # type: ignore[index]
        lines[first:last] = [f"{indent}pass"] + [""] * (last - first - 1)
        rest = "\n".join(lines)
        try:
            tree = compile(
                rest, filename, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST, dont_inherit=True
            )
        except SyntaxError as other:
            # After a first error a second one may only be its echo; a command is one for sure.
            if other.text is None or not is_command(other.text):
                return findings
            error = other
            findings.append(_syntax_finding(error, code))
            continue
        made = frozenset(re.findall(r"\w+", "\n".join(removed)))
        look = lines_to_look_at(rest)
        return findings + check(tree.body, rest, filename, names, discovered, lines=look, made=made)
    return findings


def describe_findings(findings: list[Finding]) -> str:
    """The text that a model reads."""
    told = findings[:_MAX_FINDINGS]
    text = place = ""
    for finding, following in zip(told, [*told[1:], None]):
        text += "" if finding.place == place else finding.place
        text += f"{finding.error}\n"
        place = finding.place
        if finding.hint and not (following and following.hint == finding.hint):
            text += f"hint: {finding.hint}\n"
    more = len(findings) - len(told)
    if more > 0:
        text += f"… and {more} more\n"
    # Everybody knows that a lone syntax error runs nothing.
    if len(findings) > 1 or not findings[0].error.startswith(("SyntaxError", "IndentationError", "TabError")):
        text += f"Nothing was run: {'1 problem' if len(findings) == 1 else f'{len(findings)} problems'} found before the start\n"
    return text


def _syntax_finding(error: SyntaxError, code: str) -> Finding:
    from .syntax_help import syntax_hint

    *place, message = traceback.TracebackException.from_exception(error).format_exception_only()
    return Finding("".join(place), message.rstrip("\n"), syntax_hint(error, code))


def _place(filename: str, lines: list[str], node: Any) -> str:
    return f'  File "{filename}", line {node.lineno}\n    {lines[node.lineno - 1].strip()}\n'


def _statement_around(lines: list[str], at: int) -> tuple[int, int]:
    """First line, and line after the last, of the top-level statement that a line belongs to."""
    first = at
    while first > 0 and not re.match(_TOP_LEVEL, lines[first]):
        first -= 1
    last = at + 1
    while last < len(lines) and not re.match(_TOP_LEVEL, lines[last]):
        last += 1
    return first, last


#: Statements of which a part runs in any case, before the rest.
_HEADS = {ast.If: "test", ast.For: "iter"}


def certain_nodes(body: list[ast.stmt], is_harmless: Harmless) -> Iterator[ast.AST]:
    """The nodes that run whatever happens, unless one of them fails; about in the order of their running.

    A program must not be refused for a line that it may never reach, so the way is followed at the top level
    alone, and only as long as every statement is harmless.
    """
    for statement in body:
        head = getattr(statement, _HEADS.get(type(statement), ""), statement)
        if not is_harmless(head):
            return
        yield from _evaluated(head)
        if head is not statement and not is_harmless(statement):
            return


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    for part in _first_parts(node):
        yield from _evaluated(part)
    yield node


def _first_parts(node: ast.AST) -> list[ast.AST]:
    """The parts that nothing can keep from running."""
    if isinstance(node, ast.IfExp):
        return [node.test]
    if isinstance(node, ast.BoolOp):
        return [node.values[0]]
    if isinstance(node, ast.Compare):
        return [node.left, node.comparators[0]]
    if isinstance(node, ast.Assert):
        return [node.test]
    if isinstance(node, ast.AnnAssign):
        return [node.value] if node.value else []
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return [node.generators[0].iter]
    if isinstance(node, (ast.Lambda, ast.Try, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return []
    return list(ast.iter_child_nodes(node))
