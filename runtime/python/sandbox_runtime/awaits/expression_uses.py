"""What becomes of the values of a program's expressions, from what becomes of the expression around each."""

from __future__ import annotations

import ast
from typing import Any, Iterable

from . import async_names
from .call_uses import CallUses, parameter_names
from .name_uses import NameUses, merge
from .uses import ITSELF, NONE, RETURNED, YIELDED, Uses, carried, held, holder, inside

#: First and last line, first and last column: as the code object has them.
Position = tuple[int, int, int, int]

class ExpressionUses:
    """Goes through expressions and keeps, by position, what becomes of their values."""

    def __init__(self, names: NameUses) -> None:
        self._names = names
        self._calls = CallUses(self, names)
        self.places: dict[Position, Uses] = {}
        #: By first line and name of a function: what becomes of its arguments.
        self.parameters: dict[tuple[int, str], dict[str, Uses]] = {}
        #: Names that the program defines as functions or classes.
        self.defined: set[str] = set()
        #: Names that the program imports from asyncio, or asyncio itself.
        self.imported: set[str] = set()

    def keep(self, node: Any, uses: Uses) -> None:
        """What becomes of the value that is made at the place of a node."""
        if uses:
            self.keep_at((node.lineno, node.end_lineno, node.col_offset, node.end_col_offset), uses)

    def keep_at(self, place: Position, uses: Uses) -> None:
        """What becomes of the value that is made at a place."""
        self.places[place] = self.places.get(place, NONE) | uses

    def visit(self, node: ast.expr | None, uses: Uses = NONE) -> None:
        """Go through an expression whose value is used so."""
        if node is None:
            return
        read = getattr(self, f"_{type(node).__name__}", None)
        if read is not None:
            read(node, uses)
        elif uses:
            self.keep(node, carried(uses))
            self.visit_children(node)
        else:
            self.visit_children(node)

    def visit_children(self, node: ast.AST) -> None:
        """Go through what is in a node; nothing is known of those values."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.visit(child)
            elif isinstance(child, (ast.keyword, ast.comprehension)):
                self.visit_children(child)

    def assign(self, target: ast.expr) -> Uses:
        """A target gets a value; gives what becomes of that."""
        if isinstance(target, ast.Name):
            return self._names.assign(target.id)
        if isinstance(target, (ast.Tuple, ast.List)):
            uses = holder(frozenset().union(*map(self.assign, target.elts)))
            self.keep(target, carried(uses))
            return uses
        if isinstance(target, ast.Starred):
            return inside(self.assign(target.value))
        uses = self.of(target)
        self.visit_children(target)
        return uses

    def of(self, node: ast.expr) -> Uses:
        """What becomes of what is put into a container that the program names so."""
        if isinstance(node, ast.Name):
            return self._names.of(node.id)
        if isinstance(node, ast.Attribute):
            return self._names.of_attribute(node.attr)
        if isinstance(node, ast.Subscript):
            return held(self.of(node.value))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return held(self.of(node.func.value)) if node.func.attr in async_names.READING else NONE
        return NONE

    def assign_into(self, target: ast.expr) -> Uses:
        """For ``+=``: what becomes of what the added value holds."""
        uses = inside(self.of(target))
        self.visit(target, uses)
        return uses

    # Names and what is looked up in them

    def _Name(self, node: ast.Name, uses: Uses) -> None:
        self._names.read(node.id, uses)
        self.keep(node, carried(uses))

    def _Attribute(self, node: ast.Attribute, uses: Uses) -> None:
        self._names.read_attribute(node.attr, uses)
        self.keep(node, carried(uses))
        self.visit(node.value)

    def _Subscript(self, node: ast.Subscript, uses: Uses) -> None:
        self.keep(node, carried(uses))
        self.visit(node.value, holder(uses))
        self.visit(node.slice)

    def _Constant(self, _node: ast.Constant, _uses: Uses) -> None:
        pass

    # Values that hold others

    def _List(self, node: Any, uses: Uses) -> None:
        self.keep(node, carried(uses))
        for item in node.elts:
            self.visit(item, uses if isinstance(item, ast.Starred) else held(uses))

    _Tuple = _Set = _List

    def _Dict(self, node: ast.Dict, uses: Uses) -> None:
        for key, value in zip(node.keys, node.values):
            self.visit(key, held(uses))
            self.visit(value, held(uses) if key is not None else uses)

    def _Starred(self, node: ast.Starred, uses: Uses) -> None:
        self.visit(node.value, uses)

    def _BinOp(self, node: ast.BinOp, uses: Uses) -> None:
        self.visit(node.left, inside(uses))
        self.visit(node.right, inside(uses))

    def _comprehension(self, node: Any, uses: Uses) -> None:
        outer = self._names.begin_inner(self._targets(node.generators))
        if isinstance(node, ast.DictComp):
            self.visit(node.value, held(uses))
            self.visit(node.key, held(uses))
        else:
            self.visit(node.elt, held(uses))
        for part in reversed(node.generators):
            for test in part.ifs:
                self.visit(test)
            of_items = holder(self.assign(part.target))
            # Before 3.12 an item is fetched at the place of the whole comprehension.
            self.keep(node, carried(of_items))
            self.visit(part.iter, of_items)
        self._names.end_inner(outer)

    _ListComp = _SetComp = _DictComp = _GeneratorExp = _comprehension

    @staticmethod
    def _targets(generators: Iterable[ast.comprehension]) -> set[str]:
        return {node.id for part in generators for node in ast.walk(part.target) if isinstance(node, ast.Name)}

    # Ways through

    def visit_assigned(self, value: ast.expr, uses: Uses) -> None:
        """Go through a value that gets a name, of which this becomes."""
        self.visit(value, uses)
        # Not where it is awaited at once: that is how a queue gives what is in it.
        self._visit_container(value, "get", uses)

    def _visit_container(self, node: ast.expr, method: str, uses: Uses) -> None:
        if uses and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method:
            self.visit(node.func.value, holder(uses))

    def _NamedExpr(self, node: ast.NamedExpr, uses: Uses) -> None:
        self.visit_assigned(node.value, uses | self.assign(node.target))

    def _IfExp(self, node: ast.IfExp, uses: Uses) -> None:
        self.visit(node.body, uses)
        self.visit(node.orelse, uses)
        self.visit(node.test)

    def _BoolOp(self, node: ast.BoolOp, uses: Uses) -> None:
        for value in node.values:
            self.visit(value, uses)

    def _Await(self, node: ast.Await, uses: Uses) -> None:
        self.keep(node, uses)
        self._visit_container(node.value, "get", uses)
        self.visit(node.value, ITSELF)

    def _Yield(self, node: ast.Yield, _uses: Uses) -> None:
        self.visit(node.value, YIELDED)

    def _Lambda(self, node: ast.Lambda, _uses: Uses) -> None:
        own = set(parameter_names(node.args))
        outer = self._names.begin((node.lineno, node.col_offset), own)
        self.visit(node.body, RETURNED)
        self.end_function(node.lineno, "<lambda>", own, outer)
        self.visit_defaults(node.args)

    def end_function(self, line: int, name: str, own: set[str], outer: Any) -> None:
        """Leave a function; keeps what becomes of its arguments."""
        known = self.parameters.setdefault((line, name), {})
        merge(known, {parameter: self._names.of(parameter) for parameter in own})
        self._names.end(outer)

    def visit_defaults(self, arguments: ast.arguments) -> None:
        """The defaults are no part of the function."""
        for value in (*arguments.defaults, *arguments.kw_defaults):
            self.visit(value)

    def _Call(self, node: ast.Call, uses: Uses) -> None:
        self._calls.visit(node, uses)
