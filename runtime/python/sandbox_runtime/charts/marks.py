"""Line, scatter and bar charts."""

from __future__ import annotations

import math

from .axes import XAxis
from .data.series import Series, axis_kind, to_places
from .data.values import to_label
from .frame import FrameOptions, Plot, draw_axes, draw_empty, draw_frame
from .picture.scene import Dots, Point, Polygon, Polyline, Rect, Scene
from .picture.thin import band, is_dense, is_forward, runs, thin_dots, thin_line
from .style import series_colour

#: Points that each get a mark on a line.
_MAX_MARKED = 30
#: Points of a scatter chart that are drawn large, and those drawn at all places.
_MAX_LARGE = 1500
_MAX_SMALL = 20_000
#: Width of a bar below which all bars are one outline.
_MIN_BAR = 2.5


def draw_points(
    scene: Scene, series: list[Series], options: FrameOptions, *, lines: bool
) -> None:
    """A line or a scatter chart."""
    kind = axis_kind(series)
    labels = to_places(series, kind)
    xs = [x for one in series for x, y in zip(one.xs, one.ys) if x == x and y == y]
    ys = [y for one in series for x, y in zip(one.xs, one.ys) if x == x and y == y]
    marked = not lines or max((len(one.xs) for one in series), default=0) <= _MAX_MARKED
    axis = _x_axis(kind, labels, xs, 0.025 if marked else 0.0)
    options.grid_x = not lines
    plot = draw_frame(scene, axis, _y_range(ys), options)
    draw_axes(scene, plot)
    if not xs:
        draw_empty(scene, plot)
    for number, one in enumerate(series):
        mark = _line if lines else _scatter
        mark(scene, *plot.points(one.xs, one.ys), series_colour(number))


def _x_axis(kind: str, labels: list[str], xs: list[float], padding: float) -> XAxis:
    if kind == "label":
        return XAxis(kind, -0.5, max(len(labels), 1) - 0.5, labels)
    low, high = (min(xs), max(xs)) if xs else (0.0, 1.0)
    if low == high:
        extra = 43_200.0 if kind == "time" else max(abs(low) / 10, 1.0)
    else:
        extra = (high - low) * padding
    whole = kind == "number" and all(x == round(x) for x in xs)
    return XAxis(kind, low - extra, high + extra, whole=whole)


def _y_range(ys: list[float]) -> tuple[float, float]:
    if not ys:
        return 0.0, 1.0
    low, high = min(ys), max(ys)
    # Zero is shown where it is near: a cut axis makes small changes look large.
    if 0 < low <= high * 0.4:
        low = 0.0
    elif 0 > high >= low * 0.4:
        high = 0.0
    return low, high


def _line(scene: Scene, xs: list[float], ys: list[float], colour: str) -> None:
    pieces = list(runs(xs, ys))
    for piece in pieces:
        if len(piece[0]) == 1:
            continue
        points = thin_line(*piece)
        if is_forward([x for x, _ in points]) and is_dense(points):
            scene.add(Polygon(band(points, 1.5), colour))
        else:
            scene.add(Polyline(points, colour, 2.0 if len(points) < 600 else 1.4))
    if len(xs) <= _MAX_MARKED:
        scene.add(Dots([point for piece in pieces for point in zip(*piece)], 3.5, colour, 1.0))
        return
    # Between two gaps there is no line to see.
    alone = [(piece[0][0], piece[1][0]) for piece in pieces if len(piece[0]) == 1]
    if alone:
        scene.add(Dots(alone, 2.0, colour))


def _scatter(scene: Scene, xs: list[float], ys: list[float], colour: str) -> None:
    if len(xs) <= _MAX_LARGE:
        scene.add(Dots(thin_dots(xs, ys, 0.25), 4.5, colour, 1.0))
    elif len(xs) <= _MAX_SMALL:
        scene.add(Dots(thin_dots(xs, ys, 1.0), 2.0, colour))
    else:
        scene.add(Dots(thin_dots(xs, ys, 1.5), 1.0, colour))


