"""Reads a program, last statement first: what becomes of the values of its expressions.

Backwards, since a value is used after it was made: at an assignment it is known what the rest of the program
does with the name. Of two branches both count, and of a loop all rounds.
"""

from __future__ import annotations

import ast
from typing import Any

from .call_uses import parameter_names
from .expression_uses import ExpressionUses
from .name_uses import Names, NameUses, merge
from .uses import NONE, RETURNED, Uses, carried, holder

#: How often a program is read, for what one function has to know of another.
_MAX_READINGS = 4

#: How often the body of a loop is, for what one round leaves to the next.
_MAX_ROUNDS = 3


def read_uses(tree: ast.Module) -> ExpressionUses:
    """What becomes of the values in a program."""
    names = NameUses()
    expressions = ExpressionUses(names)
    statements = _Statements(names, expressions)
    for _ in range(_MAX_READINGS):
        before = (names.learned, len(expressions.defined), len(expressions.imported))
        outer = names.begin(None, set())
        statements.read(tree.body)
        names.end(outer)
        if (names.learned, len(expressions.defined), len(expressions.imported)) == before:
            break
    return expressions


class _Statements:
    def __init__(self, names: NameUses, expressions: ExpressionUses) -> None:
        self._names = names
        self._expressions = expressions
        self._visit = expressions.visit
        #: For each loop around: what comes after it, and what comes in its next round.
        self._loops: list[tuple[Names, Names]] = []

    def read(self, statements: list[ast.stmt]) -> None:
        """Read a block."""
        for statement in reversed(statements):
            read = getattr(self, f"_{type(statement).__name__}", None)
            if read is None:
                self._expressions.visit_children(statement)
            else:
                read(statement)

    def _read_branches(self, *branches: list[ast.stmt]) -> None:
        after, merged = self._names.after, {}
        for branch in branches:
            self._names.after = dict(after)
            self.read(branch)
            merge(merged, self._names.after)
        self._names.after = merged

    # Assignments

    def _Assign(self, node: ast.Assign) -> None:
        target, value = node.targets[0], node.value
        if len(node.targets) == 1 and _is_pairwise(target, value):
            uses = [self._expressions.assign(one) for one in target.elts]  # type: ignore[attr-defined]
            for one, its_uses in zip(value.elts, uses):  # type: ignore[attr-defined]
                self._expressions.visit_assigned(one, its_uses)
            return
        self._expressions.visit_assigned(value, NONE.union(*map(self._expressions.assign, node.targets)))

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._expressions.visit_assigned(node.value, self._expressions.assign(node.target))

    def _AugAssign(self, node: ast.AugAssign) -> None:
        self._visit(node.value, self._expressions.assign_into(node.target))

    def _Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._expressions.assign(target)

    def _Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self._names.declare(node.names)

    _Nonlocal = _Global

    def _Import(self, node: ast.Import) -> None:
        for alias in node.names:
            package = alias.name.partition(".")[0]
            self._names.assign(alias.asname or package)
            if package == "asyncio":
                self._expressions.imported.add(alias.asname or package)

    def _ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self._names.assign(alias.asname or alias.name)
            if (node.module or "").partition(".")[0] == "asyncio":
                self._expressions.imported.add(alias.asname or alias.name)

    # Branches and loops

    def _If(self, node: ast.If) -> None:
        self._read_branches(node.body, node.orelse)
        self._visit(node.test)

    def _Match(self, node: ast.Match) -> None:
        self._read_branches([], *(case.body for case in node.cases))
        for case in node.cases:
            self._visit(case.guard)
        self._visit(node.subject)

    def _loop(self, node: Any) -> Uses:
        """Read a loop; gives what becomes of what a ``for`` goes through."""
        self.read(node.orelse)
        out, uses = dict(self._names.after), NONE
        head = dict(out)
        for _ in range(_MAX_ROUNDS):
            self._loops.append((out, head))
            self._names.after = dict(head)
            self.read(node.body)
            self._loops.pop()
            if isinstance(node, ast.While):
                self._visit(node.test)
            else:
                uses |= self._expressions.assign(node.target)
            known = _size(head)
            merge(head, self._names.after)
            if _size(head) == known:
                break
        self._names.after = head
        return uses

    def _While(self, node: ast.While) -> None:
        self._loop(node)

    def _For(self, node: ast.For | ast.AsyncFor) -> None:
        uses = holder(self._loop(node))
        self._visit(node.iter, uses)
        # Before 3.13 an item is fetched at the place of the whole statement.
        self._expressions.keep(node, carried(uses))

    _AsyncFor = _For

    def _Break(self, _node: ast.Break) -> None:
        self._names.after = dict(self._loops[-1][0])

    def _Continue(self, _node: ast.Continue) -> None:
        self._names.after = dict(self._loops[-1][1])

    def _Return(self, node: ast.Return) -> None:
        self._names.after = dict(self._names.floor)
        self._visit(node.value, RETURNED)

    def _Raise(self, node: ast.Raise) -> None:
        self._names.after = dict(self._names.floor)
        self._expressions.visit_children(node)

    def _Try(self, node: ast.Try) -> None:
        self.read(node.finalbody)
        after, caught = dict(self._names.after), {}
        for handler in node.handlers:
            self._names.after = dict(after)
            self.read(handler.body)
            self._visit(handler.type)
            merge(caught, self._names.after)
        self._names.after = after
        self.read(node.orelse)
        # Any line of the body may be the last one before a handler.
        floor = self._names.floor
        self._names.floor = dict(floor)
        merge(self._names.floor, caught)
        self.read(node.body)
        self._names.floor = floor
        merge(self._names.after, caught)

    _TryStar = _Try

    def _With(self, node: ast.With | ast.AsyncWith) -> None:
        self.read(node.body)
        for item in reversed(node.items):
            if item.optional_vars is not None:
                self._expressions.assign(item.optional_vars)
            self._visit(item.context_expr)

    _AsyncWith = _With

    # Functions and classes

    def _FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._names.assign(node.name)
        self._expressions.defined.add(node.name)
        own = set(parameter_names(node.args))
        outer = self._names.begin((node.lineno, node.col_offset), own)
        loops, self._loops = self._loops, []
        self.read(node.body)
        self._loops = loops
        # A function begins where its first decorator is.
        line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        self._expressions.end_function(line, node.name, set(parameter_names(node.args)), outer)
        for decorator in node.decorator_list:
            self._visit(decorator)
        self._expressions.visit_defaults(node.args)

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: ast.ClassDef) -> None:
        self._names.assign(node.name)
        self._expressions.defined.add(node.name)
        outer = self._names.begin((node.lineno, node.col_offset), set(), is_class=True)
        self.read(node.body)
        self._names.end(outer)
        for value in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
            self._visit(value)


def _is_pairwise(target: ast.expr, value: ast.expr) -> bool:
    """Whether each name on the left gets the value at its place on the right."""
    kinds = (ast.Tuple, ast.List)
    if not isinstance(target, kinds) or not isinstance(value, kinds) or len(target.elts) != len(value.elts):
        return False
    return not any(isinstance(one, ast.Starred) for one in (*target.elts, *value.elts))


def _size(names: Names) -> int:
    return sum(map(len, names.values()))
