"""Which parts of a program are certain to run, and which names it makes itself.

Only asked when something looks wrong. In doubt the answer is no: code under a condition, in a ``try`` that
catches, after a ``return`` that may come first or in a function that nobody is seen to call may never run,
and a program must not be refused for it.
"""

from __future__ import annotations

import ast
from typing import Iterable

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.Lambda, ast.ClassDef)

#: Context managers that let every exception pass.
_TRANSPARENT = frozenset(
    "Lock Semaphore TaskGroup ThreadPoolExecutor TemporaryDirectory NamedTemporaryFile closing nullcontext open"
    " redirect_stdout timeout".split()
)

# How a body may be left before its end.
_LOOP, _FUNCTION = 1, 2


class Reach:
    """The nodes of a program that run whenever it does."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self._nodes: set[ast.AST] = set()
        self._awaited = False
        self._functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        tree = ast.Module(body, [])
        defined = [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
        counts = count_bindings(tree)
        for function in defined:
            if counts[function.name] == 1 and _runs_when_called(function):
                self._functions[function.name] = function
        self._body(body)

    def __contains__(self, node: ast.AST) -> bool:
        return node in self._nodes

    def _body(self, statements: Iterable[ast.stmt]) -> int:
        for statement in statements:
            left = self._statement(statement)
            if left:
                return left
        return 0

    def _statement(self, node: ast.stmt) -> int:
        self._nodes.add(node)
        if isinstance(node, _FUNCTIONS):
            self._expressions(node.decorator_list, node.args.defaults)
        elif isinstance(node, ast.ClassDef):
            self._expressions(node.decorator_list, node.bases)
            self._body(node.body)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._expression(node.iter)
            return self._body(node.body) & _FUNCTION
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            self._expressions(item.context_expr for item in node.items)
            if all(map(_is_transparent, node.items)):
                return self._body(node.body)
            return _may_leave(node)
        elif isinstance(node, ast.Try) and not node.handlers:
            return self._body(node.body) or self._body(node.finalbody)
        elif isinstance(node, ast.While) and _is_true(node.test):
            return self._body(node.body) & _FUNCTION
        elif isinstance(node, (ast.If, ast.While)):
            self._expression(node.test)
            return _may_leave(node)
        elif isinstance(node, (ast.Try, ast.Match)) or hasattr(node, "handlers"):
            return _may_leave(node)
        elif isinstance(node, ast.AnnAssign):
            # Annotations may wait until somebody asks for them.
            self._expressions([node.value] if node.value else [])
        elif type(node).__name__ == "TypeAlias":
            pass
        else:
            self._expressions(ast.iter_child_nodes(node))
            if isinstance(node, (ast.Return, ast.Raise)):
                return _FUNCTION
            if isinstance(node, (ast.Break, ast.Continue)):
                return _LOOP
        return 0

    def _expressions(self, *groups: Iterable[ast.AST]) -> None:
        for group in groups:
            for node in group:
                self._expression(node)

    def _expression(self, node: ast.AST) -> None:
        self._nodes.add(node)
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, ast.IfExp):
            return self._expression(node.test)
        if isinstance(node, ast.BoolOp):
            return self._expression(node.values[0])
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            if any(generator.ifs for generator in node.generators):
                return self._expression(node.generators[0].iter)
        elif isinstance(node, ast.Await):
            return self._with_awaited(True, [node.value])
        elif isinstance(node, ast.Call):
            return self._call(node)
        self._expressions(ast.iter_child_nodes(node))

    def _call(self, node: ast.Call) -> None:
        name = _last_name(node.func)
        catches = any(keyword.arg in (None, "return_exceptions") for keyword in node.keywords)
        waits = not catches and (name == "run" or (name == "gather" and self._awaited))
        self._with_awaited(waits, ast.iter_child_nodes(node))
        function = self._functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
        # A coroutine that is not awaited here may be awaited where its errors are caught.
        if function is None or (isinstance(function, ast.AsyncFunctionDef) and not self._awaited):
            return
        del self._functions[function.name]
        before, self._awaited = self._awaited, False
        self._body(function.body)
        self._awaited = before

    def _with_awaited(self, awaited: bool, nodes: Iterable[ast.AST]) -> None:
        before, self._awaited = self._awaited, awaited
        self._expressions(nodes)
        self._awaited = before


def count_bindings(tree: ast.AST) -> dict[str, int]:
    """How often each name is bound anywhere in a program."""
    counts: dict[str, int] = _Counts()
    for node in ast.walk(tree):
        for name in _bound_by(node):
            if isinstance(name, str):
                counts[name] += 1
    return counts


def _bound_by(node: ast.AST) -> Iterable[str | None]:
    if isinstance(node, ast.Name):
        return () if isinstance(node.ctx, ast.Load) else (node.id,)
    if isinstance(node, ast.arg):
        return (node.arg,)
    if isinstance(node, ast.Import):
        # `import mcp` binds what is there already.
        return [
            alias.asname or alias.name.partition(".")[0]
            for alias in node.names
            if alias.asname or alias.name.partition(".")[0] != "mcp"
        ]
    if isinstance(node, ast.ImportFrom):
        return [alias.asname or alias.name for alias in node.names if alias.asname or node.module != "mcp"]
    if isinstance(node, ast.alias):
        return ()
    # Functions, classes, handlers, patterns and type parameters keep theirs as text.
    return (getattr(node, "name", None), getattr(node, "rest", None))


class _Counts(dict[str, int]):
    def __missing__(self, _name: str) -> int:
        return 0


def _runs_when_called(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a call runs the body: a generator waits, and a decorator may do anything."""
    if function.decorator_list:
        return False
    return not any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own(function))


def _may_leave(node: ast.AST) -> int:
    """How a statement that may or may not run could leave the bodies around it."""
    left = 0
    for part in _own(node):
        if isinstance(part, ast.Return):
            left |= _FUNCTION
        elif isinstance(part, (ast.Break, ast.Continue)):
            left |= _LOOP
    return left


def _own(node: ast.AST) -> Iterable[ast.AST]:
    """The nodes below one, without those of functions and classes inside."""
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, _SCOPES):
            waiting.extend(ast.iter_child_nodes(part))


def _is_transparent(item: ast.withitem) -> bool:
    expression = item.context_expr
    if isinstance(expression, ast.Call):
        return _last_name(expression.func) in _TRANSPARENT
    return False


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value)


def _last_name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None
