"""Questions to the host: requests with ids, replies in any order."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any, Callable

from . import wire


class MCPError(RuntimeError):
    """A request that the host, or the server behind it, refused."""

    __module__ = "mcp.runtime"

    def __init__(
        self,
        message: str,
        *,
        server: str | None = None,
        tool: str | None = None,
        result: Any = None,
    ) -> None:
        super().__init__(message)
        self.server = server
        self.tool = tool
        self.result = result


class RpcClient:
    """Sends requests and matches replies to them."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self._send = send
        self._ids = itertools.count(1)
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Ask the host; gives the reply's payload or raises ``MCPError``."""
        request_id = f"q{next(self._ids)}"
        future: asyncio.Future[dict[str, Any]] = (
            asyncio.get_running_loop().create_future()
        )
        self._waiting[request_id] = future
        try:
            self._send(wire.rpc_request(request_id, {"type": kind, **fields}))
            payload = await future
        except wire.WireError as error:
            raise _failure(str(error), fields) from None
        finally:
            self._waiting.pop(request_id, None)
        if payload.get("success") is not True:
            raise _failure(str(payload.get("error", "The host gave no reason")), fields)
        return payload

    def receive(self, message: wire.RpcResponse) -> None:
        """Take a reply; one that nobody waits for any more is dropped."""
        future = self._waiting.get(message["id"])
        if future is not None and not future.done():
            future.set_result(message["payload"])


def _failure(reason: str, fields: dict[str, Any]) -> MCPError:
    return MCPError(reason, server=fields.get("server"), tool=fields.get("tool"))
