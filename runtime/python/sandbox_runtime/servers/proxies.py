"""The user's MCP servers as Python objects.

``await mcp_weather.get_weather(city="Seattle")``: a proxy per server, a method per tool, a call object
that is sent at once and can be awaited like any future.
"""

from __future__ import annotations

import difflib
from types import ModuleType
from typing import Any, Callable, Container

from ..rpc import MCPError, RpcClient
from . import calls
from .catalog import LoadedServer, LoadedTool, to_tools
from .results import unwrap


class ServerProxy:
    """One server; its tools are methods, made when they are first used."""

    def __init__(self, rpc: RpcClient, server: LoadedServer) -> None:
        self._rpc = rpc
        self._server = server
        if "list_tools" not in server.by_attribute:
            self.list_tools = self._list_tools

    def __getattr__(self, name: str) -> Any:
        server: LoadedServer | None = self.__dict__.get("_server")
        if server is None:
            raise AttributeError(name)
        # `getattr` also takes a name that code cannot write after a dot.
        tool = server.by_attribute.get(name) or server.by_name.get(name)
        if tool is None:
            raise _unknown(server, name)
        method = self._method(tool)
        self.__dict__[name] = method
        return method

    def __dir__(self) -> list[str]:
        return sorted({*self._server.by_attribute, "list_tools"})

    def __repr__(self) -> str:
        return f"<MCP server {self._server.name!r} with {len(self._server.tools)} tools>"

    def _list_tools(self) -> Any:
        """Metadata of all tools, as the host knows them now."""
        return calls.start(self._rpc, "list_tools", to_tools, server=self._server.name)

    def _method(self, tool: LoadedTool) -> Callable[..., Any]:
        server, name = self._server.name, tool.name
        signature = tool.signed()

        def call(*args: Any, **kwargs: Any) -> Any:
            arguments = signature.bind(args, kwargs)
            return calls.start(self._rpc, "call_tool", unwrap, server=server, tool=name, arguments=arguments)

        call.__name__ = call.__qualname__ = tool.alias
        call.__doc__ = signature.docstring(tool.metadata().get("description") or "")
        call.__module__ = f"mcp.servers.{self._server.alias}"
        call.__signature__ = signature.signature  # type: ignore[attr-defined]
        # For the look at a program before it runs.
        call.bind = signature.bind  # type: ignore[attr-defined]
        return call


def _unknown(server: LoadedServer, name: str) -> Exception:
    if name.startswith("__"):
        return AttributeError(name)
    if server.error is not None:
        return MCPError(server.error, server=server.name, tool=name)
    names = server.by_attribute
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    some = ", ".join(sorted(names)[:20]) or "none"
    # Without an object Python adds no suggestion of its own to ours.
    return AttributeError(
        f"Server {server.name!r} has no tool {name!r}{hint} (tools: {some})", name=name, obj=None
    )


def server_module(
    server: LoadedServer, proxy: ServerProxy, taken: Container[str] = ()
) -> ModuleType:
    """``mcp.servers.<alias>``: the tools as functions, ``TOOLS`` and ``TOOL_MAP``.

    ``taken`` are names that later programs count on: ``import *`` replaces none of them.
    """
    module = ModuleType(f"mcp.servers.{server.alias}", f"Tools of {server.name}")
    # Most programs ask for none of them.
    made: dict[str, Callable[[], Any]] = {
        "TOOLS": lambda: server.metadata["tools"],
        "TOOL_MAP": lambda: {tool["alias"]: tool for tool in server.metadata["tools"]},
        "__all__": lambda: [name for name in dir(proxy) if name not in taken],
    }

    def get(name: str) -> Any:
        if name not in made:
            return getattr(proxy, name)
        setattr(module, name, value := made[name]())
        return value

    module.__dir__ = lambda: [*dir(proxy), "TOOLS", "TOOL_MAP"]  # type: ignore[method-assign]
    module.__getattr__ = get  # type: ignore[method-assign]
    return module
