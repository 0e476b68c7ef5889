"""What earlier runs of the session printed, read from the host in pieces."""

from __future__ import annotations

import base64
import codecs

from ..rpc import RpcClient


def read_output(rpc: RpcClient, run: int, stream: str, offset: int, length: int | None) -> str:
    """Characters from ``offset`` on, all of them or ``length``."""
    if isinstance(run, bool) or not isinstance(run, int) or run >= 0:
        raise ValueError(f"Cannot read the output of run {run!r}: -1 is the run before this one, -2 the one before that")
    if offset < 0 or (length is not None and length < 0):
        raise ValueError("offset and length count characters and cannot be negative")
    # A character may lie in two pieces.
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    parts: list[str] = []
    position = seen = 0
    while length is None or seen < offset + length:
        reply = rpc.ask("read_output", run=run, stream=stream, offset=position)
        data = base64.b64decode(reply["data"])
        position += len(data)
        is_last = not data or position >= reply["size"]
        text = decoder.decode(data, is_last)
        parts.append(text[max(0, offset - seen) :])
        seen += len(text)
        if is_last:
            break
    return "".join(parts)[:length]
