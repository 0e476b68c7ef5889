"""What a tool call gives back: plain values, and ``Blob`` where the bytes must not become text."""

from __future__ import annotations

import base64
import json
from typing import Any

from ..awaits.awaited import also_awaitable


class Blob:
    """Bytes that a server sent: an image, a sound, a binary resource."""

    def __init__(self, mime_type: str, data: bytes, uri: str | None = None) -> None:
        self.mime_type = mime_type
        self.data = data
        self.uri = uri

    @also_awaitable
    def save(self, name: str) -> str:
        """Keep the bytes as a file of this run and give its path, as ``save_file`` does."""
        from ..files import artifacts  # It takes blobs itself.

        return artifacts.current().save_file(name, self.data)

    @also_awaitable
    def show(self) -> str:
        """Let the user see it, as ``show`` does."""
        from ..files import artifacts

        return artifacts.current().show(self)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"<Blob {self.mime_type}, {len(self.data):,} bytes>"


def unwrap(reply: dict[str, Any]) -> Any:
    """The value in a reply of the host to ``call_tool`` or ``read_resource``."""
    text = reply.get("text")
    if text is not None:
        return _read(text)
    content = reply.get("content")
    if content is None:
        return reply.get("result")
    items = [_item(item) for item in content]
    if not items:
        return None
    return items[0] if len(items) == 1 else items


def to_messages(reply: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages in a reply of the host to ``get_prompt``."""
    return [{"role": message["role"], "content": _item(message["content"])} for message in reply["messages"]]


def _read(text: str) -> Any:
    """The value that a text is the JSON of, or the text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _item(item: dict[str, Any]) -> Any:
    if item["type"] == "text":
        return item["text"]
    if item["type"] == "blob":
        return Blob(item["mime_type"], base64.b64decode(item["data"]), item.get("uri"))
    return item
