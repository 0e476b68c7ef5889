"""Functions of a program that the host keeps: globals in every later session of the same user."""

from __future__ import annotations

import __future__

import ast
import json
import linecache
from types import FunctionType
from typing import Any, Callable

from .interrupts import SAVED_TOOL_PREFIX
from .rpc import MCPError, RpcClient


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


def define(tools: list[dict[str, Any]], names: dict[str, Any]) -> None:
    """Make saved tools globals of a new session. One that is broken raises when it is called."""
    from .saved_tool_source import name_problem

    for tool in tools:
        name = tool["name"]
        if name_problem(name) is not None or name in names:
            continue
        try:
            _define(name, tool, names)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one must not stop the session
            names[name] = _broken(name, tool.get("error") or f"{type(error).__name__}: {error}")


def _define(name: str, tool: dict[str, Any], names: dict[str, Any]) -> None:
    from .saved_tool_source import parse

    source = tool["source"]
    node = parse(source)
    if node.name != name:
        raise ValueError(f"its source defines {node.name!r}")
    filename = f"{SAVED_TOOL_PREFIX}{name}>"
    # Annotations stay text: what they name may need an import.
    flags = __future__.annotations.compiler_flag
    tree = ast.Module([node], [])
    exec(compile(tree, filename, "exec", flags, dont_inherit=True), names)
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)


def _broken(name: str, reason: str) -> Callable[..., Any]:
    def tool(*_args: Any, **_kwargs: Any) -> Any:
        raise MCPError(
            f"The saved tool {json.dumps(name)} cannot be used: {reason}; save it again, or "
            f"delete_saved_tool({json.dumps(name)})"
        )

    tool.__name__ = tool.__qualname__ = name
    return tool
