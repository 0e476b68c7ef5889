"""The folder of a run, and how its files get to the host.

Files that are saved or shown are sent at once; whatever else lies there when the run is over is sent then.
All limits are the host's.
"""

from __future__ import annotations

import base64
import errno
import os
import threading
import time
from typing import Any, Callable, Iterator

from ..rpc import MCPError, RpcClient
from .file_names import name_problem

#: Bytes in one message; base64 makes 4 MiB of it.
_PIECE_BYTES = 3 * 1024 * 1024

#: Files that the host keeps of a run; more are not even offered.
_MAX_FILES = 100

#: Time for the rest of the files once a run was interrupted: the host waits for 2 s, then it kills.
_INTERRUPTED_SECONDS = 1.0

#: Files named one by one when they could not be kept.
_MAX_REPORTED = 10

_TIME_OVER = "the time of the run was over"


class ExecutionFolder:
    """A folder that is empty when a run starts, at the same path for all runs of a sandbox."""

    def __init__(self, rpc: RpcClient) -> None:
        self._rpc = rpc
        self._path: str | None = None
        # Two threads may save at once, and the pieces of a file follow each other.
        self._lock = threading.RLock()
        self._pid = os.getpid()
        #: Name → what the file was like when it was sent.
        self._sent: dict[str, object] = {}

    @property
    def path(self) -> str:
        """Where it is; made when it is first asked for."""
        if self._path is None:
            import tempfile  # Takes longer to import than a container needs for all else here.

            self._path = tempfile.mkdtemp(prefix="execution-")
        os.makedirs(self._path, exist_ok=True)
        return self._path

    def begin(self) -> None:
        """A run starts: what the one before left is gone."""
        self._sent = {}
        self._pid = os.getpid()
        if self._path is None:
            return
        for entry in _scan(self._path):
            if entry.is_dir(follow_symlinks=False):
                import shutil

                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                remove(entry.path)

    def files(self, below: str = "") -> Iterator[tuple[str, str]]:
        """Name and path of each plain file that is not hidden."""
        if self._path is None:
            return
        for entry in _scan(os.path.join(self._path, below)):
            name = f"{below}/{entry.name}" if below else entry.name
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from self.files(name)
            elif entry.is_file(follow_symlinks=False):
                yield name, entry.path

    def describe(self, value: Any) -> str | None:
        """Name and size of the file that ``value`` is the path of, if the host has it: the path leads nowhere outside."""
        if not isinstance(value, str) or self._path is None or not value.startswith(self._path + os.sep):
            return None
        name = value[len(self._path) + 1 :].replace(os.sep, "/")
        if name not in self._sent:
            return None
        try:
            return f"Saved {name} ({os.stat(value).st_size:,} bytes)"
        except OSError:
            return None  # The program has removed it since.

    def write(self, name: str, content: Any) -> str:
        """Make a file of bytes and give its path."""
        path = os.path.join(self.path, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            with open(path, "wb") as file:
                file.write(content)
        except OSError as error:
            remove(path)
            if error.errno != errno.ENOSPC:
                raise
            size = memoryview(content).nbytes
            message = f"Cannot save {name!r}: {self._path} has no room for {size:,} bytes"
            raise OSError(errno.ENOSPC, message) from None
        return path

    def send(self, name: str, path: str, deadline: float | None = None) -> None:
        """Have the host keep a file, unless it has it already."""
        with self._lock, open(path, "rb") as file:
            state = _state(file.fileno())
            if state == self._sent.get(name):
                return
            size = os.fstat(file.fileno()).st_size
            offset, last = 0, False
            while not last:
                if deadline is not None and time.monotonic() > deadline:
                    raise TimeoutError(_TIME_OVER)
                piece = file.read(min(_PIECE_BYTES, size - offset))
                # A file that shrinks while it is read ends where it ends.
                last = not piece or offset + len(piece) >= size
                data = base64.b64encode(piece).decode("ascii")
                if last:
                    # The host has it then, also if an interrupt comes before its reply.
                    self._sent[name] = state
                try:
                    self._rpc.ask("save_file", name=name, offset=offset, data=data, last=last)
                except Exception:
                    self._sent.pop(name, None)
                    raise
                offset += len(piece)

    def collect(self, interrupted: bool, report: Callable[[str], None]) -> None:
        """The run is over: send what was not sent yet. Never raises; ``report`` takes what cannot be kept."""
        # A forked process has no host to ask; the folder is its parent's to collect.
        if self._path is None or os.getpid() != self._pid:
            return
        try:
            self._collect(interrupted, report)
        except Exception as error:  # noqa: BLE001 - a program may have broken what this needs
            report(f"Files of this run are not kept: {type(error).__name__}: {error}\n")

    def _collect(self, interrupted: bool, report: Callable[[str], None]) -> None:
        deadline = time.monotonic() + _INTERRUPTED_SECONDS if interrupted else None
        failures: list[str] = []
        for name, path in self.files():
            try:
                self._check_offer(name)
                self.send(name, path, deadline)
            except KeyboardInterrupt:
                deadline = 0.0
                if name not in self._sent:
                    failures.append(f"{name}: {_TIME_OVER}")
            except MCPError as error:
                failures.append(str(error))
            except Exception as error:  # noqa: BLE001 - the run's own result must not be lost for a file
                failures.append(f"{name}: {error}")
        for failure in failures[:_MAX_REPORTED]:
            report(f"Not kept: {failure}\n")
        if len(failures) > _MAX_REPORTED:
            report(f"Not kept: {len(failures) - _MAX_REPORTED} more files\n")

    def _check_offer(self, name: str) -> None:
        if problem := name_problem(name):
            raise ValueError(problem)
        if len(self._sent) >= _MAX_FILES and name not in self._sent:
            raise ValueError(f"a run keeps at most {_MAX_FILES} files")


def remove(path: str) -> None:
    """Remove a file, if it is there."""
    try:
        os.remove(path)
    except OSError:
        pass


def _scan(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _state(fd: int) -> object:
    stat = os.fstat(fd)
    return (stat.st_size, stat.st_mtime_ns, stat.st_ino)
