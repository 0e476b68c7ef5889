"""Docs and search over the tools of this run's servers; the host does both over all servers."""

from __future__ import annotations

import difflib
import re
from typing import Any

from ..rpc import MCPError
from .signatures import ToolSignature


def to_doc(server: dict[str, Any], tool: dict[str, Any], detail: str) -> dict[str, Any]:
    """The doc object of a tool."""
    doc = {
        "server": server["name"],
        "serverAlias": server["alias"],
        "tool": tool["name"],
        "toolAlias": tool["alias"],
        "signature": str(
            ToolSignature(tool["alias"], tool["input_schema"], tool.get("output_schema"))
        ),
    }
    if tool.get("description"):
        doc["description"] = tool["description"]
    if detail == "full":
        doc["inputSchema"] = tool["input_schema"]
        if tool.get("output_schema") is not None:
            doc["outputSchema"] = tool["output_schema"]
    return doc


def find_tool(server: dict[str, Any], name: str) -> dict[str, Any]:
    """The tool with this alias or raw name, whatever its case."""
    wanted = name.casefold()
    for tool in server["tools"]:
        if wanted in (tool["name"].casefold(), tool["alias"].casefold()):
            return tool
    close = difflib.get_close_matches(name, [tool["name"] for tool in server["tools"]], n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    raise MCPError(
        f"Server '{server['name']}' has no tool '{name}'{hint}", server=server["name"], tool=name
    )


def search(
    servers: list[dict[str, Any]], query: str, limit: int, detail: str
) -> list[dict[str, Any]]:
    """The tools in which most of the words stand, names first."""
    words = re.findall(r"\w+", query.casefold())
    ranked: list[tuple[float, dict[str, Any]]] = []
    for server in servers:
        for tool in server["tools"]:
            name = f"{tool['name']} {server['name']}".casefold()
            rest = f"{tool.get('description', '')} {' '.join(tool['input_schema'].get('properties') or {})}"
            score = sum(3 * (word in name) + (word in rest.casefold()) for word in words)
            if score > 0:
                ranked.append((score, to_doc(server, tool, detail)))
    ranked.sort(key=lambda pair: -pair[0])
    return [doc for _, doc in ranked[: max(1, min(int(limit), 20))]]
