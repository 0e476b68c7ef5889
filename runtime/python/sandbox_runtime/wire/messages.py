"""Messages between host and sandbox: one JSON object per line, UTF-8.

The counterpart of ``src/wire/messages.ts``; ``tests/fixtures/wire.json`` is checked by both.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NotRequired, TypedDict, Union

PROTOCOL = 1
MAX_LINE_BYTES = 64 * 1024 * 1024


class Execute(TypedDict):
    """Run code; ``servers`` are the ones this run may use.

    Tools that were told under the same ``revision`` are left out, ``discovered`` if it is that of the run before.
    The first run of a sandbox also gets the functions that earlier sessions saved, if there are any.
    """

    type: Literal["execute"]
    id: str
    code: str
    servers: list[dict[str, Any]]
    discovered: NotRequired[dict[str, str]]
    saved_tools: NotRequired[list[dict[str, Any]]]


class RpcResponse(TypedDict):
    """Answer to an ``rpc_request`` with the same id."""

    type: Literal["rpc_response"]
    id: str
    payload: dict[str, Any]


class Interrupt(TypedDict):
    """Stop the run with this id, and no other."""

    type: Literal["interrupt"]
    id: str


class Ping(TypedDict):
    """Asks for a ``pong``."""

    type: Literal["ping"]


class Shutdown(TypedDict):
    """Asks the interpreter to end."""

    type: Literal["shutdown"]


HostMessage = Union[Execute, RpcResponse, Interrupt, Ping, Shutdown]

_FIELDS: dict[str, tuple[tuple[str, Any], ...]] = {
    "execute": (("id", str), ("code", str), ("servers", list), ("discovered", dict | None)),
    "rpc_response": (("id", str), ("payload", dict)),
    "interrupt": (("id", str),),
    "ping": (),
    "shutdown": (),
}


class WireError(ValueError):
    """A message that cannot be sent, or one that does not fit the protocol."""


class NoJsonError(WireError):
    """A message with a value that JSON does not have."""


#: Without the look for white space around it and the detection of its encoding that ``json.loads`` adds.
_decode = json.JSONDecoder().raw_decode


#: How a reply begins, whatever is in it.
_RPC_RESPONSE = re.compile(r'\{"type":"rpc_response","id":("(?:[^"\\]|\\.)*"),"payload":\{')


def parse(line: bytes | bytearray) -> HostMessage:
    """Read one line of the host."""
    text = ""
    try:
        text = line.decode()
        message, end = _decode(text)
    except (ValueError, RecursionError) as error:
        reply = _RPC_RESPONSE.match(text)
        if reply is None:
            raise WireError(f"Not JSON: {error}") from error
        # The result in it is the text of a server, and may be more than this Python can read.
        reason = f"Its result cannot be read: {error}"
        return RpcResponse(
            type="rpc_response", id=json.loads(reply[1]), payload={"success": False, "error": reason}
        )
    if end != len(text) and not text[end:].isspace():
        raise WireError(f"Not JSON: more than one value, the second at {end}")
    if not isinstance(message, dict):
        raise WireError(f"Expected an object, got {type(message).__name__}")
    kind = message.get("type")
    fields = _FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None:
        raise WireError(f"Unknown message type: {kind!r}")
    for name, expected in fields:
        if not isinstance(message.get(name), expected):
            raise WireError(f"Expected {kind}.{name} to be {getattr(expected, '__name__', expected)}")
    return message  # type: ignore[return-value]


def encode(message: dict[str, Any]) -> bytes:
    """One message as a line, newline included.

    Raises ``WireError`` if it is longer than a line may be, ``NoJsonError`` for NaN and the like, and
    ``TypeError`` if a value has no JSON form.
    """
    _refuse_long_text(message)
    try:
        text = _to_json(message)
    except ValueError as error:
        # NaN and the infinities are not JSON; a cycle has no end.
        raise NoJsonError(f"Cannot be sent as JSON: {error}") from None
    _check(len(text))
    # In place, where `line + b"\n"` would copy the whole line once more.
    text += "\n"
    try:
        line = text.encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8 form; JSON's own escape carries it.
        line = (_ESCAPED.encode(message) + "\n").encode()
    _check(len(line) - 1)
    return line


def _check(length: int) -> None:
    if length > MAX_LINE_BYTES:
        raise WireError(
            f"A message of {length / 1e6:,.0f} MB is over the limit of 64 MiB: send less at once"
        )


def _refuse_long_text(message: dict[str, Any]) -> None:
    """An argument that alone is too long is refused before memory is spent on copies of it."""
    payload = message.get("payload")
    arguments = payload.get("arguments") if payload is not None else None
    if isinstance(arguments, dict):
        for value in arguments.values():
            if isinstance(value, str):
                _check(len(value))


def _stand_in(value: Any) -> Any:
    from .jsonable import stand_in  # Most messages need nothing of it.

    return stand_in(value)


# Made once: `json.dumps` makes one for each message.
_PLAIN, _ESCAPED = (
    json.JSONEncoder(
        ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":"), default=_stand_in
    )
    for ascii_only in (False, True)
)


def _to_json(message: dict[str, Any]) -> str:
    """What ``_PLAIN.encode`` gives, without what it does anew for each message."""
    encoder = _make_encoder({}, _PLAIN.default, _encode_text, None, ":", ",", False, False, False)
    return "".join(encoder(message, 0))


_make_encoder = json.encoder.c_make_encoder  # type: ignore[attr-defined]
_encode_text = json.encoder.encode_basestring  # type: ignore[attr-defined]


def ready(python: str, engine: str) -> dict[str, Any]:
    """The first message of a sandbox."""
    return {"type": "ready", "protocol": PROTOCOL, "python": python, "engine": engine}


def output(stream: str, run_id: str, data: str) -> dict[str, Any]:
    """Text that a run wrote to ``stdout`` or ``stderr``."""
    return {"type": stream, "id": run_id, "data": data}


def rpc_request(request_id: str, payload: dict[str, Any]) -> dict[str, Any]:
    """A question to the host."""
    return {"type": "rpc_request", "id": request_id, "payload": payload}


def execution_done(
    run_id: str,
    status: str,
    error: str | None = None,
    exit_code: int | None = None,
    place: str | None = None,
) -> dict[str, Any]:
    """The last message of a run."""
    message: dict[str, Any] = {"type": "execution_done", "id": run_id, "status": status}
    if error is not None:
        message["error"] = error
    if exit_code is not None:
        message["exit_code"] = exit_code
    if place is not None:
        message["place"] = place
    return message


def pong() -> dict[str, Any]:
    """Answer to a ``ping``."""
    return {"type": "pong"}
