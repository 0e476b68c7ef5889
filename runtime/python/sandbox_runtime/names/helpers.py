"""Functions that are globals in the sandbox and attributes of ``mcp.runtime``: memory, files, time.

A module in ``_MODULES`` has ``functions(rpc)``, which gives them by name.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable

from .. import charts
from ..awaits.awaitable import also_awaitable
from ..files import artifacts
from ..helpers import clock, memory, saved_tools
from ..rpc import RpcClient

_MODULES: tuple[ModuleType, ...] = (artifacts, charts, clock, memory, saved_tools)


class Helpers:
    """The functions of one kernel."""

    def __init__(self, rpc: RpcClient) -> None:
        self.functions: dict[str, Callable[..., Any]] = {}
        for module in _MODULES:
            for name, function in module.functions(rpc).items():
                self.functions[name] = also_awaitable(function)
