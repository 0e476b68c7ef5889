"""What becomes of the arguments of a program's calls, from what is called and what becomes of its value."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from . import async_names
from .name_uses import NameUses
from .uses import ITSELF, NONE, Uses, carried, handed, held, holder, inside

if TYPE_CHECKING:
    from .expression_uses import ExpressionUses

_BUILTINS = frozenset(dir(builtins))


class CallUses:
    """Goes through calls, for the expressions they are part of."""

    def __init__(self, expressions: ExpressionUses, names: NameUses) -> None:
        self._expressions = expressions
        self._names = names
        self._visit = expressions.visit

    def visit(self, node: ast.Call, uses: Uses) -> None:
        """Go through a call whose value is used so."""
        self._keep(node, uses)
        path = to_path(node.func)
        name = path[-1]
        if name in self._expressions.defined:
            self._visit_other(node, path)
        elif awaits := async_names.awaiting(path, self._expressions.imported):
            self._visit_awaiting(node, awaits, name)
        elif name in async_names.PASSING:
            self._visit_passing(node, uses)
        elif name in async_names.TAKING:
            self._visit_arguments(node, holder(uses))
            self._expressions.keep(node, carried(uses))
        elif not isinstance(node.func, ast.Attribute) or not self._visit_method(node, node.func, uses):
            self._visit_other(node, path)
        else:
            return
        self._visit(node.func)

    def _keep(self, node: ast.Call, uses: Uses) -> None:
        self._expressions.keep(node, uses)
        func = node.func
        if uses and isinstance(func, ast.Attribute) and func.value.end_lineno != func.end_lineno:
            # The compiler puts a call that goes over several lines where the name of the method is.
            column = (func.end_col_offset or 0) - len(func.attr)
            place = (func.end_lineno or 0, node.end_lineno or 0, column, node.end_col_offset or 0)
            self._expressions.keep_at(place, uses)

    def _visit_arguments(self, node: ast.Call, uses: Uses) -> None:
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            self._visit(argument, uses)

    def _visit_awaiting(self, node: ast.Call, uses: Uses, name: str) -> None:
        for number, argument in enumerate(node.args):
            is_awaited = number == 0 or async_names.takes_many(name)
            self._visit_positional(node, argument, uses if is_awaited else NONE)
        for keyword in node.keywords:
            self._visit(keyword.value, uses if async_names.is_awaited_keyword(keyword.arg) else NONE)

    def _visit_positional(self, node: ast.Call, argument: ast.expr, uses: Uses) -> None:
        if isinstance(argument, ast.Starred):
            uses = holder(uses)
            # The arguments are fetched at the place of the whole call.
            self._expressions.keep(node, carried(uses))
        self._visit(argument, uses)

    def _visit_passing(self, node: ast.Call, uses: Uses) -> None:
        self._expressions.keep(node, carried(uses))
        if to_path(node.func)[-1] != "map" or not node.args:
            return self._visit_arguments(node, inside(uses))
        path = to_path(node.args[0])
        awaits = async_names.awaiting(path, self._expressions.imported)
        for number, argument in enumerate(node.args[1:]):
            self._visit(argument, holder(awaits or handed(path, number)))
        self._visit(node.args[0])

    def _visit_method(self, node: ast.Call, func: ast.Attribute, uses: Uses) -> bool:
        name, base, of_items = func.attr, NONE, NONE
        if is_server(func):
            return False
        if name in async_names.OF_AWAITABLES:
            base = ITSELF
        elif name in async_names.READING or name in async_names.ADDING:
            of_items = held(self._expressions.of(func.value)) if name in async_names.ADDING else NONE
            base = holder(uses) if name in async_names.READING else NONE
            self._expressions.keep(node, carried(uses))
        elif name in async_names.ADDING_ALL:
            of_items = inside(self._expressions.of(func.value))
        else:
            return False
        self._visit_arguments(node, of_items)
        self._visit(func.value, base)
        return True

    def _visit_other(self, node: ast.Call, path: tuple[str, ...]) -> None:
        is_known = path[0] == "" or is_server(node.func)
        if is_known or (len(path) == 1 and path[0] in _BUILTINS and path[0] not in self._expressions.defined):
            return self._visit_arguments(node, NONE)
        place: int | None = 0
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                place = None
            self._visit_positional(node, argument, handed(path, place))
            place = None if place is None else place + 1
        for keyword in node.keywords:
            uses = NONE if keyword.arg is None else handed(path, keyword.arg)
            # The fields of a record have the names of its arguments.
            self._visit(keyword.value, uses | self._names.of_attribute(keyword.arg or ""))


def to_path(node: ast.expr) -> tuple[str, ...]:
    """The names in ``a.b.c``; the first one is empty where it is no name."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        return (*to_path(node.value), node.attr)
    return ("",)


def is_server(func: ast.expr) -> bool:
    """Whether this is a tool or another function of ours, to go by its name."""
    root = to_path(func)[0]
    return root.startswith("mcp_") or root in ("mcp", "runtime")


def parameter_names(arguments: ast.arguments) -> list[str]:
    """All names that a call gives a value."""
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    others = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [one.arg for one in (*named, *others)]
