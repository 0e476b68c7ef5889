"""Text as strokes: the width of a text, and the lines that draw it."""

from __future__ import annotations

import functools
import re
import unicodedata

from .glyphs import ACCENTS, BELOW, GLYPHS

#: Units of the grid in one em.
_EM = 20.0
_X_HEIGHT = 10.0
_CAP_HEIGHT = 14.0

#: Height of capitals in ems: what centres a line of text.
CAP = _CAP_HEIGHT / _EM

#: How far the line of a curve may be cut: as many pieces for a quarter of an ellipse.
_PIECES = 5
_UNKNOWN = (12.0, "M2,-2L10,-2L10,14L2,14L2,-2")
_STEP = re.compile(r"([MLHV])(-?[\d.]+),(-?[\d.]+)")

#: A polyline, in ems.
Stroke = tuple[tuple[float, float], ...]


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Width of a text in pixels. Letters that are wider in other scripts count as such."""
    total = sum(_advance(letter) for letter in text)
    return total * size / _EM * (1.06 if bold else 1.0)


def shorten(text: str, size: float, room: float) -> str:
    """The text, or its start with an ellipsis, so that it fits."""
    if text_width(text, size) <= room:
        return text
    dots = "\N{HORIZONTAL ELLIPSIS}"
    left = room - text_width(dots, size)
    kept = ""
    for letter in text:
        left -= text_width(letter, size)
        if left < 0:
            break
        kept += letter
    return kept.rstrip() + dots


def has_letters(text: str) -> bool:
    """Whether the font has every letter of a text."""
    unknown = _strokes(_UNKNOWN[1])
    return all(glyph(letter)[1] != unknown for letter in text)


@functools.lru_cache(maxsize=2048)
def _advance(letter: str) -> float:
    if letter in GLYPHS:
        return GLYPHS[letter][0]
    if unicodedata.combining(letter):
        return 0.0
    base, *_ = unicodedata.normalize("NFD", letter)
    if base in GLYPHS:
        return GLYPHS[base][0]
    return _EM if unicodedata.east_asian_width(letter) in "WF" else _UNKNOWN[0]


@functools.lru_cache(maxsize=2048)
def glyph(letter: str) -> tuple[float, tuple[Stroke, ...]]:
    """Advance and strokes of a letter, in ems; a box for one that the font does not have."""
    advance = _advance(letter)
    if unicodedata.combining(letter):
        return 0.0, ()
    if letter in GLYPHS:
        return advance / _EM, _strokes(GLYPHS[letter][1])
    base, *marks = unicodedata.normalize("NFD", letter)
    if base not in GLYPHS or not marks or any(mark not in ACCENTS for mark in marks):
        return advance / _EM, _strokes(_UNKNOWN[1])
    tall = base.isupper() or base in "bdfhklt"
    above = any(mark not in BELOW for mark in marks)
    body = "\N{LATIN SMALL LETTER DOTLESS I}" if base == "i" and above else base
    strokes = _strokes(GLYPHS[body][1])
    for mark in marks:
        lift = 0.0 if mark in BELOW else _CAP_HEIGHT if tall else _X_HEIGHT
        strokes += _strokes(ACCENTS[mark], advance / 2, lift)
    return advance / _EM, strokes


def _strokes(path: str, dx: float = 0.0, dy: float = 0.0) -> tuple[Stroke, ...]:
    strokes: list[list[tuple[float, float]]] = []
    for command, first, second in _STEP.findall(path):
        x, y = float(first), float(second)
        if command == "M":
            strokes.append([(x, y)])
        elif command == "L":
            strokes[-1].append((x, y))
        else:
            x0, y0 = strokes[-1][-1]
            corner = (x, y0) if command == "H" else (x0, y)
            strokes[-1].extend(_quarter((x0, y0), corner, (x, y)))
    return tuple(
        tuple(((x + dx) / _EM, (y + dy) / _EM) for x, y in stroke) for stroke in strokes
    )


def _quarter(
    start: tuple[float, float], corner: tuple[float, float], end: tuple[float, float]
) -> list[tuple[float, float]]:
    """Points on the quarter ellipse that touches both sides of the corner."""
    bend = 0.5523
    first, second = (
        tuple(a + (c - a) * bend for a, c in zip(point, corner)) for point in (start, end)
    )
    points = []
    for step in range(1, _PIECES + 1):
        t = step / _PIECES
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append(
            (
                a * start[0] + b * first[0] + c * second[0] + d * end[0],
                a * start[1] + b * first[1] + c * second[1] + d * end[1],
            )
        )
    return points
