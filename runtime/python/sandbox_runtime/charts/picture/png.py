"""Pixels as a PNG file."""

from __future__ import annotations

import struct
import zlib


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
