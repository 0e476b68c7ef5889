"""An axis: its range, its ticks, and the room that its labels take."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .picture.font import shorten, text_width
from .style import TICK_SIZE
from .ticks import format_ticks, inner_ticks, linear_ticks, nice_step, time_ticks

#: Longest label before it is cut.
_MAX_LABEL = 150.0
_LINE = TICK_SIZE * 1.3


@dataclass
class Tick:
    """A place on an axis and the lines of text that stand there."""

    place: float
    lines: list[str]


@dataclass
class XAxis:
    """The horizontal axis: numbers, times (wall clock seconds) or labels (0, 1, 2 …)."""

    kind: str
    low: float
    high: float
    labels: list[str] = field(default_factory=list)
    #: All values are whole numbers: so are the ticks.
    whole: bool = False


@dataclass
class XLabels:
    """The ticks of a horizontal axis, laid out for a width."""

    ticks: list[Tick]
    height: float
    #: Whether the text is turned.
    slanted: bool = False


def y_ticks(low: float, high: float, height: float, whole: bool) -> tuple[list[float], list[str]]:
    """Ticks around the values, and their texts."""
    count = max(2, min(10, int(height / 52)))
    ticks, step = linear_ticks(low, high, count)
    if whole and step < 1:
        ticks = [float(n) for n in range(math.floor(low), math.ceil(high) + 1)]
        step = 1.0
    return ticks, format_ticks(ticks, step)


def lay_out(axis: XAxis, width: float, max_height: float) -> XLabels:
    """Choose ticks that do not run into each other."""
    if axis.kind == "label":
        return _label_ticks(axis.labels, width, max_height)
    if axis.kind == "time":
        return _time_ticks(axis, width)
    return _number_ticks(axis, width)


def _number_ticks(axis: XAxis, width: float) -> XLabels:
    count = max(2, min(12, int(width / 70)))
    while True:
        places, step = inner_ticks(axis.low, axis.high, count)
        if axis.whole and step < 1:
            places, step = [float(n) for n in range(math.ceil(axis.low), math.floor(axis.high) + 1)], 1.0
        texts = format_ticks(places, step)
        widest = max((text_width(text, TICK_SIZE) for text in texts), default=0.0)
        if count <= 2 or (widest + 14) * len(texts) <= width:
            ticks = [Tick(place, [text]) for place, text in zip(places, texts)]
            return XLabels(ticks, _LINE)
        count -= 1


def _time_ticks(axis: XAxis, width: float) -> XLabels:
    count = max(2, min(12, int(width / 75)))
    while True:
        found = time_ticks(axis.low, axis.high, count)
        widest = max(
            (text_width(text, TICK_SIZE) for _, *texts in found for text in texts), default=0.0
        )
        if count <= 2 or (widest + 14) * len(found) <= width:
            break
        count -= 1
    ticks = [Tick(place, [text, below] if below else [text]) for place, text, below in found]
    lines = max((len(tick.lines) for tick in ticks), default=1)
    return XLabels(ticks, _LINE * lines)


def _label_ticks(labels: list[str], width: float, max_height: float) -> XLabels:
    count = max(len(labels), 1)
    step = width / count
    room = step - 8
    # Of very many labels some stand for all.
    widths = [text_width(label, TICK_SIZE) for label in labels[:: max(1, count // 300)]]
    if max(widths, default=0.0) <= room:
        return XLabels([Tick(at, [label]) for at, label in enumerate(labels)], _LINE)
    if count <= 60:
        halves = [_halve(label) for label in labels]
        if all(text_width(line, TICK_SIZE) <= room for lines in halves for line in lines):
            return XLabels([Tick(at, lines) for at, lines in enumerate(halves)], 2 * _LINE)
    longest = min(_MAX_LABEL, max_height / 0.75)
    if step >= TICK_SIZE * 1.35:
        cut = [shorten(label, TICK_SIZE, longest) for label in labels]
        height = max(text_width(text, TICK_SIZE) for text in cut) * 0.71 + 12
        return XLabels([Tick(at, [text]) for at, text in enumerate(cut)], height, True)
    each = round(nice_step((min(max(widths), longest) + 16) / step, 1))
    ticks = [
        Tick(at, [shorten(labels[at], TICK_SIZE, each * step - 10)]) for at in range(0, count, each)
    ]
    return XLabels(ticks, _LINE)


def _halve(label: str) -> list[str]:
    """A label on two lines, cut at the space nearest to its middle."""
    spaces = [at for at, letter in enumerate(label) if letter == " "]
    if not spaces:
        return [label]
    cut = min(spaces, key=lambda at: abs(at - len(label) / 2))
    return [label[:cut], label[cut + 1 :]]
