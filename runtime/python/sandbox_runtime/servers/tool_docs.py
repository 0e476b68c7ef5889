"""Docs and search over the tools of this run's servers, and docs as lines; the host searches all servers."""

from __future__ import annotations

import difflib
import re
from typing import Any

from ..rpc import MCPError
from .catalog import LoadedServer, LoadedTool, Tool


def to_doc(server: LoadedServer, loaded: LoadedTool, detail: str) -> dict[str, Any]:
    """The doc object of a tool."""
    tool = loaded.metadata()
    doc = {
        "server": server.name,
        "serverAlias": server.alias,
        "tool": loaded.name,
        "toolAlias": loaded.alias,
        "signature": loaded.signature,
    }
    if tool.get("description"):
        doc["description"] = tool["description"]
    if detail == "full":
        doc["inputSchema"] = tool["input_schema"]
        if tool.get("output_schema") is not None:
            doc["outputSchema"] = tool["output_schema"]
    return doc


def find_tool(server: LoadedServer, name: str) -> LoadedTool:
    """The tool with this alias or raw name, whatever its case."""
    wanted = name.casefold()
    for tool in server.tools:
        if wanted in (tool.name.casefold(), tool.alias.casefold()):
            return tool
    close = difflib.get_close_matches(name, server.by_name, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    raise MCPError(f"Server '{server.name}' has no tool '{name}'{hint}", server=server.name, tool=name)


def search(servers: list[LoadedServer], query: str, limit: int, detail: str) -> list[dict[str, Any]]:
    """The tools in which most of the words stand, names first."""
    words = re.findall(r"\w+", query.casefold())
    ranked: list[tuple[float, LoadedServer, LoadedTool]] = []
    for server in servers:
        for tool in server.tools:
            name = f"{tool.name} {server.name}".casefold()
            rest = f"{tool.metadata().get('description', '')} {' '.join(tool.argument_names())}"
            score = sum(3 * (word in name) + (word in rest.casefold()) for word in words)
            if score > 0:
                ranked.append((score, server, tool))
    ranked.sort(key=lambda found: -found[0])
    most = max(1, min(int(limit), 20))
    return [to_doc(server, tool, detail) for _, server, tool in ranked[:most]]


#: Longest parts of a line.
_SIGNATURE_CHARS = 300
_DESCRIPTION_CHARS = 120

_DOC_KEYS = frozenset(("server", "serverAlias", "tool", "toolAlias", "signature"))
_TOOL_KEYS = frozenset(("name", "alias", "description", "input_schema"))


def lines_of(value: Any) -> list[str] | None:
    """A list of docs or of tools as a person would write it down, a line for each tool; else None.

    A list that was asked for with its schemas is left as it is: who asks for schemas wants to see them.
    """
    if not isinstance(value, list) or not value:
        return None
    try:
        return _lines(value)
    except Exception:  # noqa: BLE001 - a program can make a list that only looks like one
        return None


def _lines(value: list[Any]) -> list[str] | None:
    if _all_have(value, _DOC_KEYS) and not any("inputSchema" in doc for doc in value):
        return [*map(_doc_line, value), *_not_loaded(value)]
    if all(isinstance(item, Tool) for item in value) and _all_have(value, _TOOL_KEYS):
        return [_line(tool.signature, tool["description"]) for tool in value]
    return None


def _all_have(value: list[Any], keys: frozenset[str]) -> bool:
    return all(isinstance(item, dict) and keys <= item.keys() for item in value)


def _doc_line(doc: dict[str, Any]) -> str:
    return _line(f"mcp_{doc['serverAlias']}.{doc['signature']}", doc.get("description"))


def _line(signature: str, description: object) -> str:
    text = " ".join(str(description or "").split())
    sentence = re.split(r"(?<=[.!?]) (?=[A-Z`\"'(\[])", text, maxsplit=1)[0]
    shown = _short(sentence, _DESCRIPTION_CHARS)
    return _short(signature, _SIGNATURE_CHARS) + (f"  # {shown}" if shown else "")


def _not_loaded(docs: list[dict[str, Any]]) -> list[str]:
    names = dict.fromkeys(doc["server"] for doc in docs if doc.get("loaded") is False)
    listed = ", ".join(f'"{name}"' for name in names)
    return [f"To call these, add to `servers` of run_python: {listed}"] if names else []


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()} …"
