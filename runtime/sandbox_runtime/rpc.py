"""Questions to the host: requests with ids, replies in any order."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any, Callable

from . import wire

#: Makes a result out of the payload of a reply.
Convert = Callable[[dict[str, Any]], Any]


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
        self._waiting: dict[str, tuple[asyncio.Future[Any], dict[str, Any], Convert]] = {}

    def send(
        self, future: asyncio.Future[Any], convert: Convert, kind: str, **fields: Any
    ) -> str:
        """Send a request now and give its id.

        The future gets what ``convert`` makes of the reply's payload, or an ``MCPError``. It is the caller's
        own, since each future on the way costs a turn of the event loop.
        """
        request_id = f"q{next(self._ids)}"
        try:
            self._send(wire.rpc_request(request_id, {"type": kind, **fields}))
        except wire.WireError as error:
            raise _failure(str(error), fields) from None
        except TypeError as error:
            raise TypeError(f"Cannot send {_label(kind, fields)}: {error}") from None
        self._waiting[request_id] = (future, fields, convert)
        return request_id

    def forget(self, request_id: str) -> None:
        """Wait no longer for a reply."""
        self._waiting.pop(request_id, None)

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Ask the host and wait for the reply's payload."""
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        request_id = self.send(future, lambda payload: payload, kind, **fields)
        try:
            return await future
        finally:
            self.forget(request_id)

    def receive(self, message: wire.RpcResponse) -> None:
        """Take a reply; one that nobody waits for any more is dropped."""
        waiting = self._waiting.pop(message["id"], None)
        if waiting is None or waiting[0].done():
            return
        future, fields, convert = waiting
        payload = message["payload"]
        if payload.get("success") is not True:
            reason = str(payload.get("error", "The host gave no reason"))
            future.set_exception(_failure(reason, fields, payload.get("result")))
            return
        try:
            value = convert(payload)
        except Exception as error:  # noqa: BLE001 - whatever a server sent is the caller's to handle
            future.set_exception(error)
        else:
            future.set_result(value)


def _failure(reason: str, fields: dict[str, Any], result: Any = None) -> MCPError:
    return MCPError(
        reason, server=fields.get("server"), tool=fields.get("tool"), result=result
    )


def _label(kind: str, fields: dict[str, Any]) -> str:
    if kind == "call_tool":
        return f"the arguments of {fields.get('server')}.{fields.get('tool')}"
    return f"the request {kind}"
