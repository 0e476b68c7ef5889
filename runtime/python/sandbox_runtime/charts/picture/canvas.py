"""Pixels, the two ways to colour them (whole spans at once, single pixels by how much is covered), and PNG."""

from __future__ import annotations

import struct
import zlib

#: Red, green, blue.
Colour = tuple[int, int, int]


def colour(text: str) -> Colour:
    """``#rrggbb`` as numbers."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


class Canvas:
    """White pixels to draw on."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.data = bytearray(b"\xff" * (width * height * 3))

    def span(self, y: int, start: int, end: int, fill: Colour, opacity: float = 1.0) -> None:
        """Colour the pixels from ``start`` up to ``end`` of a row."""
        start, end = max(start, 0), min(end, self.width)
        if start >= end or not 0 <= y < self.height:
            return
        first, last = (y * self.width + start) * 3, (y * self.width + end) * 3
        if opacity >= 0.998:
            self.data[first:last] = bytes(fill) * (end - start)
            return
        for channel, value in enumerate(fill):
            part = slice(first + channel, last, 3)
            self.data[part] = self.data[part].translate(_mix(value, round(opacity * 255)))

    def blend(self, x: int, y: int, fill: Colour, cover: float) -> None:
        """Colour one pixel as far as it is covered."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return
        data = self.data
        at = (y * self.width + x) * 3
        data[at] += int((fill[0] - data[at]) * cover)
        data[at + 1] += int((fill[1] - data[at + 1]) * cover)
        data[at + 2] += int((fill[2] - data[at + 2]) * cover)

    def stamp(self, x: int, y: int, mask: Mask, fill: Colour) -> None:
        """Colour through a mask whose corner is at ``x``, ``y``."""
        for row, whole, edges in mask:
            for start, end in whole:
                self.span(y + row, x + start, x + end, fill)
            for column, cover in edges:
                self.blend(x + column, y + row, fill, cover)


#: Rows of a shape: number, spans that are covered whole, pixels that are covered in part.
Mask = list[tuple[int, list[tuple[int, int]], list[tuple[int, float]]]]

_tables: dict[tuple[int, int], bytes] = {}


def _mix(value: int, alpha: int) -> bytes:
    """For each old value of a channel the new one."""
    table = _tables.get((value, alpha))
    if table is None:
        if len(_tables) > 256:
            _tables.clear()
        table = bytes(old + (value - old) * alpha // 255 for old in range(256))
        _tables[(value, alpha)] = table
    return table


def make_mask(covers: dict[tuple[int, int], float]) -> Mask:
    """A mask out of covered pixels, ``(row, column)`` → cover."""
    rows: dict[int, dict[int, float]] = {}
    for (row, column), cover in covers.items():
        if cover > 0.004:
            rows.setdefault(row, {})[column] = cover
    mask: Mask = []
    for row in sorted(rows):
        whole: list[tuple[int, int]] = []
        edges: list[tuple[int, float]] = []
        for column in sorted(rows[row]):
            cover = rows[row][column]
            if cover < 0.996:
                edges.append((column, cover))
            elif whole and whole[-1][1] == column:
                whole[-1] = (whole[-1][0], column + 1)
            else:
                whole.append((column, column + 1))
        mask.append((row, whole, edges))
    return mask


def to_png(width: int, height: int, pixels: bytes | bytearray, scale: int = 1) -> bytes:
    """The bytes of a PNG of eight-bit RGB ``pixels``, row by row; ``scale`` goes into its resolution."""
    stride = width * 3
    # Each row is stored as its difference to the one above: charts repeat themselves downwards.
    rows = bytearray()
    above = None
    view = memoryview(pixels)
    for y in range(height):
        row = view[y * stride : (y + 1) * stride]
        if above is not None and row == above:
            rows += b"\x02"
            rows += bytes(stride)
        else:
            rows += b"\x00"
            rows += row
        above = row
    per_metre = 3780 * scale
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
            _chunk(b"IDAT", zlib.compress(bytes(rows), 6)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
