"""Files of a sandbox, and the host they go to, in memory."""

from __future__ import annotations

import base64
import os
import pathlib
import unittest
from typing import Any
from unittest import mock

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.files import artifacts
from sandbox_runtime.rpc import MCPError

PNG = b"\x89PNG\r\n\x1a\n and more"


class FakeHost:
    """Answers ``ask`` as the host would."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.shown: list[str] = []
        self.pieces: list[int] = []
        self.outputs: list[bytes] = []
        #: Names that are refused.
        self.refused: set[str] = set()
        #: Raised by the next request.
        self.failure: BaseException | None = None
        self._growing: dict[str, bytes] = {}

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Answer a request."""
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        return getattr(self, f"_{kind}")(**fields)

    def _save_file(self, name: str, offset: int, data: str, last: bool) -> dict[str, Any]:
        if name in self.refused:
            raise MCPError(f'Cannot keep the file "{name}": no')
        assert len(data) <= 4 * 1024 * 1024
        before = b"" if offset == 0 else self._growing[name]
        assert len(before) == offset
        piece = base64.b64decode(data)
        self.pieces.append(len(piece))
        self._growing[name] = before + piece
        if last:
            self.files[name] = self._growing.pop(name)
        return {"success": True}

    def _show_file(self, name: str) -> dict[str, Any]:
        assert name in self.files
        self.shown.append(name)
        return {"success": True}

    def _read_output(self, run: int, stream: str, offset: int) -> dict[str, Any]:
        data = self.outputs[run] if stream == "stdout" else b""
        return {"data": base64.b64encode(data[offset : offset + 7]).decode(), "size": len(data)}


class ArtifactsCase(unittest.TestCase):
    """A sandbox's files and the host they go to."""

    def setUp(self) -> None:
        self.host = FakeHost()
        self.addCleanup(mock.patch.dict(os.environ).stop)
        mock.patch.dict(os.environ).start()
        self.functions = artifacts.functions(self.host)  # type: ignore[arg-type]
        self.artifacts = artifacts.current()
        self.addCleanup(self._clear)
        self.reported: list[str] = []

    def _clear(self) -> None:
        self.artifacts.folder.begin()
        if self.artifacts.folder._path is not None:
            os.rmdir(self.artifacts.folder._path)

    def collect(self, interrupted: bool = False) -> str:
        """End the run and give what it says about files that are not kept."""
        self.artifacts.folder.collect(interrupted, self.reported.append)
        return "".join(self.reported)

    def path(self, name: str) -> pathlib.Path:
        return pathlib.Path(self.artifacts.execution_folder(), name)
