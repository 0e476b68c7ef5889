"""What in a program cannot work in this run: servers, tools, arguments and modules that are not there.

A suspect is a place, not yet a finding: it may be in code that never runs (``preflight`` tells).
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import sys
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Mapping

from ..hints.missing import member_hint, missing_module_hint, server_hint
from ..servers.proxies import ServerProxy
from .look_lines import FOREIGN, is_there, nodes_on


@dataclass
class Suspect:
    """A node that fails if it runs: the error, what to do, and the name it rests on."""

    node: ast.AST
    error: str
    hint: str | None = None
    #: A name that would make it right if the program itself bound it.
    name: str | None = None


class Look:
    """What one run has, held against what a program names."""

    def __init__(self, names: Mapping[str, Any], discovered: Mapping[str, Any]) -> None:
        self._names = names
        self._discovered = discovered
        self._servers: Mapping[str, ServerProxy] = names.get("mcp_servers") or {}
        self._aliases = {
            name[4:] for name, value in names.items() if name.startswith("mcp_") and type(value) is ServerProxy
        }

    def suspects(self, body: list[ast.stmt], lines: list[int]) -> list[Suspect]:
        """What is wrong on these lines of a program."""
        return [suspect for node in nodes_on(body, lines) for suspect in self._at(node)]

    def _at(self, node: ast.AST) -> Iterable[Suspect]:
        look = _LOOKS.get(type(node))
        return look(self, node) if look else ()

    def _name(self, node: ast.Name) -> Iterator[Suspect]:
        name = node.id
        if name in self._names or hasattr(builtins, name) or not isinstance(node.ctx, ast.Load):
            return
        if name.startswith("mcp_"):
            hint = self._server_hint(name[4:])
        elif name in FOREIGN:
            hint = FOREIGN[name]
        else:
            return
        yield Suspect(node, f"NameError: name {name!r} is not defined", hint, name)

    def _attribute(self, node: ast.Attribute) -> Iterator[Suspect]:
        if not isinstance(node.ctx, ast.Load):
            return
        if _is_servers_package(node.value) and not hasattr(sys.modules.get("mcp.servers"), node.attr):
            error = f"AttributeError: module 'mcp.servers' has no attribute {node.attr!r}"
            yield Suspect(node, error, self._server_hint(node.attr, "mcp.servers.{}"), "mcp")
        name, proxy = self.proxy(node.value)
        if proxy is not None:
            error = _error_of(lambda: getattr(proxy, node.attr), AttributeError)
            if error is not None:
                yield Suspect(node, error, None, name)

    def _call(self, node: ast.Call) -> Iterator[Suspect]:
        if not isinstance(node.func, ast.Attribute):
            return
        name, proxy = self.proxy(node.func.value)
        if proxy is None or any(isinstance(arg, ast.Starred) for arg in node.args):
            return
        given = {keyword.arg: None for keyword in node.keywords}
        bind = getattr(_attribute_of(proxy, node.func.attr), "bind", None)
        if bind is None or None in given:
            return
        error = _error_of(lambda: bind((None,) * len(node.args), given), TypeError)
        if error is not None:
            yield Suspect(node, error, None, name)

    def _subscript(self, node: ast.Subscript) -> Iterator[Suspect]:
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if (
            isinstance(node.value, ast.Name)
            and node.value.id == "mcp_servers"
            and isinstance(node.ctx, ast.Load)
            and isinstance(key, str)
            and key not in self._servers
        ):
            yield Suspect(node, f"KeyError: {key!r}", self._server_hint(key, "{!r}"), "mcp_servers")

    def _import(self, node: ast.Import) -> Iterator[Suspect]:
        for alias in node.names:
            yield from self._module(node, alias.name)

    def _import_from(self, node: ast.ImportFrom) -> Iterator[Suspect]:
        if node.module and not node.level:
            yield from self._module(node, node.module)
            yield from self._members_of(node)

    def _module(self, node: ast.AST, module: str) -> Iterator[Suspect]:
        if module.startswith("mcp.servers.") and module not in sys.modules:
            alias = module.split(".")[2]
            hint = self._server_hint(alias, "mcp.servers.{}")
            yield Suspect(node, f"ModuleNotFoundError: No module named {module!r}", hint)
        elif module.startswith("mcp.") and module not in sys.modules:
            # Python names the first part that is missing.
            parts = module.split(".")
            missing = next(part for part in map(".".join, _beginnings(parts)) if part not in sys.modules)
            yield Suspect(node, f"ModuleNotFoundError: No module named {missing!r}", missing_module_hint(module))
        elif not is_there(module) and not _can_be_found(module.partition(".")[0]):
            top = module.partition(".")[0]
            error = f"ModuleNotFoundError: No module named {top!r}"
            yield Suspect(node, error, missing_module_hint(top))

    def _members_of(self, node: ast.ImportFrom) -> Iterator[Suspect]:
        """``from mcp.servers.weather import get_wether``, ``from mcp import ClientSession``."""
        source = node.module or ""
        module = sys.modules.get(source)
        if source.partition(".")[0] != "mcp" or module is None:
            return
        for name in (alias.name for alias in node.names if alias.name != "*"):
            is_missing = _error_of(lambda: getattr(module, name), AttributeError) is not None
            if is_missing and f"{source}.{name}" not in sys.modules:
                error = f"ImportError: cannot import name {name!r} from {source!r} (unknown location)"
                yield Suspect(node, error, member_hint(source, name, self._aliases, self._discovered))

    def _server_hint(self, name: str, form: str = "mcp_{}") -> str:
        return server_hint(name, self._aliases, self._discovered, form)

    def proxy(self, node: ast.expr) -> tuple[str | None, ServerProxy | None]:
        """The server that an expression stands for, and the name it starts with."""
        found: Any = None
        name = None
        if isinstance(node, ast.Name):
            name, found = node.id, self._names.get(node.id)
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            if isinstance(node.value, ast.Name) and node.value.id == "mcp_servers":
                name, found = "mcp_servers", self._servers.get(node.slice.value)
        elif isinstance(node, ast.Attribute) and _is_servers_package(node.value):
            name, found = "mcp", self._names.get(f"mcp_{node.attr}")
            if node.attr not in self._aliases:
                found = None
        return name, found if type(found) is ServerProxy else None


_LOOKS: dict[type[ast.AST], Any] = {
    ast.Name: Look._name,
    ast.Attribute: Look._attribute,
    ast.Call: Look._call,
    ast.Subscript: Look._subscript,
    ast.Import: Look._import,
    ast.ImportFrom: Look._import_from,
}


def _is_servers_package(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "servers"
        and isinstance(node.value, ast.Name)
        and node.value.id == "mcp"
    )


def _beginnings(parts: list[str]) -> Iterator[list[str]]:
    return (parts[: count + 1] for count in range(len(parts)))


def _can_be_found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except Exception:  # noqa: BLE001 - a finder of the user's own: the import will tell
        return True


def _attribute_of(proxy: ServerProxy, name: str) -> Any:
    try:
        return getattr(proxy, name)
    except Exception:  # noqa: BLE001 - told as an unknown tool, or by the call itself
        return None


def _error_of(action: Any, kind: type[Exception]) -> str | None:
    """What an action that only looks would raise."""
    try:
        action()
    except kind as error:
        return f"{kind.__name__}: {error}"
    except Exception:  # noqa: BLE001 - such as a server that did not start: the run will tell
        pass
    return None
