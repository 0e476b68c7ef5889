"""A scene as SVG, with real text."""

from __future__ import annotations

import re
from typing import Iterable
from xml.sax.saxutils import escape

from .font import text_width
from .scene import Dots, Point, Polygon, Polyline, Rect, Scene, Shape, Text

_FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

#: Letters of a text that cannot be much too wide.
_SHORT = 7

#: What XML cannot hold.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_svg(scene: Scene) -> str:
    """The text of an SVG file."""
    width, height = scene.width, scene.height
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{_FONT}">',
        f"<title>{_clean(scene.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *(_shape(shape) for shape in scene.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _shape(shape: Shape) -> str:
    if isinstance(shape, Rect):
        faint = "" if shape.opacity >= 1 else f' fill-opacity="{shape.opacity:g}"'
        return (
            f'<rect x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" '
            f'height="{_n(shape.height)}" fill="{shape.fill}"{faint}/>'
        )
    if isinstance(shape, Polyline):
        return (
            f'<path d="{_path(shape.points)}" fill="none" stroke="{shape.stroke}" '
            f'stroke-width="{_n(shape.width)}" stroke-linejoin="round" stroke-linecap="round"/>'
        )
    if isinstance(shape, Polygon):
        edge = (
            f' stroke="{shape.stroke}" stroke-width="{_n(shape.width)}" stroke-linejoin="round"'
            if shape.stroke
            else ""
        )
        return f'<path d="{_path(shape.points)}Z" fill="{shape.fill}"{edge}/>'
    if isinstance(shape, Dots):
        return _dots(shape)
    return _text(shape)


def _dots(shape: Dots) -> str:
    """Discs as the round ends of lines without length: many times shorter than a circle each."""
    if not shape.edge:
        places = "".join(f"M{_n(x)} {_n(y)}h0" for x, y in shape.points)
        return _round(places, shape.fill, shape.radius * 2)
    return "\n".join(
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(shape.radius)}" fill="{shape.fill}" '
        f'stroke="#ffffff" stroke-width="{_n(shape.edge)}"/>'
        for x, y in shape.points
    )


def _round(places: str, stroke: str, width: float) -> str:
    return (
        f'<path d="{places}" stroke="{stroke}" stroke-width="{_n(width)}" stroke-linecap="round"/>'
    )


def _text(shape: Text) -> str:
    turn = f' transform="rotate({_n(shape.angle)} {_n(shape.x)} {_n(shape.y)})"' if shape.angle else ""
    weight = ' font-weight="bold"' if shape.bold else ""
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    # Whatever font the viewer has, a long text takes the room that was kept for it.
    if len(shape.text) > _SHORT:
        width = text_width(shape.text, shape.size, shape.bold)
        anchor += f' textLength="{_n(width)}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text x="{_n(shape.x)}" y="{_n(shape.y)}" font-size="{_n(shape.size)}" '
        f'fill="{shape.fill}"{anchor}{weight}{turn}>{_clean(shape.text)}</text>'
    )


def _path(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _clean(text: str) -> str:
    return escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text))
