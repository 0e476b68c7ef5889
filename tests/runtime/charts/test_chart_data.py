"""What ``render_chart`` takes: shapes of data, axes, and errors that name the column."""

from __future__ import annotations

import datetime
import decimal
import math
import random
import unittest
from typing import Any

from .chart_case import picture_of, scene_of, texts_of
from sandbox_runtime.charts.data.values import to_seconds
from sandbox_runtime.charts.draw import Options, make_plan
from sandbox_runtime.charts.histogram import count_values, make_edges
from sandbox_runtime.charts.ticks import format_ticks, inner_ticks, linear_ticks, time_ticks

_ROWS = [{"city": "Rome", "temp": 21, "rain": 3}, {"city": "Oslo", "temp": 9, "rain": None}]


class _Series(list):  # type: ignore[type-arg]
    def tolist(self) -> list[Any]:
        return list(self)


class _Frame:
    """What charts use of a DataFrame."""

    def __init__(self, data: dict[str, list[Any]], index: Any) -> None:
        self._data = data
        self.columns = list(data)
        self.index = index

    def __getitem__(self, name: str) -> _Series:
        return _Series(self._data[name])

    def to_dict(self) -> dict[str, Any]:
        raise AssertionError("columns are enough")


def _plan(data: Any, kind: str = "bar", x: Any = None, y: Any = None, **options: Any) -> Any:
    return make_plan(data, kind, x, y, Options(**options))


class ShapesOfDataTest(unittest.TestCase):
    def _same(self, data: Any, **options: Any) -> None:
        (one,) = _plan(data, **options).series
        self.assertEqual((list(one.xs), one.ys), (["Rome", "Oslo"], [21.0, 9.0]))

    def test_all_shapes_mean_the_same(self) -> None:
        self._same(_ROWS, x="city", y="temp")
        self._same(_ROWS, y="temp")
        self._same({"city": ["Rome", "Oslo"], "temp": [21, 9]})
        self._same({"Rome": 21, "Oslo": decimal.Decimal(9)})
        self._same([("Rome", 21), ["Oslo", "9"]], y="y")
        self._same({"Rome": {"temp": 21}, "Oslo": {"temp": 9}})
        self._same((row for row in _ROWS), x="city", y="temp")
        self._same(None, x=["Rome", "Oslo"], y=[21, 9])
        self._same(_Frame({"temp": [21, 9]}, _Series(["Rome", "Oslo"])))

    def test_several_columns_and_groups_are_series(self) -> None:
        self.assertEqual(_plan(_ROWS, y=["temp", "rain"]).names, ["temp", "rain"])
        self.assertEqual(_plan(_ROWS).names, ["temp", "rain"])
        rows = [{"x": 1, "y": 2, "g": "a"}, {"x": 1, "y": 3, "g": "b"}, {"x": 2, "y": 4, "g": "a"}]
        plan = _plan(rows, "line", "x", "y", group="g")
        self.assertEqual([(one.name, one.ys) for one in plan.series], [("a", [2, 4]), ("b", [3])])

    def test_numbers_alone_are_drawn_in_their_order(self) -> None:
        (one,) = _plan([5, 6, 7], "line").series
        self.assertEqual((list(one.xs), one.ys), ([0, 1, 2], [5, 6, 7]))

    def test_columns_name_the_axes_unless_told(self) -> None:
        self.assertEqual(_plan(_ROWS, x="city", y="temp").y_label, "temp")
        self.assertEqual(_plan(_ROWS, x="city", y="temp", y_label="°C").y_label, "°C")
        self.assertEqual(_plan(_ROWS, x="city", y="temp", y_label="").y_label, "")

    def test_errors_name_the_thing_and_what_there_is(self) -> None:
        for arguments, message in (
            ((_ROWS, "bar", "city", "tmp"), "no column 'tmp' for y: did you mean 'temp'? The columns are 'city', 'temp', 'rain'"),
            ((_ROWS, "bar", "zzzzz", "temp"), "no column 'zzzzz' for x: the columns are"),
            ((_ROWS, "bar", "temp", "city"), "Cannot draw column 'city': 'Rome' in row 0 is not a number"),
            ((_ROWS, "donut"), "Unknown chart type 'donut': there are 'bar', 'line', 'scatter', 'pie', 'histogram'"),
            ((_ROWS, "scater"), "did you mean 'scatter'?"),
            (("a,b", "bar"), "Cannot draw text"),
            ((5, "bar"), "Cannot draw int"),
            (({"a": [1, 2], "b": [1]}, "bar"), "different lengths: 'a' has 2, 'b' has 1"),
            (([1, "x"], "bar"), "No column holds numbers"),
            (([{"a": 1}, 5], "bar"), "Row 1 is 5"),
            (({"a": -1, "b": 2}, "pie"), "Cannot draw 'a' as a slice"),
        ):
            with self.subTest(message), self.assertRaises((ValueError, TypeError)) as caught:
                picture_of(*arguments)
            self.assertIn(message, str(caught.exception))

    def test_bad_options_are_named(self) -> None:
        for options in ({"width": 5}, {"height": "x"}, {"bins": 0}, {"bins": [1]}, {"width": True}):
            (name,) = options
            with self.subTest(options), self.assertRaisesRegex(ValueError, f"Cannot use {name}="):
                picture_of([1, 2], "histogram", **options)

    def test_garbage_gives_a_picture_or_an_error_that_speaks(self) -> None:
        rng = random.Random(7)
        pool = [0, -1, 5.5, 1e300, -1e300, 1e-310, math.nan, math.inf, None, "", "abc", "12", "2024-02-30",
                "2024-01-05", True, 10**400, datetime.date.max, datetime.date.min, (1, 2), {}, b"x", 2j]  # fmt: skip
        for _ in range(150):
            rows = [{"a": rng.choice(pool), "b": rng.choice(pool)} for _ in range(rng.randint(0, 4))]
            kind = rng.choice(("bar", "line", "scatter", "pie", "histogram"))
            try:
                picture = picture_of(rows, kind, width=200, height=150)
            except (ValueError, TypeError) as error:
                self.assertGreater(len(str(error)), 15)
            else:
                self.assertNotRegex(picture.svg, r'="[^"]*(nan|inf)\b')


