"""The servers that the host has told of. Each is told once, and again when its tools are others."""

from __future__ import annotations

import functools
import json
import keyword
import marshal
from typing import Any

from .signatures import ToolSignature

#: With a longer variable, its name and end included, Linux starts no child process.
MAX_VARIABLE_BYTES = 128 * 1024

#: Marshalled, JSON is at most so many times as long.
_MARSHALLED = 4


class Tool(dict[str, Any]):
    """What a program sees of a tool. An echo shows it with its signature."""

    __slots__ = ("signature",)


def to_tool(told: dict[str, Any]) -> Tool:
    """A tool as the host tells of it, as a program sees it."""
    tool = Tool(told)
    tool.signature = tool.pop("signature")
    return tool


def to_tools(reply: dict[str, Any]) -> list[dict[str, Any]]:
    """The tools in a reply of the host to ``list_tools``."""
    return [to_tool(told) for told in reply["tools"]]


class LoadedTool:
    """A tool that can be called.

    What was told of it is kept as bytes: a program cannot change it, and no collection of garbage looks it through.
    """

    __slots__ = ("name", "alias", "signature", "_call", "_told")

    def __init__(self, told: dict[str, Any]) -> None:
        self.name: str = told["name"]
        self.alias: str = told["alias"]
        self.signature: str = told["signature"]
        self._call = marshal.dumps(told.pop("call"))
        self._told = marshal.dumps(told)

    def metadata(self) -> Tool:
        """What a program sees of it."""
        return to_tool(marshal.loads(self._told))

    def signed(self) -> ToolSignature:
        """How it is called."""
        return ToolSignature(self.alias, self.signature, marshal.loads(self._call))

    def argument_names(self) -> list[str]:
        """What the server calls its arguments."""
        return [one["name"] for one in marshal.loads(self._call)["parameters"]]

    @property
    def bytes(self) -> int:
        """About how much there is to say of it."""
        return len(self._told)


class LoadedServer:
    """A server of a run."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.name: str = told["name"]
        self.alias: str = told["alias"]
        self.error: str | None = told.get("error")
        self.revision: int | None = told.pop("revision", None)
        self.tools = [LoadedTool(tool) for tool in told["tools"]]
        #: By the names that code can write; an exact raw name wins over an alias of another tool.
        self.by_attribute = {
            **{tool.alias: tool for tool in self.tools},
            **{tool.name: tool for tool in self.tools if _can_be_written(tool.name)},
        }
        self.by_name = {tool.name: tool for tool in self.tools}
        self._told = {**told, "tools": None}
        self._metadata: dict[str, Any] | None = None

    def is_still(self, told: dict[str, Any]) -> bool:
        """Whether this is what the host means."""
        return self.revision is not None and (self.revision, self.alias) == (told.get("revision"), told["alias"])

    def begin(self) -> None:
        """Show the next run what was told, whatever an earlier one did to it."""
        self._metadata = None

    @property
    def metadata(self) -> dict[str, Any]:
        """What a program sees of it: one object in each run."""
        if self._metadata is None:
            self._metadata = {**self._told, "tools": [tool.metadata() for tool in self.tools]}
        return self._metadata

    @functools.cached_property
    def variable(self) -> str | None:
        """The metadata as text, unless that is certain to be too long for a variable of the environment."""
        if sum(tool.bytes for tool in self.tools) > _MARSHALLED * MAX_VARIABLE_BYTES:
            return None
        return json.dumps({**self._told, "tools": [tool.metadata() for tool in self.tools]})


class Catalog:
    """All that the host has told."""

    def __init__(self) -> None:
        self._known: dict[str, LoadedServer] = {}
        #: Every server the host has found: name → description.
        self.discovered: dict[str, str] = {}

    def begin(self, servers: list[dict[str, Any]], discovered: dict[str, str] | None) -> list[LoadedServer]:
        """Take what the host says of the run that starts now, and give its servers."""
        if discovered is not None:
            self.discovered = discovered
        return [self._take(told) for told in servers]

    def _take(self, told: dict[str, Any]) -> LoadedServer:
        known = self._known.get(told["name"])
        if known is None or not known.is_still(told):
            known = self._known[told["name"]] = LoadedServer(told)
        known.begin()
        return known


def _can_be_written(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)
