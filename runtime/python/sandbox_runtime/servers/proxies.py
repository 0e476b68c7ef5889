"""The user's MCP servers as Python objects.

``await mcp_weather.get_weather(city="Seattle")``: a proxy per server, a method per tool, a call object
that is sent at once and can be awaited like any future.
"""

from __future__ import annotations

import difflib
import keyword
import operator
from types import ModuleType
from typing import Any, Callable, Container

from ..rpc import MCPError, RpcClient
from . import calls
from .results import unwrap
from .signatures import ToolSignature


class ServerProxy:
    """One server; its tools are methods, made when they are first used."""

    def __init__(self, rpc: RpcClient, server: dict[str, Any]) -> None:
        self._rpc = rpc
        self._server = server
        tools: list[dict[str, Any]] = server["tools"]
        self._tools = {
            **{tool["alias"]: tool for tool in tools},
            # An exact raw name wins over an alias of another tool.
            **{tool["name"]: tool for tool in tools if _can_be_written(tool["name"])},
        }
        #: For `getattr` with a name that code cannot write after a dot.
        self._by_raw_name = {tool["name"]: tool for tool in tools}
        if "list_tools" not in self._tools:
            self.list_tools = self._list_tools

    def __getattr__(self, name: str) -> Any:
        tool = self.__dict__.get("_tools", {}).get(name)
        if tool is None:
            tool = self.__dict__.get("_by_raw_name", {}).get(name)
        if tool is None:
            raise self._unknown(name)
        method = self._method(tool)
        self.__dict__[name] = method
        return method

    def __dir__(self) -> list[str]:
        return sorted({*self._tools, "list_tools"})

    def __repr__(self) -> str:
        count = len(self._server["tools"])
        return f"<MCP server {self._server['name']!r} with {count} tools>"

    def _list_tools(self) -> Any:
        """Metadata of all tools, as the host knows them now."""
        server = self._server["name"]
        return calls.start(self._rpc, "list_tools", operator.itemgetter("tools"), server=server)

    def _unknown(self, name: str) -> Exception:
        server = self.__dict__.get("_server")
        if server is None or name.startswith("__"):
            return AttributeError(name)
        if server.get("error") is not None:
            return MCPError(server["error"], server=server["name"], tool=name)
        close = difflib.get_close_matches(name, self._tools, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        some = ", ".join(sorted(self._tools)[:20]) or "none"
        # Without an object Python adds no suggestion of its own to ours.
        return AttributeError(
            f"Server {server['name']!r} has no tool {name!r}{hint} (tools: {some})", name=name, obj=None
        )

    def _method(self, tool: dict[str, Any]) -> Callable[..., Any]:
        server = self._server["name"]
        signature = ToolSignature(tool["alias"], tool["input_schema"], tool.get("output_schema"))

        name = tool["name"]

        def call(*args: Any, **kwargs: Any) -> Any:
            arguments = signature.bind(args, kwargs)
            return calls.start(self._rpc, "call_tool", unwrap, server=server, tool=name, arguments=arguments)

        call.__name__ = call.__qualname__ = tool["alias"]
        call.__doc__ = signature.docstring(tool.get("description") or "")
        call.__module__ = f"mcp.servers.{self._server['alias']}"
        call.__signature__ = signature.signature  # type: ignore[attr-defined]
        # For the look at a program before it runs.
        call.bind = signature.bind  # type: ignore[attr-defined]
        return call


def _can_be_written(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def server_module(
    server: dict[str, Any], proxy: ServerProxy, taken: Container[str] = ()
) -> ModuleType:
    """``mcp.servers.<alias>``: the tools as functions, ``TOOLS`` and ``TOOL_MAP``.

    ``taken`` are names that later programs count on: ``import *`` replaces none of them.
    """
    module = ModuleType(f"mcp.servers.{server['alias']}", f"Tools of {server['name']}")
    module.TOOLS = server["tools"]  # type: ignore[attr-defined]
    module.TOOL_MAP = {tool["alias"]: tool for tool in server["tools"]}  # type: ignore[attr-defined]
    module.__all__ = [name for name in dir(proxy) if name not in taken]  # type: ignore[attr-defined]
    module.__dir__ = lambda: [*dir(proxy), "TOOLS", "TOOL_MAP"]  # type: ignore[method-assign]
    module.__getattr__ = lambda name: getattr(proxy, name)  # type: ignore[method-assign]
    return module
