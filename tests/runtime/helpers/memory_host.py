"""A host in memory for what asks with ``rpc.ask``: memories and saved tools, and who came between."""

from __future__ import annotations

import itertools
from typing import Any, Callable

import support  # noqa: F401 - puts the runtime on the path


class MemoryHost:
    """Stands in for an ``RpcClient``."""

    def __init__(self) -> None:
        self.records: dict[str, dict[str, Any]] = {}
        self.tools: dict[str, dict[str, Any]] = {}
        self.asked: list[str] = []
        #: Called before each update is looked at.
        self.before_update: Callable[[], None] = lambda: None
        self._versions = itertools.count(1)

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        self.asked.append(kind)
        return {"success": True, **getattr(self, f"_{kind}")(**fields)}

    def _put(self, key: str, value: str, metadata: str | None) -> dict[str, Any]:
        record = {"value": value, "version": f"v{next(self._versions)}", "metadata": metadata}
        self.records[key] = record
        return record

    def _info(self, key: str) -> dict[str, Any] | None:
        record = self.records.get(key)
        if record is None:
            return None
        info = {"key": key, "bytes": len(record["value"].encode()), "created": "c", "updated": "u"}
        return info if record["metadata"] is None else {**info, "metadata": record["metadata"]}

    def _version(self, key: str) -> dict[str, Any] | None:
        record = self.records.get(key)
        return record and {"value": record["value"], "version": record["version"]}

    def _save_memory(self, key: str, value: str, metadata: str | None = None) -> dict[str, Any]:
        self._put(key, value, metadata)
        return {"info": self._info(key)}

    def _load_memory(self, key: str) -> dict[str, Any]:
        return {"record": self._version(key)}

    def _update_memory(self, key: str, value: str, version: str | None) -> dict[str, Any]:
        self.before_update()
        record = self.records.get(key)
        if (record and record["version"]) != version:
            return {"saved": False, "record": self._version(key)}
        self._put(key, value, record and record["metadata"])
        return {"saved": True}

    def _delete_memory(self, key: str) -> dict[str, Any]:
        return {"deleted": self.records.pop(key, None) is not None}

    def _list_memories(self) -> dict[str, Any]:
        return {"memories": [self._info(key) for key in sorted(self.records)]}

    def _get_memory_info(self, key: str) -> dict[str, Any]:
        return {"info": self._info(key)}

    def _save_tool(self, name: str, **tool: str) -> dict[str, Any]:
        self.tools[name] = {"name": name, **tool}
        return {}

    def _list_saved_tools(self) -> dict[str, Any]:
        return {"tools": [self.tools[name] for name in sorted(self.tools)]}

    def _delete_saved_tool(self, name: str) -> dict[str, Any]:
        return {"deleted": self.tools.pop(name, None) is not None}
