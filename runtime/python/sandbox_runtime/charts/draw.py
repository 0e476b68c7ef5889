"""Data and options → a chart, as PNG and SVG. Pure: it stores and shows nothing."""

from __future__ import annotations

import difflib
import importlib.util
from dataclasses import dataclass
from typing import Any

from .data.series import Series, select
from .data.table import to_table
from .data.values import to_label
from .frame import FrameOptions
from .histogram import draw_histogram, pick_values
from .marks import draw_bars, draw_points
from .picture.font import has_letters
from .picture.raster import rasterise
from .picture.scene import Scene, Text
from .picture.svg import to_svg
from .pie import draw_pie
from .style import series_colour

#: Names that callers use for the kinds of chart.
_KINDS = {
    "bar": "bar",
    "column": "bar",
    "line": "line",
    "scatter": "scatter",
    "pie": "pie",
    "histogram": "histogram",
    "hist": "histogram",
}

#: Names of columns that we made up: as the name of an axis they say nothing.
_MADE_UP = ("label", "value", "x", "y", "index")

_LEAST, _MOST = 100, 4000
#: Pixels that a picture may have to be drawn at double resolution.
_MAX_DOUBLE = 600_000


@dataclass(frozen=True)
class Options:
    """How a chart is drawn. ``None`` leaves a text to the names of the columns; ``""`` leaves it out."""

    title: Any = None
    x_label: Any = None
    y_label: Any = None
    width: Any = 800
    height: Any = 500
    group: Any = None
    stacked: bool = False
    bins: Any = None


@dataclass(frozen=True)
class Drawing:
    """One picture in two forms."""

    png: bytes
    svg: str


@dataclass
class Plan:
    """What is drawn, once all that the caller left open is decided."""

    kind: str
    series: list[Series]
    title: str
    x_label: str
    y_label: str
    width: int
    height: int
    stacked: bool
    bins: Any

    @property
    def names(self) -> list[str]:
        """Names of the series."""
        return [to_label(one.name) for one in self.series]


def make_plan(data: Any, chart_type: Any, x: Any, y: Any, options: Options) -> Plan:
    """Read data and options; whatever is wrong with them is said here."""
    kind = chart_kind(chart_type)
    width, height = _size("width", options.width), _size("height", options.height)
    table = to_table(data)
    if kind == "histogram":
        series = pick_values(table, x, y, options.group)
        x_name, y_name = (series[0].name if len(series) == 1 else ""), "Count"
    else:
        numbers_on_x = kind in ("line", "scatter")
        series, x_name, y_name = select(table, x, y, options.group, numbers_on_x=numbers_on_x)
    return Plan(
        kind=kind,
        series=series,
        title="" if options.title is None else to_label(options.title) if options.title else "",
        x_label=_words(options.x_label, x_name),
        y_label=_words(options.y_label, y_name),
        width=width,
        height=height,
        stacked=bool(options.stacked),
        bins=options.bins,
    )


def draw(plan: Plan) -> Drawing:
    """Draw a chart. The standard library is enough; letters that our font lacks are matplotlib's, if any."""
    scene = make_scene(plan)
    scale = 2 if scene.width * scene.height <= _MAX_DOUBLE else 1
    if not _can_write(scene) and importlib.util.find_spec("matplotlib") is not None:
        from .picture.with_matplotlib import rasterise_with_matplotlib as to_pixels
    else:
        to_pixels = rasterise
    return Drawing(to_pixels(scene, scale), to_svg(scene))


def _can_write(scene: Scene) -> bool:
    return all(has_letters(shape.text) for shape in scene.shapes if isinstance(shape, Text))


def make_scene(plan: Plan) -> Scene:
    """The shapes of a chart."""
    scene = Scene(plan.width, plan.height, plan.title or f"{plan.kind} chart")
    if plan.kind == "pie":
        draw_pie(scene, plan.series, plan.title)
        return scene
    entries = [(name, series_colour(number)) for number, name in enumerate(plan.names)]
    frame = FrameOptions(
        plan.title, plan.x_label, plan.y_label, entries if len(entries) > 1 else []
    )
    if plan.kind == "histogram":
        draw_histogram(scene, plan.series, plan.bins, frame)
    elif plan.kind == "bar":
        draw_bars(scene, plan.series, frame, stacked=plan.stacked)
    else:
        draw_points(scene, plan.series, frame, lines=plan.kind == "line")
    return scene


def chart_kind(name: Any) -> str:
    """The kind of chart that a caller means: ``bar``, ``Bar chart``, ``barplot`` …"""
    text = str(name).strip().lower()
    for ending in ("chart", "plot", "graph"):
        text = text.removesuffix(ending).rstrip(" _-")
    if text in _KINDS:
        return _KINDS[text]
    kinds = ", ".join(repr(kind) for kind in dict.fromkeys(_KINDS.values()))
    close = difflib.get_close_matches(text, _KINDS, n=1)
    hint = f"did you mean {_KINDS[close[0]]!r}? There are" if close else "there are"
    raise ValueError(f"Unknown chart type {str(name)[:40]!r}: {hint} {kinds}")


def _words(given: Any, name: str) -> str:
    if given is None:
        return "" if name in _MADE_UP else to_label(name) if name else ""
    return to_label(given) if given != "" else ""


def _size(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not _LEAST <= value <= _MOST:
        raise ValueError(
            f"Cannot use {name}={value!r}: expected a number of pixels from {_LEAST} to {_MOST}"
        )
    return round(value)
