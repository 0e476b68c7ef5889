"""Fewer points that look the same: what keeps a chart of a million values fast."""

from __future__ import annotations

import math
import operator
from typing import Iterator

from .scene import Point

#: Points of a line that are not worth thinning.
_FEW = 2000
#: Pieces into which a long line is cut; of each the ends and the extremes are kept.
_PIECES = 1600
#: Longest way, in pixels, of a line that runs back and forth.
_MAX_TANGLED = 40_000.0

#: A line as two lists.
Line = tuple[list[float], list[float]]


def runs(xs: list[float], ys: list[float]) -> Iterator[Line]:
    """The pieces of a line between its gaps."""
    if not math.isnan(sum(xs) + sum(ys)):
        if xs:
            yield xs, ys
        return
    start = 0
    for at in range(len(xs) + 1):
        if at == len(xs) or xs[at] != xs[at] or ys[at] != ys[at]:
            if at > start:
                yield xs[start:at], ys[start:at]
            start = at + 1


def is_forward(xs: list[float]) -> bool:
    """Whether a line never runs back."""
    return all(map(operator.le, xs, xs[1:]))


def thin_line(xs: list[float], ys: list[float]) -> list[Point]:
    """The line with fewer points; what lies within a pixel keeps its ends, its top and its bottom."""
    if len(xs) <= _FEW:
        return list(zip(xs, ys))
    if not is_forward(xs):
        return _untangle(list(zip(xs, ys)))
    kept: list[Point] = []
    size = -(-len(xs) // _PIECES)
    for start in range(0, len(xs), size):
        end = min(start + size, len(xs))
        if xs[end - 1] - xs[start] > 1.5 or end - start <= 4:
            kept.extend(zip(xs[start:end], ys[start:end]))
            continue
        part = ys[start:end]
        places = {0, part.index(min(part)), part.index(max(part)), len(part) - 1}
        kept.extend((xs[start + at], part[at]) for at in sorted(places))
    return kept


def _untangle(points: list[Point]) -> list[Point]:
    """Every so many points, so that the way is not too long to draw."""
    travel = sum(map(math.dist, points, points[1:]))
    every = max(1, math.ceil(travel / _MAX_TANGLED))
    return [*points[:-1:every], points[-1]]


def is_dense(points: list[Point]) -> bool:
    """Whether a line that never runs back goes up and down so often that it is seen as a band."""
    if len(points) < 400:
        return False
    width = max(points[-1][0] - points[0][0], 1.0)
    travel = sum(abs(b[1] - a[1]) for a, b in zip(points, points[1:]))
    return travel / width > 8


def band(points: list[Point], thickness: float) -> list[Point]:
    """The outline of a dense line: its highest points to the right, its lowest back."""
    columns: dict[int, tuple[float, float]] = {}
    for x, y in points:
        at = math.floor(x)
        low, high = columns.get(at, (y, y))
        columns[at] = (min(low, y), max(high, y))
    half = thickness / 2
    order = sorted(columns)
    upper = [(at + 0.5, columns[at][0] - half) for at in order]
    lower = [(at + 0.5, columns[at][1] + half) for at in reversed(order)]
    return upper + lower


def thin_dots(xs: list[float], ys: list[float], cell: float) -> list[Point]:
    """One point for each place: others would be hidden behind it."""
    per_pixel = 1 / cell
    seen = {
        (int(x * per_pixel), int(y * per_pixel)): (x, y)
        for x, y in zip(xs, ys)
        if x == x and y == y
    }
    return list(seen.values())