class TicksTest(unittest.TestCase):
    def test_steps_are_1_2_or_5(self) -> None:
        rng = random.Random(3)
        for _ in range(500):
            low = rng.uniform(-1, 1) * 10 ** rng.randint(-8, 12)
            high = low + max(10 ** rng.uniform(-6, 12), abs(low) * 1e-6)
            ticks, step = linear_ticks(low, high, rng.randint(2, 10))
            self.assertIn(round(step / 10 ** math.floor(math.log10(step) + 1e-9), 6), (1, 2, 5))
            self.assertTrue(ticks[0] <= low + step * 1e-6 and ticks[-1] >= high - step * 1e-6)
            self.assertLessEqual(len(ticks), 13)
            self.assertEqual(len(set(format_ticks(ticks, step))), len(ticks))

    def test_numbers_are_written_as_people_do(self) -> None:
        self.assertEqual(format_ticks([0, 50000, 100000], 50000), ["0", "50,000", "100,000"])
        self.assertEqual(format_ticks([2019, 2020], 1), ["2019", "2020"])
        self.assertEqual(format_ticks([-0.5, 0.0, 0.5], 0.5), ["−0.5", "0.0", "0.5"])
        self.assertEqual(format_ticks([0, 1.5e6, 3e6], 1.5e6), ["0.0", "1.5M", "3.0M"])
        self.assertEqual(format_ticks([0, 2e9], 1e9), ["0", "2B"])
        self.assertEqual(format_ticks([0, 1e18], 1e18), ["0", "1e18"])

    def test_equal_values_get_an_axis(self) -> None:
        for value in (0, 5, -3, 1e12, 1e-12):
            ticks, _ = linear_ticks(value, value, 5)
            self.assertTrue(ticks[0] < value < ticks[-1])
        self.assertEqual(inner_ticks(0.1, 0.9, 4)[0], [0.2, 0.4, 0.6, 0.8])

    def test_times_are_round_and_say_what_they_belong_to(self) -> None:
        def ticks(start: str, end: str) -> list[tuple[str, str]]:
            low, high = (to_seconds(datetime.datetime.fromisoformat(text), None) for text in (start, end))
            return [(text, below) for _, text, below in time_ticks(low, high, 6)]

        self.assertEqual(ticks("2024-01-01", "2024-06-02")[:2], [("Jan", "2024"), ("Feb", "")])
        self.assertEqual(ticks("2024-12-30T20:00", "2024-12-31T10:00")[1:3], [("00:00", "31 Dec 2024"), ("03:00", "")])
        self.assertEqual(ticks("1990-01-01", "2024-01-01")[0], ("1990", ""))
        self.assertEqual(ticks("2024-03-04", "2024-04-10")[0], ("4 Mar", "2024"))

    def test_dates_make_a_time_axis(self) -> None:
        for values in (["2024-01-01", "2024-07-01"], [datetime.date(2024, 1, 1), datetime.datetime(2024, 7, 1)]):
            self.assertIn("Jan", texts_of(scene_of({"day": values, "v": [1, 2]}, "line", "day", "v")))
        self.assertNotIn("Jan", texts_of(scene_of({"day": ["2024-01-01", "soon"], "v": [1, 2]}, "line", "day", "v")))

    def test_every_value_is_in_one_bin(self) -> None:
        rng = random.Random(5)
        values = [rng.gauss(0, 3) for _ in range(1000)]
        for bins in (None, 7, "auto"):
            edges = make_edges(values, bins)
            self.assertEqual(sum(count_values(values, edges)), 1000)
        self.assertEqual(count_values([0, 1, 2], [0, 1, 2]), [1, 2])


if __name__ == "__main__":
    unittest.main()
