"""Which lines of a program can hold something that this run does not have.

This is all that a correct program costs before it runs: two searches over its text.
"""

from __future__ import annotations

import ast
import bisect
import re
import sys
from typing import Iterator

JAVASCRIPT_HINT = "This is JavaScript and only Python runs here: x = 1 for const, print() for console.log"
SHELL_HINT = "This is a shell command and only Python runs here: use os, pathlib or shutil for files"

#: Words of other languages that are names in Python, and what to write instead.
FOREIGN = {
    **dict.fromkeys(("console", "require", "document"), JAVASCRIPT_HINT),
    **dict.fromkeys(("null", "undefined"), "Python writes None"),
    "true": "Python writes True",
    "false": "Python writes False",
    **dict.fromkeys(("ls", "pwd", "whoami"), SHELL_HINT),
}

#: Standard modules that some builds lack.
_OPTIONAL = frozenset(
    "curses dbm ensurepip fcntl grp idlelib pwd readline resource syslog termios tkinter turtle venv".split()
)

#: Their occurrence is cheap to find, and most programs have none.
_RARE = ("mcp", *(word for word in FOREIGN if len(word) > 3))
# Patterns as text: the first program that needs one compiles it, not the start of the sandbox.
_WORDS = rf"\b(?:mcp|(?:{'|'.join(FOREIGN)})\b)"
_IMPORT = r"(?m)(?:^|;)[ \t]*(?:from[ \t]+([\w.]+)|import[ \t]+([^\n#;]+)|(?:ls|pwd)\b)"


def lines_to_look_at(code: str) -> list[int]:
    """Numbers of lines, in order."""
    starts: list[int] = []
    if any(word in code for word in _RARE):
        starts = [found.start() for found in re.finditer(_WORDS, code)]
    if not ("import" in code or "ls" in code or "pwd" in code):
        return _line_numbers(code, starts)
    for found in re.finditer(_IMPORT, code):
        module, modules = found.groups()
        if not (is_there(module) if module else modules and all(map(is_there, _names_in(modules)))):
            starts.append(found.end() - 1)
    return _line_numbers(code, starts)


def _line_numbers(code: str, starts: list[int]) -> list[int]:
    lines: list[int] = []
    line, last = 1, 0
    for start in sorted(starts):
        line += code.count("\n", last, start)
        last = start
        if not lines or lines[-1] != line:
            lines.append(line)
    return lines


def _names_in(modules: str) -> Iterator[str]:
    """``os, numpy as np`` → ``os``, ``numpy``."""
    for part in modules.split(","):
        yield part.strip().partition(" ")[0]


def is_there(module: str) -> bool:
    """Whether a module can be taken for granted without a look at the disk."""
    if module in sys.modules:
        return True
    top = module.partition(".")[0]
    return top in sys.modules or (top in sys.stdlib_module_names and top not in _OPTIONAL)


def nodes_on(body: list[ast.stmt], lines: list[int]) -> Iterator[ast.AST]:
    """Every node that touches one of these lines, in the order of the text."""
    waiting: list[ast.AST] = body[::-1]
    count = len(lines)
    while waiting:
        node = waiting.pop()
        first = getattr(node, "lineno", 0)
        if first:
            at = bisect.bisect_left(lines, first)
            if at == count or lines[at] > node.end_lineno:  # type: ignore[attr-defined]
                continue
            yield node
        # By hand: `ast.iter_child_nodes` takes twice the time.
        for field in reversed(node._fields):
            value = getattr(node, field, None)
            if type(value) is list:
                waiting.extend([item for item in reversed(value) if isinstance(item, ast.AST)])
            elif isinstance(value, ast.AST) and value._fields:
                waiting.append(value)
