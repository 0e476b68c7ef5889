"""Fills outlines with smooth edges: the exact area of each pixel that an edge crosses, spans between."""

from __future__ import annotations

import math
from typing import Iterable, Sequence

from .canvas import Canvas, Colour
from .scene import Point


class Outline:
    """Closed outlines, filled as one: where they overlap they do not darken each other.

    Each row keeps how the cover changes from pixel to pixel; a sum along the row gives the cover.
    Outlines that run the same way round add up.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._rows: dict[int, dict[int, float]] = {}

    def add(self, points: Sequence[Point]) -> None:
        """One more closed outline."""
        x0, y0 = points[-1]
        for x1, y1 in points:
            self._edge(x0, y0, x1, y1)
            x0, y0 = x1, y1

    def add_stroke(self, points: Sequence[Point], width: float) -> None:
        """The outline of a line of some width, with round joins and ends."""
        half = width / 2
        if len(points) == 1:
            self.add(disc(points[0], half))
            return
        before = None
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            dx, dy = x1 - x0, y1 - y0
            length = math.hypot(dx, dy)
            if length < 1e-6:
                continue
            ux, uy = dx / length, dy / length
            nx, ny = -uy * half, ux * half
            self.add(
                ((x0 + nx, y0 + ny), (x0 - nx, y0 - ny), (x1 - nx, y1 - ny), (x1 + nx, y1 + ny))
            )
            # A join is only seen where the line turns.
            if before is None or ux * before[0] + uy * before[1] < 0.97:
                self.add(disc((x0, y0), half))
            before = (ux, uy)
        self.add(disc(points[-1], half))

    def fill(self, colour: Colour) -> None:
        """Colour what is inside."""
        canvas = self._canvas
        for y, row in self._rows.items():
            cover = 0.0
            last = 0
            for x in sorted(row):
                shown = min(abs(cover), 1.0)
                if shown > 0.004:
                    if x - last == 1 and shown < 0.996:
                        canvas.blend(last, y, colour, shown)
                    else:
                        canvas.span(y, last, x, colour, shown)
                cover += row[x]
                last = x
        self._rows = {}

    def _edge(self, x0: float, y0: float, x1: float, y1: float) -> None:
        if y0 == y1:
            return
        sign = 1.0
        if y0 > y1:
            x0, y0, x1, y1 = x1, y1, x0, y0
            sign = -1.0
        slope = (x1 - x0) / (y1 - y0)
        bottom = min(y1, float(self._canvas.height))
        if y0 < 0:
            x0 -= y0 * slope
            y0 = 0.0
        right = float(self._canvas.width)
        rows = self._rows
        y, x = y0, x0
        while y < bottom:
            number = int(y)
            next_y = number + 1.0
            if next_y > bottom:
                next_y = bottom
            next_x = x + (next_y - y) * slope
            row = rows.get(number)
            if row is None:
                row = rows[number] = {}
            low, high = (x, next_x) if x < next_x else (next_x, x)
            low = 0.0 if low < 0 else right if low > right else low
            high = 0.0 if high < 0 else right if high > right else high
            first = int(low)
            change = sign * (next_y - y)
            if high <= first + 1:
                share = change * ((low + high) / 2 - first)
                row[first] = row.get(first, 0.0) + change - share
                row[first + 1] = row.get(first + 1, 0.0) + share
            else:
                _spread(row, low, high, change)
            y, x = next_y, next_x


def _spread(row: dict[int, float], low: float, high: float, change: float) -> None:
    """Put a change of cover, made between two places of a row, onto the pixels there."""
    first = int(low)
    end = math.ceil(high)
    per_pixel = 1 / (high - low)
    given = 0.0
    for pixel in range(first, end):
        # What lies left of this pixel covers all of it; what crosses it, the part to the right.
        left = low if low > pixel else pixel
        right = high if high < pixel + 1 else pixel + 1
        reached = (left - low + (right - left) * (pixel + 1 - (left + right) / 2)) * per_pixel
        row[pixel] = row.get(pixel, 0.0) + change * (reached - given)
        given = reached
    row[end] = row.get(end, 0.0) + change * (1 - given)


def disc(centre: Point, radius: float) -> list[Point]:
    """The corners of a circle that looks round, the same way round as a stroke."""
    count = max(8, min(48, int(radius * 5)))
    x, y = centre
    return [
        (
            x + radius * math.cos(2 * math.pi * step / count),
            y + radius * math.sin(2 * math.pi * step / count),
        )
        for step in range(count)
    ]


def polygon(canvas: Canvas, outlines: Iterable[Sequence[Point]], colour: Colour) -> None:
    """Fill outlines at once."""
    outline = Outline(canvas)
    for points in outlines:
        outline.add(points)
    outline.fill(colour)