def draw_bars(
    scene: Scene, series: list[Series], options: FrameOptions, *, stacked: bool
) -> None:
    """A bar chart: one band for each label, in it a bar for each series, side by side or stacked."""
    labels = categories(series)
    count = max(len(labels), 1)
    spans = stack(series, count) if stacked else [[(0.0, y) for y in one.ys] for one in series]
    ends = [end for one in spans for pair in one for end in pair if end == end]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    axis = XAxis("label", -0.5, count - 0.5, labels)
    plot = draw_frame(scene, axis, (min(low, 0.0), max(high, 0.0)) if ends else (0.0, 1.0), options)
    if not any(end == end for one in series for end in one.ys):
        draw_empty(scene, plot)
    lanes = 1 if stacked else max(len(series), 1)
    for number, one in enumerate(spans):
        _bars(scene, plot, one, 0 if stacked else number, lanes, series_colour(number))
    draw_axes(scene, plot)


def categories(series: list[Series]) -> list[str]:
    """Give every series a value for each label; rows of one series keep bars of their own."""
    if len(series) == 1 or all(one.xs is series[0].xs for one in series):
        return [to_label(x) for x in series[0].xs] if series else []
    labels: dict[str, int] = {}
    for one in series:
        for x in one.xs:
            labels.setdefault(to_label(x), len(labels))
    for one in series:
        sums = [math.nan] * len(labels)
        for x, y in zip(one.xs, one.ys):
            at = labels[to_label(x)]
            if y == y:
                sums[at] = y if sums[at] != sums[at] else sums[at] + y
        one.xs, one.ys = list(labels), sums
    return list(labels)


def stack(series: list[Series], count: int) -> list[list[tuple[float, float]]]:
    """Where each piece of a stack begins and ends; what is below zero goes down from it."""
    up, down = [0.0] * count, [0.0] * count
    spans = []
    for one in series:
        row = []
        for at, y in enumerate(one.ys):
            side = down if y < 0 else up
            row.append((side[at], side[at] + y))
            if y == y:
                side[at] += y
        spans.append(row)
    return spans


def _bars(
    scene: Scene, plot: Plot, spans: list[tuple[float, float]], lane: int, lanes: int, colour: str
) -> None:
    step = (plot.right - plot.left) / max(len(spans), 1)
    lane_width = step * (0.72 if lanes == 1 else 0.84) / lanes
    if step / lanes < _MIN_BAR:
        scene.add(Polygon(_skyline(plot, spans), colour))
        return
    gap = 1.0 if lane_width > 5 and lanes > 1 else 0.0
    width = min(lane_width - gap, 110.0)
    for at, (start, end) in enumerate(spans):
        if end != end or start == end:
            continue
        x = plot.x(at) + (lane - (lanes - 1) / 2) * (width + gap) - width / 2
        top, bottom = sorted((plot.y(start), plot.y(end)))
        scene.add(Rect(x, top, width, bottom - top, colour))


def _skyline(plot: Plot, spans: list[tuple[float, float]]) -> list[Point]:
    """Bars too thin to be seen apart, as one outline; for each pixel the one that reaches furthest."""
    furthest: dict[int, float] = {}
    half = (plot.right - plot.left) / max(len(spans), 1) / 2
    for at, (_, end) in enumerate(spans):
        middle = plot.x(at)
        for column in range(math.floor(middle - half), math.floor(middle + half) + 1):
            if end == end and abs(end) >= abs(furthest.get(column, 0.0)):
                furthest[column] = end
    zero = plot.y(0.0)
    points: list[Point] = [(plot.left, zero)]
    for column in range(math.floor(plot.left), math.ceil(plot.right)):
        y = plot.y(furthest[column]) if column in furthest else zero
        points += [(float(column), y), (column + 1.0, y)]
    points.append((plot.right, zero))
    return points
