"""The frame of a chart with two axes: margins that fit the labels, grid, axes, and where a value lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from .axes import XAxis, XLabels, lay_out, y_ticks
from .header import Entry, draw_header
from .picture.font import shorten, text_width
from .picture.scene import Rect, Scene, Text
from .style import AXIS, GRID, LABEL, LABEL_SIZE, MARGIN, TICK, TICK_SIZE

_MAX_TICK = 140.0


@dataclass
class Plot:
    """The inside of the frame, in pixels, and the values at its edges."""

    left: float
    top: float
    right: float
    bottom: float
    x_low: float
    x_high: float
    y_low: float
    y_high: float

    def x(self, value: float) -> float:
        """Where a value lies from left to right."""
        share = (value - self.x_low) / ((self.x_high - self.x_low) or 1.0)
        return self.left + share * (self.right - self.left)

    def points(self, xs: Sequence[float], ys: Sequence[float]) -> tuple[list[float], list[float]]:
        """Where many values lie; in one go, since there may be a million."""
        left, low = self.left, self.x_low
        wide = (self.right - left) / ((self.x_high - low) or 1.0)
        bottom, least = self.bottom, self.y_low
        high = (bottom - self.top) / ((self.y_high - least) or 1.0)
        return [left + (x - low) * wide for x in xs], [bottom - (y - least) * high for y in ys]

    def y(self, value: float) -> float:
        """Where a value lies from top to bottom."""
        share = (value - self.y_low) / ((self.y_high - self.y_low) or 1.0)
        return self.bottom - share * (self.bottom - self.top)


@dataclass
class FrameOptions:
    """What is written around the plot."""

    title: str
    x_label: str
    y_label: str
    entries: list[Entry]
    #: Lines across the x axis too.
    grid_x: bool = False
    #: The values of y are counted, not measured.
    whole: bool = False


def draw_frame(
    scene: Scene, x_axis: XAxis, y_range: tuple[float, float], options: FrameOptions
) -> Plot:
    """Draw all but the marks. The zero line comes last, by ``draw_axes``."""
    top = draw_header(scene, options.title, options.entries) + 12
    below = MARGIN + (LABEL_SIZE + 10 if options.x_label else 0)
    rough_height = max(scene.height - top - below - 20, 20.0)
    ticks, texts = y_ticks(*y_range, rough_height, options.whole)
    texts = [shorten(text, TICK_SIZE, _MAX_TICK) for text in texts]
    widest = max(text_width(text, TICK_SIZE) for text in texts)
    left = MARGIN + widest + 8 + (LABEL_SIZE + 8 if options.y_label else 0)
    # However small the picture, something is left of the plot.
    left = min(left, scene.width * 0.6)
    right = max(scene.width - MARGIN - 6, left + 10)
    labels = lay_out(x_axis, right - left, scene.height * 0.3)
    if labels.slanted:
        # A turned label reaches to the left of its tick.
        first = labels.ticks[0]
        reach = text_width(first.lines[0], TICK_SIZE) * 0.71
        step = (right - left) / max(len(x_axis.labels), 1)
        left = max(left, min(MARGIN / 2 + reach - step / 2, scene.width * 0.3))
    bottom = max(scene.height - below - labels.height - 8, top + 10)
    plot = Plot(left, top, right, bottom, x_axis.low, x_axis.high, ticks[0], ticks[-1])
    _grid(scene, plot, list(zip(ticks, texts)), labels, options.grid_x)
    _x_labels(scene, plot, labels)
    _titles(scene, plot, options)
    return plot


def _grid(
    scene: Scene, plot: Plot, ticks: list[tuple[float, str]], labels: XLabels, grid_x: bool
) -> None:
    for tick, text in ticks:
        y = round(plot.y(tick))
        scene.add(Rect(plot.left, y - 0.5, plot.right - plot.left, 1, GRID))
        scene.add(Text(plot.left - 8, y + TICK_SIZE * 0.35, text, TICK_SIZE, TICK, "end"))
    if grid_x:
        for label in labels.ticks:
            x = round(plot.x(label.place))
            scene.add(Rect(x - 0.5, plot.top, 1, plot.bottom - plot.top, GRID))


def _x_labels(scene: Scene, plot: Plot, labels: XLabels) -> None:
    for tick in labels.ticks:
        x = plot.x(tick.place)
        if labels.slanted:
            y = plot.bottom + 14
            scene.add(Text(x + 4, y, tick.lines[0], TICK_SIZE, TICK, "end", -45))
            continue
        for number, line in enumerate(tick.lines):
            half = text_width(line, TICK_SIZE) / 2
            # Kept inside the picture at both ends.
            middle = min(max(x, half + 4), scene.width - half - 4)
            y = plot.bottom + 18 + number * TICK_SIZE * 1.3
            scene.add(Text(middle, y, line, TICK_SIZE, TICK, "middle"))


def _titles(scene: Scene, plot: Plot, options: FrameOptions) -> None:
    if options.x_label:
        text = shorten(options.x_label, LABEL_SIZE, plot.right - plot.left)
        middle = (plot.left + plot.right) / 2
        scene.add(Text(middle, scene.height - MARGIN + 4, text, LABEL_SIZE, LABEL, "middle"))
    if options.y_label:
        text = shorten(options.y_label, LABEL_SIZE, plot.bottom - plot.top)
        middle = (plot.top + plot.bottom) / 2
        scene.add(Text(MARGIN + 6, middle, text, LABEL_SIZE, LABEL, "middle", -90))


def draw_axes(scene: Scene, plot: Plot) -> None:
    """The line at zero, or at the bottom where zero is not shown; over the marks."""
    zero = min(max(0.0, plot.y_low), plot.y_high)
    scene.add(Rect(plot.left, round(plot.y(zero)) - 0.5, plot.right - plot.left, 1, AXIS))


def draw_empty(scene: Scene, plot: Plot) -> None:
    """Say that there is nothing to see."""
    x, y = (plot.left + plot.right) / 2, (plot.top + plot.bottom) / 2
    scene.add(Text(x, y, "No data", LABEL_SIZE, TICK, "middle"))
