"""``jsonable.dumps``: what can be kept, and what the error says of the rest."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import json
import unittest
from typing import Any

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.wire.jsonable import dumps


@dataclasses.dataclass
class Point:
    x: int


class Colour(enum.IntEnum):
    RED = 1


class DumpsTest(unittest.TestCase):
    def kept(self, value: Any) -> Any:
        return json.loads(dumps(value, "value"))

    def refused(self, value: Any) -> str:
        with self.assertRaises((TypeError, ValueError)) as caught:
            dumps(value, "value")
        return str(caught.exception)

    def test_json_is_kept_as_it_is(self) -> None:
        for value in (None, True, 0, -1, 2**70, 1.0, 0.1, "", "ä€😀\u2028", [], {}, {"a": [{"b": None}]}):
            with self.subTest(value=value):
                kept = self.kept(value)
                self.assertEqual(kept, value)
                self.assertIs(type(kept), type(value))

    def test_a_lone_surrogate_is_kept_and_can_be_sent(self) -> None:
        text = dumps(["\ud800"], "value")
        text.encode()
        self.assertEqual(json.loads(text), ["\ud800"])

    def test_tuples_become_lists_and_dates_their_iso_text(self) -> None:
        moment = datetime.datetime(2026, 7, 28, 12, 30, tzinfo=datetime.timezone.utc)
        self.assertEqual(
            self.kept((1, (2,), moment, moment.date(), moment.time())),
            [1, [2], "2026-07-28T12:30:00+00:00", "2026-07-28", "12:30:00"],
        )

    def test_kinds_of_plain_types_become_plain(self) -> None:
        ordered = collections.OrderedDict(a=1)
        values = (ordered, collections.Counter("aa"), Colour.RED)
        self.assertEqual(self.kept(values), [{"a": 1}, {"a": 2}, 1])

    def test_the_error_says_where_and_what_and_what_to_do(self) -> None:
        cases: list[tuple[Any, str]] = [
            ({"a": [0, 1, 2, len]}, 'value["a"][3] is the function len, which is not data'),
            ([Point], "value[0] is the class Point, which is not data"),
            ({1, 2}, "value is a set: use sorted(…)"),
            ({"x": b"1"}, 'value["x"] is a bytes: use base64.b64encode(…).decode()'),
            ([Point(1)], "value[0] is a Point: use dataclasses.asdict(…)"),
            (datetime.timedelta(1), "value is a timedelta: use .total_seconds()"),
            (decimal.Decimal(1), "value is a Decimal: use str(…), or a dict, list, string or number"),
            ({1: 2}, "value has the key 1, an int: keys must be strings, use str(key)"),
            ([{None: 2}], "value[0] has the key None, a NoneType: keys must be strings, use str(key)"),
            ([float("nan")], "value[0] is nan, which JSON does not have: use None or a string"),
            ([float("-inf")], "value[0] is -inf, which JSON does not have: use None or a string"),
            (10**5000, "value is a number with too many digits: use hex(…)"),
        ]
        for value, message in cases:
            with self.subTest(message=message):
                self.assertEqual(self.refused(value), message)

    def test_a_value_in_itself_is_refused(self) -> None:
        loop: dict[str, Any] = {}
        loop["a"] = [loop]
        self.assertEqual(self.refused(loop), 'value["a"][0] contains itself')
        shared: list[int] = [1]
        self.assertEqual(self.kept([shared, shared]), [[1], [1]])

    def test_what_is_nested_too_deep_is_refused(self) -> None:
        deep: list[Any] = []
        for _ in range(100_000):
            deep = [deep]
        self.assertRegex(self.refused(deep), r"^value(\[0\])+ is nested more than 100 deep$")
        while deep:
            deep = deep.pop()

    def test_a_long_key_is_cut_in_the_error(self) -> None:
        self.assertLess(len(self.refused({"k" * 10_000: len})), 200)


if __name__ == "__main__":
    unittest.main()
