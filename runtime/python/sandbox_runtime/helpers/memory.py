"""What a program asks the host to remember: values by key, for every later session of the same user.

All functions return when the host has done it. Values go as JSON text, so that the host cannot change
them: an integer of any size comes back as it was.
"""

from __future__ import annotations

import inspect
import json
import os
import time
from typing import Any, Callable

from ..rpc import MCPError, RpcClient

#: How often an update starts again because another session was faster.
_MAX_TRIES = 1000

#: From then on it makes short pauses, of another length in each session. Not before: one that pauses
#: loses again to one that does not.
_PATIENT_TRIES = 100


def functions(rpc: RpcClient) -> dict[str, Callable[..., Any]]:
    """The functions by name."""
    memory = _Memory(rpc)
    return {
        function.__name__: function
        for function in (
            memory.save_memory,
            memory.load_memory,
            memory.delete_memory,
            memory.list_memories,
            memory.update_memory,
            memory.memory_exists,
            memory.get_memory_info,
        )
    }


class _Memory:
    def __init__(self, rpc: RpcClient) -> None:
        self._rpc = rpc

    def save_memory(
        self, key: str, value: Any, *, metadata: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Keep a value under a key, in place of what was there; gives what ``get_memory_info`` would."""
        fields = {"key": _key(key), "value": _dumps(value, "value")}
        if metadata is not None:
            if not isinstance(metadata, dict):
                raise TypeError(f"metadata must be a dict, not {type(metadata).__name__}")
            fields["metadata"] = _dumps(metadata, "metadata")
        return _info(self._rpc.ask("save_memory", **fields)["info"])

    def load_memory(self, key: str, *, default: Any = None) -> Any:
        """The value under a key, or the default."""
        record = self._rpc.ask("load_memory", key=_key(key))["record"]
        return default if record is None else json.loads(record["value"])

    def delete_memory(self, key: str) -> bool:
        """Forget a key; says whether it was there."""
        return bool(self._rpc.ask("delete_memory", key=_key(key))["deleted"])

    def list_memories(self) -> list[dict[str, Any]]:
        """What is kept, by key, without the values; one that is damaged has an ``error``."""
        return [_info(info) for info in self._rpc.ask("list_memories")["memories"]]

    def memory_exists(self, key: str) -> bool:
        """Whether there is a value under a key."""
        return self._rpc.ask("get_memory_info", key=_key(key))["info"] is not None

    def get_memory_info(self, key: str) -> dict[str, Any] | None:
        """Size in bytes, times and metadata of a key, or None."""
        info = self._rpc.ask("get_memory_info", key=_key(key))["info"]
        return None if info is None else _info(info)

    def update_memory(
        self, key: str, updater: Callable[[Any], Any], *, default: Any = None
    ) -> Any:
        """Replace a value by what ``updater`` makes of it, and give that.

        No update of another session is lost: when one came between, ``updater`` is called again with the
        new value. Metadata stays. A key that is not there yet starts with ``default``.
        """
        if not callable(updater):
            raise TypeError(
                f"updater must be a function of the old value, not {type(updater).__name__}"
            )
        start = _dumps(default, "default")
        record = self._rpc.ask("load_memory", key=_key(key))["record"]
        for attempt in range(_MAX_TRIES):
            old = start if record is None else record["value"]
            text = _dumps(_updated(key, updater, json.loads(old), record is None), "the new value")
            version = None if record is None else record["version"]
            reply = self._rpc.ask("update_memory", key=key, value=text, version=version)
            if reply["saved"]:
                return json.loads(text)
            record = reply["record"]
            if attempt >= _PATIENT_TRIES:
                time.sleep(os.urandom(1)[0] / 255 * 0.005)
        raise MCPError(
            f"Cannot update the memory {json.dumps(key)}: others changed it {_MAX_TRIES:,} times meanwhile; "
            "try again, with an updater that does less"
        )


def _dumps(value: Any, name: str) -> str:
    # Here and not above: a sandbox starts faster without what most programs never need.
    from ..wire.jsonable import dumps

    return dumps(value, name)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    raise TypeError(f"key must be a string, not {type(key).__name__}")


def _info(info: dict[str, Any]) -> dict[str, Any]:
    """What the host says of a key, in the program's words."""
    if "error" in info:
        return {"key": info["key"], "error": info["error"]}
    metadata = info.get("metadata")
    return {
        "key": info["key"],
        "size": info["bytes"],
        "created_at": info["created"],
        "updated_at": info["updated"],
        "metadata": {} if metadata is None else json.loads(metadata),
    }


def _updated(key: str, updater: Callable[[Any], Any], old: Any, is_new: bool) -> Any:
    try:
        new = updater(old)
    except Exception as error:
        if is_new and old is None:
            error.add_note(
                f"There was no memory {json.dumps(key)}, so updater got None: pass default=… to update_memory"
            )
        raise
    if inspect.iscoroutine(new):
        new.close()
        raise TypeError("updater must be a plain function: it returned a coroutine")
    if new is None and isinstance(old, (dict, list)):
        raise TypeError(
            "updater returned None, but must return the new value; a change in place is not enough"
        )
    return new

