"""Code of which it is certain that it goes on to the next line, or fails.

It cannot end the program, catch an error, or give a name or a module another meaning. That is said of few
things: tool calls, some functions of Python, and data made of both, which has no code of the program's own
in it. A wrong yes refuses a program that would have run; a wrong no only lets it find out by itself.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import os
import sys
from typing import Any, Callable, Container, Mapping

from ..loop.interrupts import OWN_PACKAGE
from .bindings import UNKNOWN, VALUE, names_bound_by

#: They call nothing but what they are given.
_BUILTINS = frozenset(
    "abs all any bin bool bytes chr dict divmod enumerate filter float format frozenset hash hex int len list map max"
    " min oct ord pow print range repr reversed round set sorted str sum tuple zip".split()
)
_MEMBERS = frozenset(
    "asyncio.gather asyncio.sleep asyncio.TimeoutError json.dumps json.loads json.JSONDecodeError"
    " runtime.MCPError runtime.call_tool runtime.list_tools time.sleep typing.Any".split()
)

#: Methods of data. A ``Blob`` has others, which write files.
_METHODS = frozenset(
    name for kind in (str, bytes, int, float, list, tuple, dict, set) for name in dir(kind) if name[0] != "_"
)
_SCALARS = (str, bytes, int, float, bool, type(None))
_MAX_ITEMS = 2_000

#: Where modules that come with Python say they come from.
_STANDARD = ("built-in", "frozen", os.path.dirname(os.__file__))

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

#: Harmless if their parts are.
_OF_PARTS = (
    *_COMPREHENSIONS, ast.comprehension, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
    ast.Expr, ast.Assign, ast.AnnAssign, ast.Assert, ast.If, ast.For, ast.Try, ast.Pass, ast.Break, ast.Continue,
    ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.Subscript, ast.Slice, ast.keyword,
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.NamedExpr, ast.Call, ast.Await,
    ast.JoinedStr, ast.FormattedValue,
)  # fmt: skip

#: What is bound in these may not be bound at all.
_INNER = (*_COMPREHENSIONS, ast.If, ast.For, ast.Try, ast.NamedExpr)

#: The parts that run before the others.
_FIRST = ("generators", "iter", "value")


class Harmless:
    """Asked of one statement after the other, in their order."""

    def __init__(
        self,
        wrong: Container[ast.AST],
        bindings: Mapping[str, str],
        names: Mapping[str, Any],
        is_server: Callable[[ast.expr], bool],
    ) -> None:
        #: What fails when it is reached.
        self._wrong = wrong
        self._bindings = bindings
        self._names = names
        self._is_server = is_server
        #: Names that were bound on the way; only one meaning is known of each, wherever the program is.
        self._bound: set[str] = set()
        self._is_inner = False

    def __call__(self, node: ast.AST) -> bool:
        """Whether this is certain to go on or to fail."""
        if node in self._wrong and not isinstance(node, ast.Call):
            return True
        check = _CHECKS.get(type(node))
        return check(self, node) if check else isinstance(node, _OF_PARTS) and self._parts(node)

    def _parts(self, node: ast.AST) -> bool:
        before, self._is_inner = self._is_inner, self._is_inner or isinstance(node, _INNER)
        fields = sorted(node._fields, key=lambda field: _FIRST.index(field) if field in _FIRST else len(_FIRST))
        harmless = all(self._field(getattr(node, field, None)) for field in fields)
        self._is_inner = before
        return harmless

    def _field(self, value: Any) -> bool:
        if isinstance(value, list):
            return all(map(self._field, value))
        return not isinstance(value, ast.AST) or self(value)

    def _name(self, node: ast.Name) -> bool:
        return self._is_known(node.id) if isinstance(node.ctx, ast.Load) else self._bind(node.id)

    def _is_known(self, name: str) -> bool:
        if name in self._bindings:
            meaning = self._bindings[name]
            is_known = meaning == VALUE or self._is_member(meaning) or meaning.startswith("mcp.servers.")
            return is_known and name in self._bound
        if name in self._names:
            return is_data(self._names[name])
        return name in _BUILTINS and getattr(getattr(builtins, name), "__module__", None) == "builtins"

    def _bind(self, name: str) -> bool:
        if self._is_inner and name not in self._bound and name in self._names:
            # If this is left out, the name means what it did in an earlier run.
            if not is_data(self._names[name]):
                return False
        self._bound.add(name)
        return True

    def _attribute(self, node: ast.Attribute) -> bool:
        if not isinstance(node.ctx, ast.Load):
            return False
        if node.value in self._wrong or self._is_server(node.value):
            return True
        if isinstance(node.value, ast.Name) and self._is_member(f"{self._module(node.value.id)}.{node.attr}"):
            return True
        return node.attr in _METHODS and self(node.value)

    def _module(self, name: str) -> str:
        if name in self._bindings:
            return self._bindings[name] if name in self._bound else UNKNOWN
        is_module = name in self._names and self._names[name] is sys.modules.get(name)
        return name if is_module or name == "runtime" else UNKNOWN

    def _is_member(self, member: str) -> bool:
        """Whether this is one of the known functions, and still what it was before the first run."""
        if member not in _MEMBERS:
            return False
        module, _, name = member.rpartition(".")
        holder = self._names.get(module) if module == "runtime" else sys.modules.get(module)
        home = getattr(getattr(holder, name, None), "__module__", None) or ""
        return holder is None or home.partition(".")[0] in (module, "builtins", "mcp", OWN_PACKAGE)

    def _import(self, node: ast.Import | ast.ImportFrom) -> bool:
        names = [alias.name for alias in node.names]
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else names
        # Others may do anything while they are imported; a part of a package may be a module.
        are_known = all(module in sys.modules or _is_standard(module) for module in modules)
        is_program = any("__main__" in module for module in (*modules, *names))
        return are_known and not is_program and all(name != "*" and self._bind(name) for name, _ in names_bound_by(node))

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """The body runs when it is called, and no function of the program is called on this way."""
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        annotations = [node.returns, *(argument.annotation for argument in every if argument)]
        return not node.decorator_list and self._field(
            [*arguments.defaults, *arguments.kw_defaults]
            + [annotation for annotation in annotations if not isinstance(annotation, ast.Name)]
        )

    def _class(self, node: ast.ClassDef) -> bool:
        return not (node.decorator_list or node.bases or node.keywords) and all(
            self._definition(part)
            if isinstance(part, _DEFINITIONS)
            else isinstance(part, ast.Pass) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
            for part in node.body
        )

    def _addition(self, node: ast.AugAssign) -> bool:
        target = node.target
        is_known = self._is_known(target.id) if isinstance(target, ast.Name) else True
        return is_known and self._parts(node)

    def _handler(self, node: ast.ExceptHandler) -> bool:
        is_known = node.type is None or isinstance(node.type, ast.Name) or self(node.type)
        return is_known and (node.name is None or self._bind(node.name)) and self._field(node.body)

    def _scope(self, node: ast.expr) -> bool:
        """What is bound in it is gone afterwards."""
        before = set(self._bound)
        if isinstance(node, ast.Lambda):
            self._bound |= {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
            harmless = not (node.args.defaults or node.args.kw_defaults) and self(node.body)
        else:
            harmless = self._parts(node)
        self._bound = before
        return harmless


_CHECKS: dict[type[ast.AST], Any] = {
    ast.Name: Harmless._name,
    ast.Attribute: Harmless._attribute,
    ast.Import: Harmless._import,
    ast.ImportFrom: Harmless._import,
    ast.ClassDef: Harmless._class,
    ast.AugAssign: Harmless._addition,
    ast.ExceptHandler: Harmless._handler,
    ast.Lambda: Harmless._scope,
    **dict.fromkeys(_DEFINITIONS, Harmless._definition),
    **dict.fromkeys(_COMPREHENSIONS, Harmless._scope),
}


def _is_standard(module: str) -> bool:
    """Whether it comes with Python, and not from a file of that name in the folder."""
    top = module.partition(".")[0]
    spec = importlib.util.find_spec(top) if top in sys.stdlib_module_names else None
    return spec is not None and (spec.origin or "").startswith(_STANDARD)


def is_data(value: Any) -> bool:
    """Whether a value of an earlier run has nothing but plain types in it."""
    waiting = [value]
    for _ in range(_MAX_ITEMS):
        if not waiting:
            return True
        one = waiting.pop()
        if type(one) in (list, tuple, dict, set) and len(one) <= _MAX_ITEMS:
            waiting.extend(one)
            if type(one) is dict:
                waiting.extend(one.values())
        elif type(one) not in _SCALARS:
            return False
    return False
