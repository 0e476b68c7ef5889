"""Which parts of a program are certain to run.

Only asked when something looks wrong. A program must not be refused for a line that it may never reach, so
the way is followed at the top level alone, and only as long as every statement is harmless. The rest is
left to run: it says the same when it fails.
"""

from __future__ import annotations

import ast
from typing import Iterator

from .harmless import Harmless

#: Statements of which a part runs in any case, before the rest.
_HEADS = {ast.If: "test", ast.For: "iter"}


def certain_nodes(body: list[ast.stmt], is_harmless: Harmless) -> Iterator[ast.AST]:
    """The nodes that run whatever happens, unless one of them fails; about in the order of their running."""
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
