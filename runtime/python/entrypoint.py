"""Entry of a sandbox that is a process: ``python3 -u entrypoint.py``.

Puts the protocol's file descriptors aside before any user code runs, so that a stray write to fd 1 cannot
tear a message. The main thread owns the event loop; a reader thread takes the host's lines, so an
interrupt is seen while code runs. Ends when stdin does.
"""

from __future__ import annotations

import codecs
import collections
import ctypes
import io
import json
import os
import select
import signal
import sys
import threading
import time
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from sandbox_runtime.kernel import Kernel  # noqa: E402
from sandbox_runtime.loop.inbox import Inbox, ProcessLoop, ProcessProgramLoop  # noqa: E402
from sandbox_runtime.loop.loops import is_quiet, share  # noqa: E402
from sandbox_runtime.supervisor import supervise  # noqa: E402
from sandbox_runtime.wire import messages  # noqa: E402
from sandbox_runtime.wire.streams import Outbox  # noqa: E402

_FLUSH_SECONDS = 0.1
_PIPE_CHUNK = 64 * 1024
#: Chunks that hold all a pipe can hold, also where pages are large.
_PIPE_CHUNKS = 16


class _Capture:
    """What is written to a file descriptor by C code or child processes, as text of its stream."""

    def __init__(self, name: str, fd: int) -> None:
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
        self._lock = threading.Lock()
        # The write end stays open: a program that closes its descriptor must not end the pipe.
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.dup2(self._writer, fd)

    def pump(self, outbox: Outbox) -> None:
        """Take what comes, for ever."""
        while True:
            select.select([self._reader], [], [])
            self.drain(outbox)

    def drain(self, outbox: Outbox) -> None:
        """Take what is there now, and not all that a child may go on writing."""
        with self._lock:
            for _ in range(_PIPE_CHUNKS):
                try:
                    data = os.read(self._reader, _PIPE_CHUNK)
                except BlockingIOError:
                    return
                outbox.write(self._name, self._decoder.decode(data))


class _Writer:
    """Lines to the host, each in one piece, from any thread."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lock = threading.RLock()
        self._waiting: collections.deque[memoryview] = collections.deque()
        self._writing = False
        self._is_child = False

    def send(self, lines: bytes) -> None:
        """Write lines, or leave them to the write they interrupt."""
        if self._is_child:
            return _end_child(lines)
        with self._lock:
            self._waiting.append(memoryview(lines))
            # A finalizer or a signal handler may print while this thread is below, in `os.write`.
            if self._writing:
                return
            self._writing = True
            try:
                while self._waiting:
                    while self._waiting[0]:
                        written = os.write(self._fd, self._waiting[0])
                        self._waiting[0] = self._waiting[0][written:]
                    self._waiting.popleft()
            finally:
                self._writing = False

    def become_child(self) -> None:
        """Leave the protocol to the parent, after a fork."""
        os.close(self._fd)
        self._is_child = True


def _end_child(lines: bytes) -> None:
    """The end of its run ends a forked process; there is nothing else that it can tell the host."""
    message = json.loads(lines)
    if message["type"] == "execution_done":
        os._exit(message.get("exit_code", int(message["status"] != "ok")))
    raise messages.WireError("A forked process cannot ask the host: do it in the first one")


def _flush_c_streams() -> None:
    try:
        ctypes.CDLL(None).fflush(None)
    except (OSError, AttributeError):
        pass  # No C library to ask: what C code has buffered stays there until it flushes.


def _read_host(source: io.BufferedReader, kernel: Kernel, inbox: Inbox) -> None:
    try:
        for line in source:
            if not line.strip():
                continue
            message = messages.parse(line)
            if message["type"] == "shutdown":
                break
            if message["type"] != "rpc_response" or not kernel.rpc.receive_in_thread(message):
                inbox.put(message)
            if message["type"] == "interrupt" and message["id"] == kernel.run_id:
                _signal_main_thread()
    finally:
        os._exit(0)


def _signal_main_thread() -> None:
    # Unlike `interrupt_main` this wakes a sleep.
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def _flush_regularly(kernel: Kernel) -> None:
    while True:
        time.sleep(_FLUSH_SECONDS)
        kernel.outbox.flush_if_due()
        if kernel.gate.unanswered:
            _signal_main_thread()


def main() -> None:
    """Serve the host until it closes our stdin."""
    source = os.fdopen(os.dup(0), "rb")
    writer = _Writer(os.dup(1))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    captures = [_Capture("stdout", 1), _Capture("stderr", 2)]

    def drain() -> None:
        _flush_c_streams()
        for capture in captures:
            capture.drain(kernel.outbox)

    def become_child() -> None:
        writer.become_child()
        kernel.outbox.become_child()
        captures.clear()

    inbox = Inbox()
    loop = ProcessLoop(inbox)
    share(loop, ProcessProgramLoop)
    kernel = Kernel(
        writer.send, loop=loop, take=inbox.take, engine="container", before_done=drain
    )
    inbox.listen(kernel.receive)
    kernel.waiting.is_quiet = is_quiet
    os.register_at_fork(after_in_child=become_child)
    # The threads are ours, and wait for nothing that a child needs.
    warnings.filterwarnings("ignore", "This process .* is multi-threaded, use of", DeprecationWarning)
    kernel.start()
    for work, args in (
        (_read_host, (source, kernel, inbox)),
        (_flush_regularly, (kernel,)),
        *((capture.pump, (kernel.outbox,)) for capture in captures),
    ):
        threading.Thread(target=work, args=args, daemon=True).start()
    while True:
        try:
            loop.run_forever()
        except (KeyboardInterrupt, SystemExit):
            pass  # A background task ended itself; the interpreter goes on.


if __name__ == "__main__":
    supervise()
    main()
