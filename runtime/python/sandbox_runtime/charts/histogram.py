"""Histograms: how many values fall between round edges."""

from __future__ import annotations

import bisect
import math
from typing import Any

from .axes import XAxis
from .data.series import Series, numbers
from .data.table import Table
from .data.values import to_label
from .frame import FrameOptions, draw_axes, draw_empty, draw_frame
from .picture.scene import Rect, Scene
from .style import series_colour
from .ticks import linear_ticks, nice_step

_MAX_BINS = 1000


def pick_values(table: Table, x: Any, y: Any, group: Any) -> list[Series]:
    """The columns to count, by name; ``x`` and ``y`` mean the same here."""
    chosen = x if x is not None else y
    if hasattr(chosen, "tolist"):
        chosen = chosen.tolist()
    if isinstance(chosen, (list, tuple, range)) and not all(isinstance(i, str) for i in chosen):
        return [_counted("value", numbers(list(chosen), "x"))]
    if chosen is None:
        names = table.numeric()[:1]
        if not names and not table.is_empty():
            known = ", ".join(map(repr, table.columns))
            raise ValueError(f"No column holds numbers to count; the columns are {known}")
    else:
        names = [str(name) for name in (chosen if isinstance(chosen, (list, tuple)) else [chosen])]
    columns = [_counted(name, numbers(table.column(name, "x"), name)) for name in names]
    if group is None:
        return columns
    split: dict[str, list[float]] = {}
    for key, value in zip(table.column(group, "group"), columns[0].ys if columns else []):
        split.setdefault(to_label(key), []).append(value)
    return [_counted(name, values) for name, values in split.items()]


def _counted(name: str, values: list[float]) -> Series:
    """A series of which only the values matter."""
    return Series(name, [], values)


def make_edges(values: list[float], bins: Any) -> list[float]:
    """The edges of the bins: as given, so many, or round ones that suit the values."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if isinstance(bins, (list, tuple)):
        edges = sorted(set(numbers(list(bins), "bins")))
        if len(edges) < 2 or any(edge != edge for edge in edges):
            raise ValueError(f"Cannot use bins={bins!r}: expected at least two different numbers")
        return edges
    if low == high:
        low, high = low - 0.5, high + 0.5
    if bins is not None and bins != "auto":
        if isinstance(bins, bool) or not isinstance(bins, int) or not 1 <= bins <= _MAX_BINS:
            raise ValueError(
                f"Cannot use bins={bins!r}: expected a number from 1 to {_MAX_BINS}, a list of edges, or 'auto'"
            )
        return [low + (high - low) * at / bins for at in range(bins + 1)]
    step = nice_step(high - low, _auto_count(values, low, high))
    if all(value == round(value) for value in values) and step < 1:
        step = 1.0
    first = math.floor(low / step)
    count = max(1, math.floor((high - first * step) / step + 1e-9) + 1)
    if abs(first) > 1e13 or count > _MAX_BINS:
        return linear_ticks(low, high, 20)[0]
    return [(first + at) * step for at in range(count + 1)]


def _auto_count(values: list[float], low: float, high: float) -> int:
    """By the spread of the middle half (Freedman and Diaconis), within what can be seen."""
    ordered = sorted(values)
    size = len(ordered)
    spread = ordered[3 * size // 4] - ordered[size // 4] if size >= 4 else 0.0
    if spread <= 0:
        return max(5, min(20, round(math.sqrt(size))))
    return int(max(8, min(60, (high - low) / (2 * spread / size ** (1 / 3)))))


def count_values(values: list[float], edges: list[float]) -> list[int]:
    """How many values lie in each bin; the last one holds its upper edge too."""
    counts = [0] * (len(edges) - 1)
    for value in values:
        if edges[0] <= value <= edges[-1]:
            counts[min(bisect.bisect_right(edges, value) - 1, len(counts) - 1)] += 1
    return counts


def draw_histogram(
    scene: Scene, series: list[Series], bins: Any, options: FrameOptions
) -> None:
    """Bars that touch, one set for each column, seen through each other."""
    kept = [[value for value in one.ys if value == value] for one in series]
    every = [value for values in kept for value in values]
    edges = make_edges(every, bins)
    counts = [count_values(values, edges) for values in kept]
    highest = max((count for row in counts for count in row), default=0)
    options.whole = True
    axis = XAxis("number", edges[0], edges[-1])
    plot = draw_frame(scene, axis, (0.0, float(highest or 1)), options)
    if not every:
        draw_empty(scene, plot)
    for number, row in enumerate(counts):
        for at, count in enumerate(row):
            if not count:
                continue
            left, right = plot.x(edges[at]), plot.x(edges[at + 1])
            gap = 1.0 if right - left > 4 else 0.0
            top = plot.y(float(count))
            scene.add(
                Rect(
                    left + gap / 2,
                    top,
                    max(right - left - gap, 0.5),
                    plot.bottom - top,
                    series_colour(number),
                    1.0 if len(counts) == 1 else 0.6,
                )
            )
    draw_axes(scene, plot)
