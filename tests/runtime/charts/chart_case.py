"""What the tests of charts share."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.charts.draw import Drawing, Options, draw, make_plan, make_scene
from sandbox_runtime.charts.picture.scene import Scene, Text


def scene_of(data: Any, kind: str, x: Any = None, y: Any = None, **options: Any) -> Scene:
    """The shapes of a chart."""
    return make_scene(make_plan(data, kind, x, y, Options(**options)))


def texts_of(scene: Scene) -> list[str]:
    """All that is written on it."""
    return [shape.text for shape in scene.shapes if isinstance(shape, Text)]


def picture_of(data: Any, kind: str, x: Any = None, y: Any = None, **options: Any) -> Drawing:
    """PNG and SVG of a chart."""
    return draw(make_plan(data, kind, x, y, Options(**options)))


class Pixels:
    """A PNG, decoded as the specification says, checksums included."""

    def __init__(self, png: bytes) -> None:
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        at, packed = 8, b""
        while at < len(png):
            (size,) = struct.unpack(">I", png[at : at + 4])
            kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
            assert struct.unpack(">I", png[at + 8 + size : at + 12 + size]) == (zlib.crc32(kind + data),)
            if kind == b"IHDR":
                self.width, self.height, *rest = struct.unpack(">IIBBBBB", data)
                assert rest == [8, 2, 0, 0, 0]
            if kind == b"IDAT":
                packed += data
            at += 12 + size
        assert kind == b"IEND"
        raw = zlib.decompress(packed)
        stride = self.width * 3
        assert len(raw) == (stride + 1) * self.height
        self._rows: list[bytes] = []
        for y in range(self.height):
            line = raw[y * (stride + 1) : (y + 1) * (stride + 1)]
            if line[0] == 0:
                self._rows.append(line[1:])
            else:
                # The only other filter we write: what is above, plus nothing.
                assert line[0] == 2 and not any(line[1:])
                self._rows.append(self._rows[-1])

    def at(self, x: int, y: int) -> tuple[int, int, int]:
        """The colour of a pixel."""
        red, green, blue = self._rows[y][x * 3 : x * 3 + 3]
        return red, green, blue

    def blue_in_column(self, x: int) -> list[int]:
        """Where a column is blue, be it faint, from the top."""
        return [y for y, row in enumerate(self._rows) if row[x * 3 + 2] > row[x * 3] + 40]

    def count(self, colour: tuple[int, int, int]) -> int:
        """How many pixels have exactly this colour."""
        wanted = bytes(colour)
        return sum(
            row[at : at + 3] == wanted for row in self._rows for at in range(0, len(row), 3)
        )
