"""A scene as pixels, drawn by matplotlib: its fonts know scripts that ours does not."""

from __future__ import annotations

import io
import warnings
from typing import Any

from matplotlib.figure import Figure  # type: ignore[import-not-found]
from matplotlib.font_manager import FontProperties  # type: ignore[import-not-found]
from matplotlib.patches import Circle, PathPatch, Polygon as Patch, Rectangle  # type: ignore[import-not-found]
from matplotlib.lines import Line2D  # type: ignore[import-not-found]
from matplotlib.textpath import TextPath  # type: ignore[import-not-found]
from matplotlib.transforms import Affine2D  # type: ignore[import-not-found]

from .font import text_width
from .scene import Dots, Polygon, Polyline, Rect, Scene, Shape, Text

_DPI = 72


def rasterise_with_matplotlib(scene: Scene, scale: int) -> bytes:
    """The scene as a PNG; on a figure of its own, ``pyplot`` and its state are left alone."""
    figure = Figure(figsize=(scene.width / _DPI, scene.height / _DPI), dpi=_DPI, facecolor="#ffffff")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.axis("off")
    for order, shape in enumerate(scene.shapes):
        for artist in _artists(shape):
            artist.set_zorder(order + 1)
            artist.set_clip_on(False)
            axes.add_artist(artist)
    target = io.BytesIO()
    with warnings.catch_warnings():
        # A letter that its fonts lack as well is a box.
        warnings.simplefilter("ignore")
        figure.savefig(target, format="png", dpi=_DPI * scale)
    return target.getvalue()


def _artists(shape: Shape) -> list[Any]:
    if isinstance(shape, Rect):
        corner = (shape.x, shape.y)
        return [Rectangle(corner, shape.width, shape.height, color=shape.fill, alpha=shape.opacity, lw=0)]
    if isinstance(shape, Polyline):
        xs, ys = zip(*shape.points)
        return [
            Line2D(xs, ys, color=shape.stroke, lw=shape.width, solid_joinstyle="round", solid_capstyle="round")
        ]
    if isinstance(shape, Polygon):
        edge = shape.stroke or "none"
        return [Patch(shape.points, facecolor=shape.fill, edgecolor=edge, lw=shape.width, joinstyle="round")]
    if isinstance(shape, Dots):
        return [
            Circle(point, shape.radius, facecolor=shape.fill, edgecolor="#ffffff", lw=shape.edge)
            for point in shape.points
        ]
    return _text(shape)


def _text(shape: Text) -> list[Any]:
    """A text as an outline that takes no more room than was kept for it."""
    if not shape.text.strip():
        return []
    font = FontProperties(weight="bold" if shape.bold else "normal")
    # A dollar is a dollar here, not the start of a formula.
    text = shape.text.replace("$", r"\$")
    path = TextPath((0, 0), text, size=shape.size, prop=font)
    room = text_width(shape.text, shape.size, shape.bold)
    drawn = path.get_extents().x1 or 1.0
    narrow = min(1.0, room / drawn)
    width = drawn * narrow
    before = {"middle": width / 2, "end": width}.get(shape.anchor, 0.0)
    place = Affine2D().scale(narrow, -1).translate(-before, 0)
    place.rotate_deg(shape.angle).translate(shape.x, shape.y)
    return [PathPatch(place.transform_path(path), color=shape.fill, lw=0)]
