"""One line after a traceback: what to do about an error that is typical of a sandbox or of tool results.

Looks and never runs user code. No hint is better than a wrong one.
"""

from __future__ import annotations

import errno
import json
import re
import sys
from typing import Any, Mapping

from ..preflight.look_lines import FOREIGN
from .missing import EMBEDDED, NETWORK_HINT, member_hint, missing_module_hint, server_hint
from .values import attribute_hint, index_hint, key_hint, subscripted, type_hint

_NO_ACCESS = (errno.EROFS, errno.EACCES, errno.EPERM)
_NO_ROUTE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)


def hint_for(
    error: BaseException, told: str, names: Mapping[str, Any], discovered: Mapping[str, Any]
) -> str | None:
    """The hint for an error; ``told`` is its traceback, which may say enough."""
    try:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return _hint(error, told.rstrip("\n").rpartition("\n")[2], names, discovered)
    except Exception:  # noqa: BLE001 - objects of the user's own may fail in any way
        return None


def _hint(error: BaseException, last_line: str, names: Mapping[str, Any], discovered: Mapping[str, Any]) -> str | None:
    if isinstance(error, (TypeError, AttributeError, ValueError)) and "ToolCall" in str(error):
        return "`await` is missing before a tool call"
    if "coroutine" in str(error) and isinstance(error, (TypeError, ValueError)) and _raised_in(error, "asyncio.runners"):
        return "Call it, as in asyncio.run(main())"
    if isinstance(error, ImportError):
        return _import_hint(error, names, discovered)
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError):
        return _name_hint(error, last_line, names, discovered)
    if type(error) is KeyError:
        return _unknown_server_hint(error, names, discovered) or key_hint(error)
    if type(error) is IndexError:
        return index_hint(error)
    if isinstance(error, AttributeError):
        if error.name and error.obj is sys.modules.get("mcp.servers", error):
            return server_hint(error.name, _aliases(names), discovered, "mcp.servers.{}")
        return attribute_hint(error)
    if type(error) is TypeError:
        return type_hint(error)
    if isinstance(error, MemoryError):
        return (
            "The memory of the sandbox is used up: work in pieces and `del` what is done;"
            " the operator can raise MCP_BRIDGE_MEMORY"
        )
    if isinstance(error, json.JSONDecodeError):
        return f"The text is no JSON; it begins with {error.doc[:40]!r}" if error.doc else "The text is empty"
    if isinstance(error, EOFError) and "reading a line" in str(error):
        return "Nobody can answer input(): put the value into the code"
    if type(error).__name__ == "MCPError":
        return _tool_hint(error, names, discovered)
    if isinstance(error, OSError):
        return _os_hint(error)
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        if EMBEDDED:
            return "The embedded engine has no threads: use await asyncio.gather(…)"
        return "Too many threads: use fewer; the operator can raise MCP_BRIDGE_PIDS"
    return None


def _import_hint(error: ImportError, names: Mapping[str, Any], discovered: Mapping[str, Any]) -> str | None:
    name = error.name or ""
    if isinstance(error, ModuleNotFoundError):
        if name.startswith("mcp.servers."):
            return server_hint(name.split(".")[2], _aliases(names), discovered, "mcp.servers.{}")
        return missing_module_hint(name) if name else None
    member = re.match(r"cannot import name '(\w+)' from '(mcp(?:\.[\w.]+)?)'", str(error))
    return member_hint(member[2], member[1], _aliases(names), discovered) if member else None


def _unknown_server_hint(error: KeyError, names: Mapping[str, Any], discovered: Mapping[str, Any]) -> str | None:
    servers, name = names.get("mcp_servers"), error.args[0] if error.args else None
    if type(name) is not str or subscripted(error) is not servers:
        return None
    return server_hint(name, _aliases(names), discovered, "{!r}")


def _name_hint(
    error: NameError, last_line: str, names: Mapping[str, Any], discovered: Mapping[str, Any]
) -> str | None:
    name = error.name or ""
    if name.startswith("mcp_"):
        return server_hint(name[4:], _aliases(names), discovered)
    if name in FOREIGN:
        return FOREIGN[name]
    if re.search(r"\bDid you (?:mean|forget)\b", last_line):
        return None
    if name in sys.stdlib_module_names:
        return f"Write `import {name}` first"
    if error.__traceback__ is not None and _is_first_run(error):
        return "This is the first run of a new interpreter: define here what earlier calls had"
    return None


def _is_first_run(error: BaseException) -> bool:
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<run-1>":
            return True
        trace = trace.tb_next
    return False


def _aliases(names: Mapping[str, Any]) -> list[str]:
    return [name[4:] for name, value in names.items() if type(value).__name__ == "ServerProxy" and name[:4] == "mcp_"]


def _tool_hint(error: Any, names: Mapping[str, Any], discovered: Mapping[str, Any]) -> str | None:
    """The signature, when a server did not like the arguments."""
    proxy = (names.get("mcp_servers") or {}).get(error.server)
    if proxy is None or not error.tool or not re.search(r"(?i)invalid|required|argument|param|schema", str(error)):
        return None
    tool = proxy._server.by_name.get(error.tool)
    return f"Expected {tool.signature}" if tool else None


def _os_hint(error: OSError) -> str | None:
    kind = type(error)
    message = str(error)
    if kind.__name__ in ("gaierror", "URLError", "AbortError") or error.errno in _NO_ROUTE:
        return NETWORK_HINT
    if "does not support processes" in message:
        return "The embedded engine has no processes: do it in Python"
    if error.errno == errno.ENOSPC:
        return "The sandbox's disk is full: delete files, or keep less"
    if error.errno in _NO_ACCESS:
        return "Only the working folder and /tmp can be written: use a name without a folder"
    if isinstance(error, FileNotFoundError):
        if _raised_in(error, "subprocess"):
            return "There is no such program here: do it in Python"
        return (
            "The sandbox has files of its own, not the host's:"
            " read those with a tool of an MCP server, or put the text into the code"
        )
    return None


def _raised_in(error: BaseException, module: str) -> bool:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals.get("__name__") == module
