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
        self._waiting: dict[str, tuple[asyncio.Future[dict[str, Any]], dict[str, Any]]] = {}

    def send(self, kind: str, **fields: Any) -> asyncio.Future[dict[str, Any]]:
        """Send a request now; the future gives the reply's payload or raises ``MCPError``."""
        request_id = f"q{next(self._ids)}"
        try:
            self._send(wire.rpc_request(request_id, {"type": kind, **fields}))
        except wire.WireError as error:
            raise _failure(str(error), fields) from None
        except TypeError as error:
            raise TypeError(f"Cannot send {_label(kind, fields)}: {error}") from None
        future: asyncio.Future[dict[str, Any]] = asyncio.get_event_loop().create_future()
        self._waiting[request_id] = (future, fields)
        future.add_done_callback(lambda _: self._waiting.pop(request_id, None))
        return future

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Ask the host and wait for the reply's payload."""
        return await self.send(kind, **fields)

    def receive(self, message: wire.RpcResponse) -> None:
        """Take a reply; one that nobody waits for any more is dropped."""
        future, fields = self._waiting.get(message["id"], (None, {}))
        if future is None or future.done():
            return
        payload = message["payload"]
        if payload.get("success") is True:
            future.set_result(payload)
        else:
            reason = str(payload.get("error", "The host gave no reason"))
            future.set_exception(_failure(reason, fields, payload.get("result")))


def _failure(reason: str, fields: dict[str, Any], result: Any = None) -> MCPError:
    return MCPError(
        reason, server=fields.get("server"), tool=fields.get("tool"), result=result
    )


def _label(kind: str, fields: dict[str, Any]) -> str:
    if kind == "call_tool":
        return f"the arguments of {fields.get('server')}.{fields.get('tool')}"
    return f"the request {kind}"
