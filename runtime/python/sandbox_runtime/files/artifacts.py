"""Files that outlive the run: saved, shown, or just written into ``execution_folder()``."""

from __future__ import annotations

import os
from typing import Any, Callable

from ..rpc import MCPError, RpcClient
from . import display_hooks
from .execution_folder import ExecutionFolder, remove
from .file_names import name_problem

_NAMES = ("execution_folder", "list_execution_files", "save_file", "save_image", "show")


class Artifacts:
    """The functions that user code gets."""

    def __init__(self, rpc: RpcClient) -> None:
        self.folder = ExecutionFolder(rpc)
        self._rpc = rpc

    def execution_folder(self) -> str:
        """A folder whose files are kept when the run is over; it is empty when a run starts."""
        return self.folder.path

    def list_execution_files(self) -> list[dict[str, Any]]:
        """Name, path and size of each file in ``execution_folder()``."""
        return [
            {"name": name, "path": path, "size": os.stat(path).st_size}
            for name, path in self.folder.files()
        ]

    def save_file(self, name: str, content: str | bytes) -> str:
        """Keep text or bytes as a file of this run; gives its path in the sandbox."""
        _check(name)
        data: Any = content
        if isinstance(content, str):
            data = content.encode()
        elif not isinstance(content, (bytes, bytearray, memoryview)):
            data = _showing().blob_data(content)
        if not isinstance(data, (bytes, bytearray, memoryview)):
            kind = type(content).__name__
            raise TypeError(f"Cannot save {name!r}: expected str or bytes, got {kind}")
        path = self.folder.write(name, data)
        try:
            self.folder.send(name, path)
        except MCPError:
            # Refused for good: it must not be offered again when the run is over.
            remove(path)
            raise
        return path

    def save_image(self, name: str, image: Any) -> str:
        """Keep a figure, an image or its bytes; a name without an extension gets the right one."""
        _check(name)
        showing = _showing()
        ext = os.path.splitext(name)[1][1:].lower()
        if showing.is_path(image):
            with open(image, "rb") as file:
                image = file.read()
        data, found = showing.to_bytes(image, ext or None)
        return self.save_file(name if ext else f"{name}.{found}", data)

    def show(self, value: Any, name: str | None = None) -> str:
        """Let the user see something: figure, image, Blob, bytes, HTML or a file. Gives its path."""
        showing = _showing()
        if showing.is_path(value):
            return self._show_path(os.fspath(value), name)
        data, ext = showing.to_bytes(value)
        return self._show_saved(name or self._free_name("shown-1", ext), data)

    def _show_path(self, path: str, name: str | None) -> str:
        inside = os.path.relpath(os.path.realpath(path), os.path.realpath(self.folder.path))
        inside = inside.replace(os.sep, "/")
        if name is None and name_problem(inside) is None:
            self.folder.send(inside, path)
            self._rpc.ask("show_file", name=inside)
            return path
        with open(path, "rb") as file:
            data = file.read()
        stem, ext = os.path.splitext(os.path.basename(path))
        return self._show_saved(name or self._free_name(stem, ext[1:]), data)

    def _show_saved(self, name: str, data: bytes) -> str:
        path = self.save_file(name, data)
        self._rpc.ask("show_file", name=name)
        return path

    def _free_name(self, stem: str, ext: str) -> str:
        """The name, or the next one that no file has yet."""
        dot = f".{ext}" if ext else ""
        base, number = stem.removesuffix("-1"), 1
        name = f"{stem}{dot}"
        while os.path.lexists(os.path.join(self.folder.path, name)):
            number += 1
            name = f"{base}-{number}{dot}"
        return name


def _showing() -> Any:
    """Imported when it is first needed: a container has nothing compiled at its start."""
    from . import showing

    return showing


def _check(name: Any) -> None:
    if not isinstance(name, str):
        kind = type(name).__name__
        raise TypeError(f"The name of a file is a str, got {kind}: the name comes first, then the content")
    if problem := name_problem(name):
        raise ValueError(f"Cannot save {name!r}: {problem}")


_current: Artifacts | None = None


def current() -> Artifacts:
    """Those of this sandbox, for objects that save or show themselves."""
    if _current is None:
        raise RuntimeError("The sandbox has not been started")
    return _current


def functions(rpc: RpcClient) -> dict[str, Callable[..., Any]]:
    """What user code gets by name."""
    global _current
    _current = Artifacts(rpc)
    display_hooks.install(lambda value: current().show(value))
    return {name: getattr(_current, name) for name in _NAMES}
