"""Time zones for interpreters that have none: what ``zoneinfo`` asks for when the system gives nothing.

``zoneinfo`` falls back on a package of this name. The folder above is last on ``sys.path``, so a ``tzdata``
that is installed comes first. All zones lie in one small packed file, opened when the first one is asked
for; ``tests/support/build_time_zones.py`` makes it.
"""

from __future__ import annotations

import base64
import functools
import importlib.machinery
import io
import json
import pathlib
import sys
import types
import zlib
from typing import Any, Iterator


@functools.cache
def _pack() -> tuple[dict[str, Any], bytes]:
    """The index and the bytes it points into."""
    text = pathlib.Path(__file__).with_name("zones.txt").read_bytes()
    head, _, body = zlib.decompress(base64.b64decode(text)).partition(b"\n")
    return json.loads(head), body


@functools.cache
def _files() -> dict[str, Any]:
    """Path below this package → where its bytes are."""
    return {f"zoneinfo/{name}": place for name, place in _pack()[0]["zones"].items()}


class _Resource:
    """A file or folder of the pack, as ``importlib.resources`` wants to see it."""

    def __init__(self, path: str = "") -> None:
        self._path = path

    @property
    def name(self) -> str:
        """Last part of the path."""
        return self._path.rpartition("/")[2] or "tzdata"

    def joinpath(self, *parts: str) -> _Resource:
        """Something below this one; what is not there says so when it is opened."""
        return _Resource("/".join(filter(None, (self._path, *map(str, parts)))))

    __truediv__ = joinpath

    def is_file(self) -> bool:
        """Whether it can be opened."""
        return self._path == "zones" or self._path in _files()

    def is_dir(self) -> bool:
        """Whether something lies below it."""
        return not self._path or any(path.startswith(f"{self._path}/") for path in _files())

    def iterdir(self) -> Iterator[_Resource]:
        """What lies directly below it."""
        start = f"{self._path}/" if self._path else ""
        paths = ("zones", *_files())
        below = {path[len(start) :].partition("/")[0] for path in paths if path.startswith(start)}
        return map(self.joinpath, sorted(below))

    def read_bytes(self) -> bytes:
        """The file."""
        index, body = _pack()
        if self._path == "zones":
            return "".join(f"{name}\n" for name in index["zones"]).encode()
        if not self.is_file():
            raise FileNotFoundError(f"No time zone {self._path.removeprefix('zoneinfo/')!r}")
        start, size = _files()[self._path]
        return body[start : start + size]

    def read_text(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """The file as text."""
        return self.read_bytes().decode(encoding, errors)

    def open(self, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        """The file, opened for reading."""
        stream = io.BytesIO(self.read_bytes())
        return stream if "b" in mode else io.TextIOWrapper(stream, *args, **kwargs)


class _Reader:
    """The files of one package."""

    def __init__(self, package: str) -> None:
        self._path = "/".join(package.split(".")[1:])

    def files(self) -> _Resource:
        """The folder of the package."""
        return _Resource(self._path)


class _Loader:
    """Loads ``tzdata.zoneinfo``, ``tzdata.zoneinfo.Europe`` …: packages with nothing in them but files."""

    def create_module(self, spec: Any) -> None:
        """The usual kind."""

    def exec_module(self, module: Any) -> None:
        """There is no code."""

    def get_resource_reader(self, name: str) -> _Reader:
        """What ``importlib.resources`` asks for."""
        return _Reader(name)


def _claim() -> None:
    """Make every folder of the pack an importable package."""
    folders = {"zoneinfo"}
    for path in _files():
        parts = path.split("/")[:-1]
        folders.update("/".join(parts[: depth + 1]) for depth in range(len(parts)))
    loader = _Loader()
    own = sys.modules[__name__].__spec__
    assert own is not None
    own.loader = loader  # type: ignore[assignment]
    for folder in sorted(folders):
        name = f"{__name__}.{folder.replace('/', '.')}"
        module = types.ModuleType(name)
        module.__spec__ = importlib.machinery.ModuleSpec(name, loader, is_package=True)  # type: ignore[arg-type]
        module.__path__ = []
        sys.modules[name] = module


_claim()
IANA_VERSION = _pack()[0]["version"]
