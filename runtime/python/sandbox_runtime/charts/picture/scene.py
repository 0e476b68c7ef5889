"""A picture as a list of shapes: what ``svg`` and ``raster`` both draw. Pixels, y grows downwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Sequence, Union

#: A corner or a place.
Point = tuple[float, float]


@dataclass(frozen=True)
class Rect:
    """A filled rectangle; thin ones are the lines of axes and grids."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Polyline:
    """An open line."""

    points: Sequence[Point]
    stroke: str
    width: float


@dataclass(frozen=True)
class Polygon:
    """A filled outline, with an edge if it has a stroke."""

    points: Sequence[Point]
    fill: str
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True)
class Dots:
    """Equal discs; ``edge`` is the width of the white ring that keeps neighbours apart."""

    points: Sequence[Point]
    radius: float
    fill: str
    edge: float = 0.0


@dataclass(frozen=True)
class Text:
    """One line of text. ``y`` is its baseline; ``angle`` turns it clockwise, in degrees, about its place."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "start"
    angle: float = 0.0
    bold: bool = False


Shape = Union[Rect, Polyline, Polygon, Dots, Text]


@dataclass
class Scene:
    """Shapes on white, in the order in which they are drawn."""

    width: int
    height: int
    title: str
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        """Draw on top of what is there."""
        self.shapes.extend(shapes)
