"""PNG and SVG of charts: valid files, and the marks are where the values are."""

from __future__ import annotations

import math
import random
import unittest
import xml.etree.ElementTree as ElementTree

from .chart_case import Pixels, picture_of, scene_of, texts_of
from sandbox_runtime.charts.picture.canvas import Canvas
from sandbox_runtime.charts.picture.font import glyph, has_letters, shorten, text_width
from sandbox_runtime.charts.picture.outline import Outline, disc, polygon
from sandbox_runtime.charts.picture.scene import Dots, Polygon, Polyline, Rect

_BLUE = (0x00, 0x72, 0xB2)
_KINDS = ("bar", "line", "scatter", "pie", "histogram")


class PictureTest(unittest.TestCase):
    def test_every_kind_is_a_valid_png_and_a_valid_svg(self) -> None:
        for kind in _KINDS:
            with self.subTest(kind):
                picture = picture_of({"a": 3, "b": 5, "c": 2}, kind, title="T <&> \x00\ud800")
                pixels = Pixels(picture.png)
                self.assertEqual((pixels.width, pixels.height), (1600, 1000))
                self.assertEqual(pixels.at(0, 0), (255, 255, 255))
                self.assertGreater(pixels.count(_BLUE), 20)
                root = ElementTree.fromstring(picture.svg)
                self.assertEqual(root.get("viewBox"), "0 0 800 500")
                self.assertIn("T <&>", "".join(root.itertext()))

    def test_a_bar_covers_its_value(self) -> None:
        scene = scene_of({"a": 50, "b": 100}, "bar")
        small, large = (shape for shape in scene.shapes if isinstance(shape, Rect) and shape.fill == "#0072b2")
        self.assertAlmostEqual(large.height, 2 * small.height, places=6)
        self.assertAlmostEqual(small.y + small.height, large.y + large.height, places=6)
        pixels = Pixels(picture_of({"a": 50, "b": 100}, "bar").png)
        middle = round((large.x + large.width / 2) * 2)
        self.assertEqual(pixels.at(middle, round(large.y * 2) + 4), _BLUE)
        self.assertNotEqual(pixels.at(middle, round(large.y * 2) - 6), _BLUE)

    def test_negative_bars_hang_from_zero(self) -> None:
        scene = scene_of({"a": -10, "b": 10}, "bar")
        down, up = (shape for shape in scene.shapes if isinstance(shape, Rect) and shape.fill == "#0072b2")
        self.assertAlmostEqual(up.y + up.height, down.y, places=6)
        self.assertIn("\N{MINUS SIGN}10", texts_of(scene))

    def test_a_gap_breaks_the_line(self) -> None:
        scene = scene_of([1, 2, None, 4, float("nan"), 6, 7, float("inf")], "line")
        lines = [shape for shape in scene.shapes if isinstance(shape, Polyline)]
        self.assertEqual([len(line.points) for line in lines], [2, 2])
        (dots,) = (shape for shape in scene.shapes if isinstance(shape, Dots))
        self.assertEqual(len(dots.points), 5)

    def test_nothing_to_draw_says_so(self) -> None:
        for kind in _KINDS:
            for data in ([], {}, None, [None, None], {"a": [], "b": []}):
                with self.subTest(kind, data=data):
                    self.assertIn("No data", texts_of(scene_of(data, kind)))

    def test_slices_add_up_to_a_circle(self) -> None:
        scene = scene_of({f"n{at}": at for at in range(1, 31)}, "pie")
        slices = [shape for shape in scene.shapes if isinstance(shape, Polygon)]
        self.assertEqual(len(slices), 10)
        area = sum(abs(_area(one.points)) for one in slices)
        radius = math.dist(slices[0].points[0], slices[0].points[1])
        self.assertAlmostEqual(area / (math.pi * radius**2), 1, places=2)
        self.assertIn("Other (21)", texts_of(scene))

    def test_everything_stays_inside_the_picture(self) -> None:
        long = "A very long name of a thing that nobody can pronounce " * 3
        for kind in _KINDS:
            for width, height in ((100, 100), (300, 200), (800, 500)):
                with self.subTest(kind, width=width):
                    data = {f"{long}{at}": 10.0**at for at in range(12)}
                    scene = scene_of(data, kind, title=long, x_label=long, y_label=long, width=width, height=height)
                    for shape in scene.shapes:
                        if isinstance(shape, Rect) and width > 100:
                            self.assertGreaterEqual(shape.x, 0)
                            self.assertLessEqual(shape.x + shape.width, width + 1)
                            self.assertLessEqual(shape.y + shape.height, height + 1)

    def test_a_hundred_thousand_points_are_little_to_draw(self) -> None:
        rng = random.Random(1)
        values = list(enumerate(rng.gauss(0, 1) for _ in range(100_000)))
        for kind in ("line", "scatter", "bar", "histogram"):
            with self.subTest(kind):
                shapes = scene_of(values, kind).shapes
                points = sum(len(shape.points) for shape in shapes if isinstance(shape, (Polyline, Polygon, Dots)))
                # What costs time is each thing that is drawn; the picture is 1600 pixels wide.
                self.assertLess(len(shapes) + points, 100_000 // 2)
                picture = picture_of(values, kind)
                self.assertLess(len(picture.svg), 1_500_000)
                self.assertLess(len(picture.png), 1_500_000)

    def test_one_outlier_among_a_hundred_thousand_is_seen_where_it_is(self) -> None:
        values = [math.sin(at) for at in range(100_001)]
        values[70_000] = 10.0
        for kind in ("line", "scatter", "bar"):
            with self.subTest(kind):
                pixels = Pixels(picture_of(list(enumerate(values)), kind).png)
                columns = [pixels.blue_in_column(x) for x in range(pixels.width)]
                inked = [x for x, column in enumerate(columns) if column]
                highest = min(inked, key=lambda x: columns[x][0])
                self.assertAlmostEqual((highest - inked[0]) / (inked[-1] - inked[0]), 0.7, delta=0.005)
                # About ten times as high above the middle as the others; its tip is thin.
                usual = min(columns[x][0] for x in inked if abs(x - highest) > 20)
                middle = (usual + max(columns[x][-1] for x in inked)) / 2
                self.assertAlmostEqual((middle - columns[highest][0]) / (middle - usual), 10, delta=1.5)


class ShapesTest(unittest.TestCase):
    def test_the_area_of_an_outline_is_the_ink_it_leaves(self) -> None:
        for points in (disc((20.3, 20.7), 11.2), [(3.3, 4.1), (30.9, 8.2), (12.5, 33.3)]):
            canvas = Canvas(40, 40)
            polygon(canvas, [points], (0, 0, 0))
            ink = sum(255 - value for value in canvas.data[::3]) / 255
            self.assertAlmostEqual(ink / abs(_area(points)), 1, delta=0.01)

    def test_a_point_on_a_line_does_not_show(self) -> None:
        whole, cut = Canvas(30, 30), Canvas(30, 30)
        ends = [(5.0, 5.0), (25.0, 20.0)]
        for canvas, points in ((whole, ends), (cut, [ends[0], (15.0, 12.5), ends[1]])):
            outline = Outline(canvas)
            outline.add_stroke(points, 3)
            outline.fill((0, 0, 0))
        self.assertLess(max(abs(a - b) for a, b in zip(whole.data, cut.data)), 8)

    def test_shapes_outside_the_canvas_do_no_harm(self) -> None:
        canvas = Canvas(10, 10)
        polygon(canvas, [[(-50, -50), (60, -50), (60, 60), (-50, 60)]], (1, 2, 3))
        self.assertEqual(bytes(canvas.data), bytes((1, 2, 3)) * 100)
        polygon(canvas, [[(20, 20), (30, 20), (30, 30)]], (9, 9, 9))
        self.assertEqual(bytes(canvas.data), bytes((1, 2, 3)) * 100)


class FontTest(unittest.TestCase):
    def test_it_has_ascii_and_latin_1(self) -> None:
        self.assertTrue(has_letters("".join(map(chr, range(32, 127)))))
        self.assertTrue(has_letters("ÀÉÎÕÜÅÇÑàéîõüåçñßæøÆØ°±²³µ×÷£¥€§©·"))
        self.assertFalse(has_letters("漢"))

    def test_other_letters_are_a_box_of_some_width(self) -> None:
        self.assertEqual(len(glyph("漢")[1]), 1)
        self.assertGreater(text_width("漢字", 12), text_width("ab", 12))

    def test_a_long_text_is_cut_to_its_room(self) -> None:
        text = shorten("abcdefghijklmnopqrstuvwxyz", 12, 60)
        self.assertTrue(text.endswith("…"))
        self.assertLessEqual(text_width(text, 12), 60)
        self.assertEqual(shorten("abc", 12, 60), "abc")


def _area(points: object) -> float:
    corners = list(points)  # type: ignore[call-overload]
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1])) / 2


if __name__ == "__main__":
    unittest.main()
