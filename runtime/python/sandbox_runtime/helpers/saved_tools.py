"""Functions of a program that the host keeps: globals in every later session of the same user."""

from __future__ import annotations

import __future__

import ast
import json
import linecache
import re
from types import FunctionType
from typing import Any, Callable

from ..loop.interrupts import SAVED_TOOL_PREFIX
from ..rpc import MCPError, RpcClient


#: Names in a program, but for those that stand alone in quotes, as in ``delete_saved_tool("x")``.
_NAMES = re.compile(r"(?<![\w\"'])[^\W\d]\w*(?![\w\"'])")


def functions(rpc: RpcClient) -> dict[str, Callable[..., Any]]:
    """The functions by name."""
    tools = _SavedTools(rpc)
    return {
        function.__name__: function
        for function in (tools.save_tool, tools.list_saved_tools, tools.delete_saved_tool)
    }


class _SavedTools:
    def __init__(self, rpc: RpcClient) -> None:
        self._rpc = rpc

    def save_tool(self, func: Callable[..., Any]) -> dict[str, Any]:
        """Keep a function: it is a global in every later session. Saving it again replaces it.

        What it uses must be there then: its arguments, imports, ``mcp_…`` servers, other saved tools.
        """
        if not isinstance(func, FunctionType):
            kind = "a class" if isinstance(func, type) else f"a {type(func).__name__}"
            raise TypeError(f"save_tool() takes a function made with `def`, not {kind}")
        name = func.__name__
        try:
            tool = self._to_tool(func)
        except (ValueError, SyntaxError) as error:
            raise ValueError(f"Cannot save the tool {name!r}: {error}") from None
        self._rpc.ask("save_tool", name=name, **tool)
        return {"name": name, "signature": tool["signature"], "description": tool["description"]}

    def list_saved_tools(self) -> list[dict[str, Any]]:
        """Name, signature, description and time of every saved tool; one that is damaged has an ``error``."""
        return list(self._rpc.ask("list_saved_tools")["tools"])

    def delete_saved_tool(self, name: str) -> bool:
        """Keep a function no longer; says whether it was there. This session still has it."""
        name = getattr(name, "__name__", name)
        if not isinstance(name, str):
            raise TypeError(f"name must be a string, not {type(name).__name__}")
        return bool(self._rpc.ask("delete_saved_tool", name=name)["deleted"])

    def _to_tool(self, func: FunctionType) -> dict[str, str]:
        # Here and not above: a sandbox starts faster without what most programs never need.
        from .saved_tool_source import describe, name_problem, parse, resolve, source_of, with_imports

        if func.__name__ == "<lambda>":
            raise ValueError("a lambda has no name: write it with `def`")
        problem = name_problem(func.__name__)
        if problem is not None:
            raise ValueError(problem)
        captured = ", ".join(func.__code__.co_freevars)
        if captured:
            raise ValueError(f"it uses {captured} of the function around it: pass it as an argument")
        source = source_of(func)
        node = parse(source)
        if node.name != func.__name__:
            raise ValueError(f"its source defines {node.name!r}")
        imports, others = resolve(node, func.__globals__)
        missing = ", ".join(sorted(set(others) - self._saved(others)))
        if missing:
            raise ValueError(
                f"it uses {missing}, which a later session does not have: pass it as an argument, "
                "move it into the function, or save it first if it is a function"
            )
        signature, description = describe(node)
        source = with_imports(source, node, imports)
        parse(source)
        return {"signature": signature, "description": description, "source": source}

    def _saved(self, names: list[str]) -> set[str]:
        """Those of the names that are saved tools."""
        return {tool["name"] for tool in self.list_saved_tools()} if names else set()


class Shelf:
    """Saved tools as globals of a session.

    Each is defined when a program first names or calls it: one that no interpreter can hold costs the
    programs that use it, and no other. One that is broken raises when it is called.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names
        self._waiting: dict[str, dict[str, Any]] = {}
        self._defined: dict[str, Callable[..., Any]] = {}

    def add(self, tools: list[dict[str, Any]]) -> None:
        """Have these tools, as far as nothing else has their names."""
        from .saved_tool_source import name_problem

        for tool in tools:
            name = tool["name"]
            if name_problem(name) is None and name not in self._names:
                self._waiting[name] = tool
                self._names[name] = self._defined[name] = self._on_demand(name)

    def take(self, code: str) -> None:
        """Define those that a program names."""
        if self._waiting:
            for name in self._waiting.keys() & set(_NAMES.findall(code)):
                self._define(name)

    def _define(self, name: str) -> Callable[..., Any]:
        tool = self._waiting.pop(name, None)
        if tool is not None:
            before = self._defined[name]
            try:
                function = _function(name, tool, self._names)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one must not stop the session
                function = _broken(name, tool.get("error") or f"{type(error).__name__}: {error}")
            self._defined[name] = function
            # A program may have given the name a meaning of its own.
            if self._names.get(name) is before:
                self._names[name] = function
        return self._defined[name]

    def _on_demand(self, name: str) -> Callable[..., Any]:
        def tool(*args: Any, **kwargs: Any) -> Any:
            return self._define(name)(*args, **kwargs)

        return _named(tool, name)


def _function(name: str, tool: dict[str, Any], names: dict[str, Any]) -> Callable[..., Any]:
    from .saved_tool_source import parse

    source = tool["source"]
    node = parse(source)
    if node.name != name:
        raise ValueError(f"its source defines {node.name!r}")
    filename = f"{SAVED_TOOL_PREFIX}{name}>"
    # Annotations stay text: what they name may need an import.
    flags = __future__.annotations.compiler_flag
    made: dict[str, Any] = {}
    exec(compile(ast.Module([node], []), filename, "exec", flags, dont_inherit=True), names, made)
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    return made[name]


def _broken(name: str, reason: str) -> Callable[..., Any]:
    def tool(*_args: Any, **_kwargs: Any) -> Any:
        raise MCPError(
            f"The saved tool {json.dumps(name)} cannot be used: {reason}; save it again, or "
            f"delete_saved_tool({json.dumps(name)})"
        )

    return _named(tool, name)


def _named(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    return function
