"""The source of a function, made to stand alone.

A saved tool is one ``def`` that can be defined in an empty session: what it imported is imported inside it,
and nothing but constants is computed when it is defined. So defining it runs no code of its author,
whoever saved it.
"""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
import io
import keyword
import re
import symtable
import sys
import textwrap
import tokenize
from types import FunctionType, ModuleType
from typing import Any, Iterator, Union

#: Deepest nesting that is parsed. On the embedded engine the parser dies between 1,000 and 2,000.
MAX_DEPTH = 500

#: What may nest on behind a comma, or on lines of its own.
_LADDERS = frozenset({"elif", "else", "for", "lambda"})


def is_too_deep(source: str) -> bool:
    """Whether parsing this might need more stack than there is, told from its tokens; errs on that side.

    The parser itself cannot be asked: on the embedded engine one that runs out of stack takes the interpreter
    with it.
    """
    # Each level takes a character.
    if len(source) <= MAX_DEPTH:
        return False
    try:
        return any(depth > MAX_DEPTH for depth in _depths(source))
    except (tokenize.TokenError, SyntaxError):
        # The parser stops here, too.
        return False


def _depths(source: str) -> Iterator[int]:
    """For each token, the most levels that may be above it."""
    #: Operators so far, in each bracket that is open.
    open_ = [0]
    ladder = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string
        if token.type == tokenize.NEWLINE:
            open_ = [0]
        elif token.type == tokenize.OP:
            if text in "([{":
                open_.append(open_[-1] + 1)
            elif text in ")]}" and len(open_) > 1:
                open_.pop()
                open_[-1] += 1
            elif text in ",;":
                open_[-1] = open_[-2] + 1 if len(open_) > 1 else 0
            else:
                open_[-1] += 1
        elif token.type == tokenize.NAME and keyword.iskeyword(text):
            open_[-1] += 1
            ladder += text in _LADDERS
        yield open_[-1] + ladder


Def = Union[ast.FunctionDef, ast.AsyncFunctionDef]

#: Names that every session has, besides those of servers and the functions of ``runtime``.
_PRESET = frozenset({"mcp", "runtime", "mcp_servers", "LOADED_MCP_SERVERS"})


def name_problem(name: str) -> str | None:
    """Why a name cannot be that of a saved tool."""
    if not name.isidentifier() or name.startswith("_"):
        return "its name must be an identifier that does not begin with an underscore"
    if hasattr(builtins, name):
        return "its name is one of Python's own"
    if _is_preset(name) or hasattr(sys.modules.get("mcp.runtime"), name):
        return "its name is one that every session has already"
    return None


def parse(source: str) -> Def:
    """The one function in a source; raises if there is more, or if defining it would run code."""
    if is_too_deep(source):
        raise ValueError(f"its source nests more than {MAX_DEPTH} levels deep")
    body = ast.parse(source).body
    if len(body) != 1 or not isinstance(body[0], (ast.FunctionDef, ast.AsyncFunctionDef)):
        raise ValueError("its source is not one `def`")
    node = body[0]
    if node.decorator_list:
        decorator = ast.unparse(node.decorator_list[0])
        raise ValueError(f"it has the decorator @{decorator}: save it without")
    for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
        try:
            ast.literal_eval(default)
        except (ValueError, TypeError):
            raise ValueError(
                f"its default {ast.unparse(default)} is not a constant: use None and set it inside"
            ) from None
    return node


def source_of(func: FunctionType) -> str:
    """The source of a function, moved to the margin."""
    try:
        lines = inspect.getsource(func)
    except (OSError, TypeError):
        raise ValueError("its source is not known any more: define it again in this run") from None
    return textwrap.dedent(lines)


def describe(node: Def) -> tuple[str, str]:
    """A function's signature and the first line of its docstring."""
    prefix = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    doc = inspect.cleandoc(ast.get_docstring(node) or "")
    return f"{prefix}{node.name}({ast.unparse(node.args)}){returns}", doc.partition("\n")[0]


def resolve(node: Def, names: dict[str, Any]) -> tuple[list[str], list[str]]:
    """What a function takes from its session: as import lines, and as names that cannot be imported."""
    imports: list[str] = []
    others: list[str] = []
    for name in sorted(_free_names(node)):
        if name == node.name or _is_preset(name) or (name.startswith("__") and name.endswith("__")):
            continue
        if name not in names:
            if not hasattr(builtins, name):
                others.append(name)
            continue
        line = _import_line(name, names[name])
        if line is None:
            others.append(name)
        else:
            imports.append(line)
    return imports, others


def with_imports(source: str, node: Def, imports: list[str]) -> str:
    """The source with imports as the first statements of the body."""
    if not imports:
        return source
    first = node.body[1] if len(node.body) > 1 and ast.get_docstring(node) is not None else node.body[0]
    # Lines as Python counts them, and columns in bytes.
    lines = re.split(r"(?<=\n)", source.replace("\r\n", "\n").replace("\r", "\n"))
    line = lines[first.lineno - 1].encode()
    before, after = line[: first.col_offset].decode(), line[first.col_offset :].decode()
    if before.strip():
        # The body is on the line of the `def`, or follows a docstring after a semicolon.
        lines[first.lineno - 1] = f"{before}{'; '.join(imports)}; {after}"
    else:
        lines[first.lineno - 1] = "".join(f"{before}{text}\n" for text in imports) + before + after
    return "".join(lines)


def _is_preset(name: str) -> bool:
    return name in _PRESET or name.startswith("mcp_")


def _free_names(node: Def) -> set[str]:
    """Global names that the body reads or sets, without annotations: those are never computed."""
    bare = copy.deepcopy(node)
    bare.args.defaults = [ast.Constant(None) for _ in bare.args.defaults]
    for part in ast.walk(bare):
        if isinstance(part, ast.arg):
            part.annotation = None
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            part.returns = None
        elif isinstance(part, ast.AnnAssign):
            part.annotation = ast.Constant(None)
    table = symtable.symtable(ast.unparse(bare), "<saved tool>", "exec")
    (own,) = (child for child in table.get_children() if child.get_name() == node.name)
    return {
        symbol.get_name()
        for scope in _scopes(own)
        for symbol in scope.get_symbols()
        if symbol.is_global()
    }


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _scopes(child)


def _import_line(name: str, value: Any) -> str | None:
    """The import that gives this value this name; None if there is none."""
    if isinstance(value, ModuleType):
        module = value.__name__
        if sys.modules.get(module) is not value or module == "__main__":
            return None
        return f"import {module}" if module == name else f"import {module} as {name}"
    for origin in getattr(sys.modules.get("mcp.runtime"), "__all__", ()):
        if getattr(sys.modules["mcp.runtime"], origin, None) is value:
            return _from("mcp.runtime", origin, name)
    module = getattr(value, "__module__", None)
    origin = getattr(value, "__qualname__", None) or getattr(value, "_name", None)
    if not isinstance(module, str) or module == "__main__" or not isinstance(origin, str):
        return None
    if not origin.isidentifier() or getattr(sys.modules.get(module), origin, None) is not value:
        return None
    return _from(module, origin, name)


def _from(module: str, origin: str, name: str) -> str:
    return f"from {module} import {origin}" + ("" if origin == name else f" as {name}")
