"""What user code finds under ``mcp.runtime`` (and as the global ``runtime``).

One object per kernel; ``publish`` makes its functions importable. Names ending in ``_sync`` answer from
what the sandbox knows of this run's servers; the others ask the host, which knows all.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
from operator import itemgetter
from types import ModuleType
from typing import Any

from ..awaits.awaited import also_awaitable
from ..rpc import MCPError, RpcClient
from ..servers import calls
from ..servers.catalog import MAX_VARIABLE_BYTES, LoadedServer, to_tools
from ..servers.results import Blob, to_messages, unwrap
from ..servers.tool_docs import find_tool, search, to_doc
from .namespace import Helpers
from .past_output import read_output

_MANUAL = pathlib.Path(__file__).parents[1] / "manual.md"


class Api:
    """The functions of ``mcp.runtime``, and what they know of this run's servers."""

    MCPError = MCPError
    Blob = Blob

    def __init__(self, rpc: RpcClient) -> None:
        self._rpc = rpc
        self._servers: dict[str, LoadedServer] = {}
        self._discovered: dict[str, str] = {}

    def begin(self, servers: list[LoadedServer], discovered: dict[str, str]) -> None:
        """Take over what the host says of the run that starts now."""
        self._servers = {server.name: server for server in servers}
        self._discovered = discovered
        texts = [server.variable for server in servers]
        available = None if None in texts else f"[{', '.join(filter(None, texts))}]"
        for name, text in (
            ("MCP_AVAILABLE_SERVERS", available),
            ("MCP_DISCOVERED_SERVERS", json.dumps(discovered)),
        ):
            if text is None or len(name) + len(text) + 2 > MAX_VARIABLE_BYTES:
                os.environ.pop(name, None)
            elif os.environ.get(name) != text:
                os.environ[name] = text

    def discovered_servers(self, detailed: bool = False) -> tuple[Any, ...]:
        """Every server the host has found; ``detailed`` adds the descriptions."""
        if detailed:
            return tuple(
                {"name": name, "description": description}
                for name, description in self._discovered.items()
            )
        return tuple(self._discovered)

    def list_servers(self) -> Any:
        """Names of the servers this run may call, as the host says."""
        return calls.start(self._rpc, "list_servers", itemgetter("servers"))

    def list_servers_sync(self) -> list[str]:
        """Names of the servers this run may call."""
        return sorted(self._servers)

    def list_tools(self, server: str) -> Any:
        """Metadata of a server's tools; of any discovered server."""
        return calls.start(self._rpc, "list_tools", to_tools, server=server)

    def list_tools_sync(self, server: str) -> list[dict[str, Any]]:
        """Metadata of the tools of a server of this run."""
        return list(self._loaded(server).metadata["tools"])

    def call_tool(
        self,
        server: str,
        tool: str,
        arguments: dict[str, Any] | None = None,
        *,
        raw: bool = False,
    ) -> Any:
        """Call a tool by its raw name; ``raw`` gives the whole result as it came."""
        fields: dict[str, Any] = {"server": server, "tool": tool, "arguments": arguments or {}}
        if raw:
            fields["raw"] = True
        return calls.start(self._rpc, "call_tool", unwrap, **fields)

    def list_resources(self, server: str) -> Any:
        """Resources of a server of this run; a template of more has a ``uri_template``."""
        return calls.start(self._rpc, "list_resources", itemgetter("resources"), server=server)

    def read_resource(self, server: str, uri: str) -> Any:
        """What a resource holds: text, data if it is JSON, a ``Blob``, or a list of these."""
        return calls.start(self._rpc, "read_resource", unwrap, server=server, uri=str(uri))

    def list_prompts(self, server: str) -> Any:
        """Prompts of a server of this run, with their arguments."""
        return calls.start(self._rpc, "list_prompts", itemgetter("prompts"), server=server)

    def get_prompt(self, server: str, name: str, arguments: dict[str, str] | None = None) -> Any:
        """The messages of a prompt, each with ``role`` and ``content``; arguments are text."""
        texts = {str(key): str(value) for key, value in (arguments or {}).items()}
        return calls.start(self._rpc, "get_prompt", to_messages, server=server, name=name, arguments=texts)

    def query_tool_docs(
        self, server: str, tool: str | None = None, detail: str = "summary"
    ) -> Any:
        """Docs of all tools of a server, or of one."""
        fields: dict[str, Any] = {"server": server, "detail": detail}
        if tool is not None:
            fields["tool"] = tool
        docs = itemgetter("docs")
        one = docs if tool is None else lambda payload: docs(payload)[0]
        return calls.start(self._rpc, "query_tool_docs", one, **fields)

    def query_tool_docs_sync(
        self, server: str, tool: str | None = None, detail: str = "summary"
    ) -> Any:
        """Docs of all tools of a server of this run, or of one."""
        loaded = self._loaded(server)
        if tool is not None:
            return to_doc(loaded, find_tool(loaded, tool), detail)
        return [to_doc(loaded, item, detail) for item in loaded.tools]

    def search_tool_docs(self, query: str, *, limit: int = 5, detail: str = "summary") -> Any:
        """Docs of the tools that fit the words best, over all discovered servers."""
        results = itemgetter("results")
        return calls.start(self._rpc, "search_tool_docs", results, query=query, limit=limit, detail=detail)

    def search_tool_docs_sync(
        self, query: str, *, limit: int = 5, detail: str = "summary"
    ) -> list[dict[str, Any]]:
        """Docs of the tools that fit the words best, over the servers of this run."""
        return search(list(self._servers.values()), query, limit, detail)

    def describe_server(self, name: str) -> dict[str, Any]:
        """Metadata of a server of this run."""
        return dict(self._loaded(name).metadata)

    def list_loaded_server_metadata(self) -> tuple[dict[str, Any], ...]:
        """Metadata of all servers of this run."""
        return tuple(server.metadata for server in self._servers.values())

    def stubs(self, server: str, *tools: str) -> str:
        """Python types and signatures of a server's tools, or of some, as text; of any discovered server."""
        names: list[str] = []
        for tool in tools:
            names.extend(tool if isinstance(tool, (list, tuple)) else [tool])
        return str(self._rpc.ask("stubs", server=server, tools=names)["stubs"])

    def output(
        self, run: int = -1, *, stream: str = "stdout", offset: int = 0, length: int | None = None
    ) -> str:
        """What an earlier run of this session printed, from character ``offset`` on; -1 is the run before."""
        return read_output(self._rpc, run, stream, offset, length)

    def capability_summary(self) -> str:
        """The manual of this Python."""
        return _MANUAL.read_text(encoding="utf-8")

    def _loaded(self, name: str) -> LoadedServer:
        for server in self._servers.values():
            if name in (server.name, server.alias):
                return server
        known = name in self._discovered
        hint = ": add it to the `servers` argument of run_python" if known else ""
        raise MCPError(f"Server '{name}' is not available{hint}", server=name)


_PUBLIC = (
    "Blob",
    "MCPError",
    "call_tool",
    "get_prompt",
    "list_prompts",
    "list_resources",
    "list_servers",
    "list_tools",
    "query_tool_docs",
    "read_resource",
    "search_tool_docs",
)

#: Those whose value is there when they return.
_PLAIN = (
    "capability_summary",
    "describe_server",
    "discovered_servers",
    "list_loaded_server_metadata",
    "list_servers_sync",
    "list_tools_sync",
    "output",
    "query_tool_docs_sync",
    "search_tool_docs_sync",
    "stubs",
)


def publish(api: Api, helpers: Helpers) -> ModuleType:
    """Make ``mcp``, ``mcp.runtime`` and ``mcp.servers`` importable and give the first of them."""
    runtime = ModuleType("mcp.runtime", "Functions of the sandbox; see capability_summary()")
    plain = {name: also_awaitable(getattr(api, name)) for name in _PLAIN}
    names = {**{name: getattr(api, name) for name in _PUBLIC}, **plain, **helpers.functions}
    runtime.__dict__.update(names)
    runtime.__all__ = sorted(names)  # type: ignore[attr-defined]
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
