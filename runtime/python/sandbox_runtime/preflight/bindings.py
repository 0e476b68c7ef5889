"""What the names that a program binds stand for."""

from __future__ import annotations

import ast
from typing import Iterator

#: A value that a statement gives.
VALUE = "="

#: A function, a class, or nothing that is always the same.
UNKNOWN = "?"


def bindings(tree: ast.AST) -> dict[str, str]:
    """Each name that is bound anywhere, in functions too: ``VALUE``, or a dotted name such as
    ``asyncio.gather``, if it always stands for that; otherwise ``UNKNOWN``."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        for name, meaning in names_bound_by(node):
            found[name] = meaning if found.get(name, meaning) == meaning else UNKNOWN
    return found


def names_bound_by(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Each name that a node itself binds, and what it then stands for."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id, VALUE
    elif isinstance(node, ast.Import):
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            # `import mcp` binds what is there already.
            if alias.asname or name != "mcp":
                yield name, alias.name if alias.asname else name
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            if alias.asname or node.module != "mcp":
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
    elif isinstance(node, ast.arg):
        yield node.arg, VALUE
    elif isinstance(node, ast.ExceptHandler):
        if node.name is not None:
            yield node.name, VALUE
    elif not isinstance(node, ast.alias):
        # Functions, classes, patterns and type parameters keep theirs as text.
        for name in (getattr(node, "name", None), getattr(node, "rest", None)):
            if isinstance(name, str):
                yield name, UNKNOWN
