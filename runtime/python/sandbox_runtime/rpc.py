"""Questions to the host: requests with ids, replies in any order."""

from __future__ import annotations

import asyncio
import concurrent.futures
import itertools
import threading
from typing import Any, Callable, Union

from .loop.waiting import Waiting
from .wire import messages

#: Makes a result out of the payload of a reply.
Convert = Callable[[dict[str, Any]], Any]

#: Of the event loop, or of a thread beside it.
AnyFuture = Union["asyncio.Future[Any]", "concurrent.futures.Future[Any]"]


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

    def __init__(
        self, send: Callable[[dict[str, Any]], None], waiting: Waiting | None = None
    ) -> None:
        self._send = send
        self._ids = itertools.count(1)
        #: What was asked and who waits for the reply.
        self._waiting: dict[str, tuple[AnyFuture, dict[str, Any], Convert]] = {}
        #: How to wait on the spot; absent where replies only come through the event loop.
        self.waiting = waiting
        #: Calls of this run that failed.
        self.failed: list[Any] = []
        self._of_earlier_runs: frozenset[str] = frozenset()

    def send(self, future: AnyFuture, convert: Convert, payload: dict[str, Any]) -> str:
        """Send a request now and give its id.

        The future gets what ``convert`` makes of the payload of the reply, or an ``MCPError``. It is the caller's
        own, since each future on the way costs a turn of the event loop.
        """
        request_id = f"q{next(self._ids)}"
        # Before it is sent: from a thread, the reply may be faster than the next line here.
        self._waiting[request_id] = (future, payload, convert)
        try:
            self._send(messages.rpc_request(request_id, payload))
        except (messages.NoJsonError, TypeError) as error:
            self.forget(request_id)
            raise _no_json(payload, error) from None
        except messages.WireError as error:
            self.forget(request_id)
            raise _failure(str(error), payload) from None
        except BaseException:
            self.forget(request_id)
            raise
        return request_id

    def leave_behind(self) -> None:
        """A run ends or starts: what was asked for so far is no longer anybody's, and may never be answered."""
        self._of_earlier_runs = frozenset(self._waiting)
        for call in self.failed:
            call.silence()
        self.failed = []

    def note_failure(self, call: Any, request_id: str) -> None:
        """Remember a call that failed, until somebody looks at it or its run is over."""
        if request_id in self._of_earlier_runs:
            call.silence()
        else:
            self.failed.append(call)

    def futures(self) -> list[AnyFuture]:
        """What waits for a reply in this run."""
        earlier = self._of_earlier_runs
        return [future for key, (future, _, _) in self._waiting.items() if key not in earlier]

    def forget(self, request_id: str) -> None:
        """Wait no longer for a reply."""
        self._waiting.pop(request_id, None)

    def send_from_thread(self, convert: Convert, payload: dict[str, Any]) -> concurrent.futures.Future[Any]:
        """Send a request from a thread of the program's own."""
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        self.send(future, convert, payload)
        return future

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Ask the host and give the reply's payload: returns when it is there, in any thread."""
        future: Any
        is_main = threading.current_thread() is threading.main_thread()
        future = asyncio.Future(loop=asyncio.get_event_loop()) if is_main else concurrent.futures.Future()
        request_id = self.send(future, _whole, {"type": kind, **fields})
        try:
            if is_main and self.waiting is not None:
                self.waiting.wait(future)
            return future.result()
        finally:
            self.forget(request_id)

    def receive(self, message: messages.RpcResponse) -> None:
        """Take a reply; one that nobody waits for any more is dropped."""
        waiting = self._waiting.pop(message["id"], None)
        if waiting is None or waiting[0].done():
            return
        future, request, convert = waiting
        reply = message["payload"]
        if reply.get("success") is not True:
            reason = str(reply.get("error", "The host gave no reason"))
            future.set_exception(_failure(reason, request, reply.get("result")))
            return
        try:
            value = convert(reply)
        except Exception as error:  # noqa: BLE001 - whatever a server sent is the caller's to handle
            future.set_exception(error)
        else:
            future.set_result(value)

    def receive_in_thread(self, message: messages.RpcResponse) -> bool:
        """Take a reply that another thread than the main one waits for; false if it is none."""
        waiting = self._waiting.get(message["id"])
        if waiting is None or not isinstance(waiting[0], concurrent.futures.Future):
            return False
        self.receive(message)
        return True


def _whole(payload: dict[str, Any]) -> dict[str, Any]:
    return payload


def _failure(reason: str, request: dict[str, Any], result: Any = None) -> MCPError:
    return MCPError(
        reason, server=request.get("server"), tool=request.get("tool"), result=result
    )


def _no_json(request: dict[str, Any], error: Exception) -> Exception:
    """The error with the place in the arguments that it is about."""
    from .wire.jsonable import refusal  # Most programs need nothing of it.

    reason = refusal(request.get("arguments"), "arguments") or str(error)
    message = f"Cannot send {_label(request)}: {reason}"
    return TypeError(message) if isinstance(error, TypeError) else _failure(message, request)


def _label(request: dict[str, Any]) -> str:
    if request["type"] == "call_tool":
        return f"the arguments of {request.get('server')}.{request.get('tool')}"
    return f"the request {request['type']}"
