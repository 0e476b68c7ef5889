"""A scene as pixels."""

from __future__ import annotations

import functools
import math

from .canvas import Canvas, Mask, colour, make_mask, to_png
from .font import glyph, text_width
from .outline import Outline, polygon
from .scene import Dots, Point, Polygon, Polyline, Rect, Scene, Shape, Text

_WHITE = (255, 255, 255)

#: Width of the strokes of letters, in ems.
_WEIGHT = 0.085
_BOLD_WEIGHT = 0.125

#: Dots that get smooth edges.
_MAX_SMOOTH = 2000


def rasterise(scene: Scene, scale: int) -> bytes:
    """The scene as a PNG with ``scale`` pixels for each unit."""
    canvas = Canvas(scene.width * scale, scene.height * scale)
    for shape in scene.shapes:
        _draw(canvas, shape, scale)
    return to_png(canvas.width, canvas.height, canvas.data, scale)


def _draw(canvas: Canvas, shape: Shape, scale: int) -> None:
    if isinstance(shape, Rect):
        _rect(canvas, shape, scale)
    elif isinstance(shape, Polyline):
        _stroke(canvas, shape.points, shape.stroke, shape.width, scale)
    elif isinstance(shape, Polygon):
        points = _scaled(shape.points, scale)
        polygon(canvas, [points], colour(shape.fill))
        if shape.stroke:
            closed = [*shape.points, shape.points[0]]
            _stroke(canvas, closed, shape.stroke, shape.width, scale)
    elif isinstance(shape, Dots):
        _dots(canvas, shape, scale)
    else:
        _text(canvas, shape, scale)


def _scaled(points: object, scale: int) -> list[Point]:
    return [(x * scale, y * scale) for x, y in points]  # type: ignore[attr-defined]


def _stroke(canvas: Canvas, points: object, stroke: str, width: float, scale: int) -> None:
    outline = Outline(canvas)
    outline.add_stroke(_scaled(points, scale), width * scale)
    outline.fill(colour(stroke))


def _rect(canvas: Canvas, shape: Rect, scale: int) -> None:
    """A rectangle on whole pixels: edges are crisp, and rows are filled at once."""
    left = round(shape.x * scale)
    top = round(shape.y * scale)
    right = max(round((shape.x + shape.width) * scale), left + 1)
    bottom = max(round((shape.y + shape.height) * scale), top + 1)
    fill = colour(shape.fill)
    for y in range(max(top, 0), min(bottom, canvas.height)):
        canvas.span(y, left, right, fill, shape.opacity)


def _dots(canvas: Canvas, shape: Dots, scale: int) -> None:
    """Discs as copies of one stamp on whole pixels."""
    fill = colour(shape.fill)
    radius = shape.radius * scale
    reach = math.ceil(radius + shape.edge * scale) + 1
    if len(shape.points) > _MAX_SMOOTH:
        _many_dots(canvas, shape, scale, _disc_mask(radius, reach), reach)
        return
    inner = _disc_mask(radius - shape.edge * scale / 2, reach)
    ring = _disc_mask(radius + shape.edge * scale / 2, reach) if shape.edge else None
    for x, y in shape.points:
        left, top = round(x * scale) - reach, round(y * scale) - reach
        if ring is not None:
            canvas.stamp(left, top, ring, _WHITE)
        canvas.stamp(left, top, inner, fill)


def _many_dots(canvas: Canvas, shape: Dots, scale: int, mask: Mask, reach: int) -> None:
    """Discs without smooth edges, a row of each at once."""
    fill = bytes(colour(shape.fill))
    stride = canvas.width * 3
    strips = []
    for row, whole, edges in mask:
        columns = [column for span in whole for column in range(*span)]
        columns += [column for column, cover in edges if cover >= 0.5]
        if columns:
            start = (row - reach) * stride + (min(columns) - reach) * 3
            strips.append((start, fill * len(columns), len(columns) * 3))
    data = canvas.data
    right, bottom = canvas.width - reach, canvas.height - reach
    for x, y in shape.points:
        column, row = round(x * scale), round(y * scale)
        if reach <= column < right and reach <= row < bottom:
            at = row * stride + column * 3
            for start, strip, size in strips:
                data[at + start : at + start + size] = strip


@functools.lru_cache(maxsize=64)
def _disc_mask(radius: float, reach: int) -> Mask:
    covers = {}
    for row in range(2 * reach):
        for column in range(2 * reach):
            distance = math.hypot(column + 0.5 - reach, row + 0.5 - reach)
            covers[(row, column)] = min(max(radius + 0.5 - distance, 0.0), 1.0)
    return make_mask(covers)


def _text(canvas: Canvas, shape: Text, scale: int) -> None:
    size = shape.size * scale
    width = text_width(shape.text, size, shape.bold)
    before = {"middle": width / 2, "end": width}.get(shape.anchor, 0.0)
    turn = math.radians(shape.angle)
    along_x, along_y = math.cos(turn), math.sin(turn)
    x = shape.x * scale - before * along_x
    y = shape.y * scale - before * along_y
    fill = colour(shape.fill)
    stretch = width / max(text_width(shape.text, size), 1e-9)
    for letter in shape.text:
        left, top = math.floor(x), math.floor(y)
        # Letters stand on a quarter of a pixel, so that few masks serve them all.
        place = (int((x - left) * 4) / 4, int((y - top) * 4) / 4)
        mask = _glyph_mask(letter, size, shape.angle, shape.bold, place)
        canvas.stamp(left, top, mask, fill)
        step = glyph(letter)[0] * size * stretch
        x += step * along_x
        y += step * along_y


@functools.lru_cache(maxsize=4096)
def _glyph_mask(letter: str, size: float, angle: float, bold: bool, place: Point) -> Mask:
    """The pixels of a letter: covered by how near they are to its strokes."""
    half = max(size * (_BOLD_WEIGHT if bold else _WEIGHT), 1.0) / 2
    turn = math.radians(angle)
    cos, sin = math.cos(turn) * size, math.sin(turn) * size
    covers: dict[tuple[int, int], float] = {}
    for stroke in glyph(letter)[1]:
        points = [
            (x * cos + y * sin + place[0], x * sin - y * cos + place[1]) for x, y in stroke
        ]
        for start, end in zip(points, points[1:] or points):
            _near(covers, start, end, half)
    return make_mask(covers)


def _near(covers: dict[tuple[int, int], float], start: Point, end: Point, half: float) -> None:
    (x0, y0), (x1, y1) = start, end
    dx, dy = x1 - x0, y1 - y0
    square = dx * dx + dy * dy
    reach = half + 0.5
    for row in range(math.floor(min(y0, y1) - reach), math.ceil(max(y0, y1) + reach)):
        py = row + 0.5 - y0
        for column in range(math.floor(min(x0, x1) - reach), math.ceil(max(x0, x1) + reach)):
            px = column + 0.5 - x0
            t = (px * dx + py * dy) / square if square else 0.0
            t = 0.0 if t < 0 else 1.0 if t > 1 else t
            cover = reach - math.hypot(px - t * dx, py - t * dy)
            if cover > covers.get((row, column), 0.0):
                covers[(row, column)] = cover if cover < 1 else 1.0


