"""The names a run starts with: ``mcp``, ``runtime``, ``mcp_servers``, ``mcp_<alias>`` for each server, and functions."""

from __future__ import annotations

import builtins
import sys
from types import ModuleType
from typing import Any, Callable

from .. import charts
from ..awaits.awaited import also_awaitable
from ..files import artifacts
from ..helpers import clock, memory, saved_tools
from ..rpc import RpcClient
from ..servers.catalog import LoadedServer
from ..servers.proxies import ServerProxy, server_module

#: Each has ``functions(rpc)``, which gives them by name.
_MODULES: tuple[ModuleType, ...] = (artifacts, charts, clock, memory, saved_tools)


class Helpers:
    """Functions that are globals in the sandbox and attributes of ``mcp.runtime``, of one kernel."""

    def __init__(self, rpc: RpcClient) -> None:
        self.functions: dict[str, Callable[..., Any]] = {}
        for module in _MODULES:
            for name, function in module.functions(rpc).items():
                self.functions[name] = also_awaitable(function)


class Namespace:
    """The module user code runs in, and what we keep right in it."""

    def __init__(self, package: ModuleType, rpc: RpcClient, helpers: Helpers) -> None:
        self._package = package
        self._rpc = rpc
        #: Alias → server and its proxy, of the run before.
        self._known: dict[str, tuple[LoadedServer, ServerProxy]] = {}
        self.module = ModuleType("__main__")
        self.module.__builtins__ = builtins  # type: ignore[attr-defined]
        self._taken = frozenset((*dir(builtins), *helpers.functions, "mcp", "runtime"))
        # Once, and not in every run: a program may give these names a meaning of its own.
        self.names.update(helpers.functions)

    @property
    def names(self) -> dict[str, Any]:
        """The namespace itself."""
        return self.module.__dict__

    def begin(self, servers: list[LoadedServer]) -> None:
        """Set the names of a run; those of servers it was not given go, unless the user rebound them."""
        sys.modules["__main__"] = self.module
        # A program may have meant a variable of its own.
        self.names.update(__name__="__main__", __builtins__=builtins)
        # A warning is told once in each program.
        self.names.pop("__warningregistry__", None)
        before, self._known = self._known, {}
        self._forget(before)
        proxies: dict[str, ServerProxy] = {}
        for server in servers:
            alias = server.alias
            known, proxy = before.get(alias, (None, None))
            if proxy is None or known is not server:
                proxy = ServerProxy(self._rpc, server)
            self._known[alias] = (server, proxy)
            proxies[server.name] = proxy
            self.names[f"mcp_{alias}"] = proxy
            module = server_module(server, proxy, self._taken)
            sys.modules[module.__name__] = module
            setattr(self._package.servers, alias, module)
        self.names.update(
            mcp=self._package,
            runtime=self._package.runtime,
            mcp_servers=proxies,
            LOADED_MCP_SERVERS=tuple(proxies),
        )

    def _forget(self, known: dict[str, tuple[LoadedServer, ServerProxy]]) -> None:
        for alias, (_, proxy) in known.items():
            if self.names.get(f"mcp_{alias}") is proxy:
                del self.names[f"mcp_{alias}"]
            sys.modules.pop(f"mcp.servers.{alias}", None)
            self._package.servers.__dict__.pop(alias, None)
