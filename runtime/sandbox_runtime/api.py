"""What user code finds under ``mcp.runtime`` (and as the global ``runtime``).

One object per kernel; ``publish`` makes it importable and sets the names every run starts with.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
from types import ModuleType
from typing import Any

from .rpc import MCPError, RpcClient

_MANUAL = pathlib.Path(__file__).with_name("manual.md")


class Api:
    """The functions of ``mcp.runtime``, and what they know of this run's servers."""

    MCPError = MCPError

    def __init__(self, rpc: RpcClient) -> None:
        self._rpc = rpc
        self._servers: dict[str, dict[str, Any]] = {}
        self._discovered: dict[str, str] = {}

    def begin(self, servers: list[dict[str, Any]], discovered: dict[str, str]) -> None:
        """Take over what the host says of the run that starts now."""
        self._servers = {server["name"]: server for server in servers}
        self._discovered = discovered
        for name, value in (
            ("MCP_AVAILABLE_SERVERS", servers),
            ("MCP_DISCOVERED_SERVERS", discovered),
        ):
            text = json.dumps(value)
            if os.environ.get(name) != text:
                os.environ[name] = text

    def loaded(self) -> tuple[str, ...]:
        """Names of the servers of this run."""
        return tuple(self._servers)

    def discovered_servers(self, detailed: bool = False) -> tuple[Any, ...]:
        """Every server the host has found; ``detailed`` adds the descriptions."""
        if detailed:
            return tuple(
                {"name": name, "description": description}
                for name, description in self._discovered.items()
            )
        return tuple(self._discovered)

    async def list_servers(self) -> list[str]:
        """Names of the servers this run may call, as the host says."""
        return list((await self._rpc.request("list_servers"))["servers"])

    def list_servers_sync(self) -> list[str]:
        """Names of the servers this run may call, as far as the sandbox knows."""
        return sorted(self._servers)

    async def list_tools(self, server: str) -> list[dict[str, Any]]:
        """Metadata of a server's tools."""
        return list((await self._rpc.request("list_tools", server=server))["tools"])

    async def query_tool_docs(
        self, server: str, tool: str | None = None, detail: str = "summary"
    ) -> Any:
        """Docs of all tools of a server, or of one."""
        fields: dict[str, Any] = {"server": server, "detail": detail}
        if tool is not None:
            fields["tool"] = tool
        return (await self._rpc.request("query_tool_docs", **fields))["docs"]

    async def search_tool_docs(
        self, query: str, *, limit: int = 5, detail: str = "summary"
    ) -> list[dict[str, Any]]:
        """Docs of the tools that fit the words best, over all servers."""
        reply = await self._rpc.request(
            "search_tool_docs", query=query, limit=limit, detail=detail
        )
        return list(reply["results"])

    async def call_tool(
        self, server: str, tool: str, arguments: dict[str, Any] | None = None
    ) -> Any:
        """Call a tool by its raw name."""
        reply = await self._rpc.request(
            "call_tool", server=server, tool=tool, arguments=arguments or {}
        )
        return reply.get("result")

    def describe_server(self, name: str) -> dict[str, Any]:
        """Metadata of a server of this run."""
        try:
            return self._servers[name]
        except KeyError:
            raise MCPError(
                f"Server '{name}' is not available", server=name
            ) from None

    def list_loaded_server_metadata(self) -> tuple[dict[str, Any], ...]:
        """Metadata of all servers of this run."""
        return tuple(self._servers.values())

    def capability_summary(self) -> str:
        """The manual of this Python."""
        return _MANUAL.read_text(encoding="utf-8")


_PUBLIC = (
    "MCPError",
    "call_tool",
    "capability_summary",
    "describe_server",
    "discovered_servers",
    "list_loaded_server_metadata",
    "list_servers",
    "list_servers_sync",
    "list_tools",
    "query_tool_docs",
    "search_tool_docs",
)


def publish(api: Api) -> ModuleType:
    """Make ``mcp``, ``mcp.runtime`` and ``mcp.servers`` importable and give the first of them."""
    runtime = ModuleType("mcp.runtime", "Functions of the sandbox; see capability_summary()")
    for name in _PUBLIC:
        setattr(runtime, name, getattr(api, name))
    runtime.__all__ = list(_PUBLIC)  # type: ignore[attr-defined]
    servers = ModuleType("mcp.servers", "The MCP servers of this run")
    servers.__path__ = []  # type: ignore[attr-defined]
    package = ModuleType("mcp", "The MCP side of the sandbox")
    package.__path__ = []  # type: ignore[attr-defined]
    package.runtime = runtime  # type: ignore[attr-defined]
    package.servers = servers  # type: ignore[attr-defined]
    sys.modules.update(
        {"mcp": package, "mcp.runtime": runtime, "mcp.servers": servers}
    )
    return package
