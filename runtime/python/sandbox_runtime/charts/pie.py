"""Pie charts: shares of a whole, with their names, values and percentages beside it."""

from __future__ import annotations

import math

from .data.series import Series
from .data.values import to_label
from .header import draw_header
from .picture.font import shorten, text_width
from .picture.scene import Point, Polygon, Rect, Scene, Text
from .style import INK, LABEL, LABEL_SIZE, MARGIN, TICK, TICK_SIZE, WHITE, series_colour
from .ticks import format_value

#: Most slices; smaller ones are added up.
_MAX_SLICES = 10
_OTHER = "#b8bec6"
_SWATCH = 11.0


def draw_pie(scene: Scene, series: list[Series], title: str) -> None:
    """Slices clockwise from the top, the largest first."""
    slices = make_slices(series)
    top = draw_header(scene, title, [])
    height = scene.height - top - MARGIN
    total = sum(value for _, value in slices)
    if not total:
        middle = scene.width / 2
        scene.add(Text(middle, top + height / 2, "No data", LABEL_SIZE, TICK, "middle"))
        return
    rows = [f"{format_value(value)} ({_percent(value, total)})" for _, value in slices]
    names_room = scene.width * 0.3
    names = [shorten(name, LABEL_SIZE, names_room) for name, _ in slices]
    value_width = max(text_width(row, LABEL_SIZE) for row in rows)
    name_width = max(text_width(name, LABEL_SIZE) for name in names)
    key_width = _SWATCH + 8 + name_width + 16 + value_width
    radius = max(min(height / 2 - 4, (scene.width - key_width - 3 * MARGIN - 24) / 2), 20.0)
    left = max((scene.width - 2 * radius - 40 - key_width) / 2, MARGIN)
    centre = (left + radius, top + height / 2)
    colours = [
        _OTHER if name.startswith("Other (") and at == len(slices) - 1 else series_colour(at)
        for at, (name, _) in enumerate(slices)
    ]
    _slices(scene, slices, total, centre, radius, colours)
    place = (left + 2 * radius + 40, centre[1])
    _key(scene, names, rows, place, name_width + 16 + value_width, height, colours)


def make_slices(series: list[Series]) -> list[tuple[str, float]]:
    """Names and values, largest first; the smallest together as one."""
    if len(series) > 1:
        names = ", ".join(repr(one.name) for one in series)
        raise ValueError(f"A pie chart shows one column: choose y from {names}")
    found: list[tuple[str, float]] = []
    for one in series:
        for number, (x, y) in enumerate(zip(one.xs, one.ys)):
            if y < 0:
                raise ValueError(
                    f"Cannot draw {to_label(x)!r} as a slice: {one.name!r} in row {number} is {y:g}, "
                    "less than zero; a bar chart can show it"
                )
            if y > 0:
                found.append((to_label(x), y))
    found.sort(key=lambda item: -item[1])
    if len(found) <= _MAX_SLICES:
        return found
    rest = found[_MAX_SLICES - 1 :]
    return [*found[: _MAX_SLICES - 1], (f"Other ({len(rest)})", sum(value for _, value in rest))]


def _percent(value: float, total: float) -> str:
    share = value / total * 100
    return "<0.1%" if share < 0.05 else f"{share:.1f}%" if share < 99.95 else "100%"


def _slices(
    scene: Scene,
    slices: list[tuple[str, float]],
    total: float,
    centre: Point,
    radius: float,
    colours: list[str],
) -> None:
    start = -math.pi / 2
    inside: list[Text] = []
    for (_, value), fill in zip(slices, colours):
        end = start + 2 * math.pi * value / total
        arc = _arc(centre, radius, start, end)
        if len(slices) == 1:
            scene.add(Polygon(arc, fill))
        else:
            scene.add(Polygon([centre, *arc], fill, WHITE, 1.5))
        if value / total >= 0.06:
            middle = (start + end) / 2
            away = radius * (0.68 if len(slices) > 1 else 0.0)
            x, y = centre[0] + away * math.cos(middle), centre[1] + away * math.sin(middle)
            text = f"{value / total * 100:.0f}%"
            ink = INK if _is_light(fill) else WHITE
            inside.append(Text(x, y + LABEL_SIZE * 0.35, text, LABEL_SIZE, ink, "middle", bold=True))
        start = end
    scene.add(*inside)


def _arc(centre: Point, radius: float, start: float, end: float) -> list[Point]:
    count = max(2, math.ceil((end - start) / (2 * math.pi) * 120) + 1)
    return [
        (
            centre[0] + radius * math.cos(start + (end - start) * at / (count - 1)),
            centre[1] + radius * math.sin(start + (end - start) * at / (count - 1)),
        )
        for at in range(count)
    ]


def _is_light(fill: str) -> bool:
    red, green, blue = (int(fill[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 150


def _key(
    scene: Scene,
    names: list[str],
    rows: list[str],
    place: Point,
    width: float,
    height: float,
    colours: list[str],
) -> None:
    """A row for each slice, as many as there is room for."""
    shown = max(1, min(len(names), int(height / 15)))
    line = min(24.0, height / shown)
    x, y = place[0], place[1] - line * shown / 2
    for name, row, fill in list(zip(names, rows, colours))[:shown]:
        scene.add(
            Rect(x, y + line / 2 - _SWATCH / 2, _SWATCH, _SWATCH, fill),
            Text(x + _SWATCH + 8, y + line / 2 + 4.5, name, LABEL_SIZE, LABEL),
            Text(x + _SWATCH + 8 + width, y + line / 2 + 4.5, row, TICK_SIZE, TICK, "end"),
        )
        y += line
