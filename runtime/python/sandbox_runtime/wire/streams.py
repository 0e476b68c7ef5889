"""Messages to the host, with the output of the user's code gathered into few of them.

Text goes out when enough of it has come together, enough time has passed or another message goes out, never
with each write. Text written while no run is going on (by a task left behind) waits for the next run.
"""

from __future__ import annotations

import codecs
import io
import os
import threading
import time
from typing import Any, Callable, Iterator

from . import messages

#: Text that makes a message of its own, in characters.
_BATCH_CHARS = 64 * 1024
#: Longest text in one message, in characters; a character is at most 12 bytes on the wire.
_MESSAGE_CHARS = 128 * 1024
#: Longest time text waits while more of it is written.
_INTERVAL_SECONDS = 0.05
#: Text kept for the next run when none is going on, in characters.
_IDLE_CHARS = 64 * 1024

_FDS = {"stdout": 1, "stderr": 2}


class Outbox:
    """Sends messages; buffers both streams and sends them."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._lock = threading.RLock()
        self._parts: dict[str, list[str]] = {name: [] for name in _FDS}
        self._chars = 0
        self._flushed_at = 0.0
        self._run_id: str | None = None
        #: After a fork: lines go to the file descriptors, which both processes share.
        self.is_child = False

    def begin(self, run_id: str) -> None:
        """What is written from now on belongs to this run."""
        with self._lock:
            self._run_id = run_id
            # A short run sends its output together with its end.
            self._flushed_at = time.monotonic()

    def end(self, message: dict[str, Any]) -> None:
        """Send the rest and the last message of the run; what is written from now on waits for the next one."""
        with self._lock:
            self.send(message)
            self._run_id = None

    def send(self, message: dict[str, Any]) -> None:
        """Send a message, in one go with the text that was written before it."""
        # First: a message that cannot be sent must not take the text with it.
        line = messages.encode(message)
        if self.is_child:
            self._write_out()
        if self._chars == 0:
            return self._send(line)
        with self._lock:
            self._send(b"".join([*map(messages.encode, self._take()), line]))

    def become_child(self) -> None:
        """Write to the file descriptors from now on: after a fork what waits is the parent's to send."""
        self._lock = threading.RLock()
        self._run_id = None
        self._parts = {name: [] for name in _FDS}
        self._chars = 0
        self.is_child = True

    def write(self, name: str, text: str) -> None:
        """Add text to a stream."""
        if not text:
            return
        with self._lock:
            if self.is_child:
                return self._write_line(name, text)
            if self._run_id is None and self._chars + len(text) > _IDLE_CHARS:
                return
            self._parts[name].append(text)
            self._chars += len(text)
            # `print` writes a line in two pieces: at its end both go together.
            if self._chars >= _BATCH_CHARS or text.endswith("\n"):
                self.flush_if_due()

    def _write_line(self, name: str, text: str) -> None:
        # Whole lines, since the other process writes lines, too.
        self._parts[name].append(text)
        self._chars += len(text)
        if text.endswith("\n") or self._chars >= _BATCH_CHARS:
            self._write_out()

    def _write_out(self) -> None:
        for name, fd in _FDS.items():
            parts, self._parts[name] = self._parts[name], []
            _write_all(fd, "".join(parts).encode("utf-8", "backslashreplace"))
        self._chars = 0

    def flush_if_due(self) -> None:
        """Send what has waited long enough."""
        with self._lock:
            if self._chars == 0 or self._run_id is None:
                return
            if (
                self._chars >= _BATCH_CHARS
                or time.monotonic() - self._flushed_at >= _INTERVAL_SECONDS
            ):
                self.flush()

    def flush(self) -> None:
        """Send all text now."""
        if self._chars == 0:
            return
        with self._lock:
            if self.is_child:
                return self._write_out()
            for message in self._take():
                self._send(messages.encode(message))

    def _take(self) -> Iterator[dict[str, Any]]:
        """Messages of all that waits, as far as there is a run it belongs to."""
        if self._run_id is None:
            return
        self._flushed_at = time.monotonic()
        self._chars = 0
        for name in _FDS:
            # Exchanged, not cleared: a finalizer or a signal handler may print in between.
            parts, self._parts[name] = self._parts[name], []
            text = "".join(parts)
            for start in range(0, len(text), _MESSAGE_CHARS):
                piece = text[start : start + _MESSAGE_CHARS]
                yield messages.output(name, self._run_id, _printable(piece))


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def _printable(text: str) -> str:
    """Lone surrogates as Python's ``backslashreplace`` shows them."""
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()


class _Bytes(io.RawIOBase):
    """The ``buffer`` of a text stream: bytes become text of the same stream, in order."""

    def __init__(self, stream: OutputStream) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        data = bytes(data)
        self._stream.write(self._decoder.decode(data))
        return len(data)


class OutputStream(io.TextIOBase):
    """What ``sys.stdout`` and ``sys.stderr`` are inside the sandbox."""

    def __init__(
        self, name: str, fd: int, outbox: Outbox, checkpoint: Callable[[], None]
    ) -> None:
        self._name = name
        self._fd = fd
        self._outbox = outbox
        self._checkpoint = checkpoint
        self.buffer = _Bytes(self)

    @property
    def name(self) -> str:
        return f"<{self._name}>"

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        return "backslashreplace"

    def fileno(self) -> int:
        return self._fd

    def writable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> str:
        """Nothing can be read; in the words of Python's own stream."""
        raise io.UnsupportedOperation("not readable")

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """As ``read``."""
        return self.read(size)

    def reconfigure(self, **_options: Any) -> None:
        """Accepted for the sake of programs that set an encoding; it is UTF-8 already."""

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._outbox.write(self._name, text)
        self._checkpoint()
        return len(text)

    def flush(self) -> None:
        """Text leaves by itself, and a program that flushes each line must not be slow."""
        if self._outbox.is_child:
            self._outbox.flush()

    def close(self) -> None:
        """A program may close its stream; output of later runs must still arrive."""
