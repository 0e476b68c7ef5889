"""Fewer points that look the same: what keeps a chart of a million values fast."""

from __future__ import annotations

import math
from typing import Iterable, Sequence

from .scene import Point

#: Most points of a line that runs back and forth, where columns do not help.
_MAX_TANGLED = 3000


def runs(points: Iterable[Point]) -> list[list[Point]]:
    """The pieces of a line between its gaps."""
    found: list[list[Point]] = [[]]
    for point in points:
        if math.isnan(point[0]) or math.isnan(point[1]):
            if found[-1]:
                found.append([])
        else:
            found[-1].append(point)
    return found if found[-1] else found[:-1]


def thin_line(points: Sequence[Point]) -> list[Point]:
    """For each pixel column the first, lowest, highest and last point."""
    if len(points) < 3:
        return list(points)
    if any(b[0] < a[0] for a, b in zip(points, points[1:])):
        every = -(-len(points) // _MAX_TANGLED)
        return [*points[:-1:every], points[-1]]
    kept: list[Point] = []
    column: list[Point] = []
    place = math.floor(points[0][0])
    for point in points:
        if math.floor(point[0]) != place:
            kept.extend(_ends(column))
            column = []
            place = math.floor(point[0])
        column.append(point)
    kept.extend(_ends(column))
    return kept


def _ends(column: list[Point]) -> list[Point]:
    if len(column) <= 4:
        return column
    heights = [point[1] for point in column]
    low, high = heights.index(min(heights)), heights.index(max(heights))
    return [column[at] for at in sorted({0, low, high, len(column) - 1})]


def is_dense(points: Sequence[Point]) -> bool:
    """Whether a line goes up and down so often that it is seen as a band."""
    if len(points) < 400:
        return False
    width = max(points[-1][0] - points[0][0], 1.0)
    travel = sum(abs(b[1] - a[1]) for a, b in zip(points, points[1:]))
    return travel / width > 8


def band(points: Sequence[Point], thickness: float) -> list[Point]:
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


def thin_dots(points: Iterable[Point], cell: float) -> list[Point]:
    """One point for each place: others would be hidden behind it."""
    seen: dict[tuple[int, int], Point] = {}
    for x, y in points:
        if not (math.isnan(x) or math.isnan(y)):
            seen[(int(x / cell), int(y / cell))] = (x, y)
    return list(seen.values())
