"""``now``, ``convert_time``, ``list_timezones``."""

from __future__ import annotations

import datetime
import unittest
import zoneinfo

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.helpers.clock import convert_time, functions, list_timezones, now

_UTC = datetime.timezone.utc

class ClockTest(unittest.TestCase):
    def test_now_knows_its_zone(self) -> None:
        before = datetime.datetime.now(_UTC)
        self.assertEqual(now().tzinfo, _UTC)
        self.assertTrue(before <= now("Asia/Tokyo") <= datetime.datetime.now(_UTC))
        self.assertEqual(now("Asia/Tokyo").utcoffset(), datetime.timedelta(hours=9))

    def test_names_are_taken_as_people_write_them(self) -> None:
        for name, key in (
            ("Berlin", "Europe/Berlin"),
            ("europe/berlin", "Europe/Berlin"),
            ("new york", "America/New_York"),
            (zoneinfo.ZoneInfo("Asia/Tokyo"), "Asia/Tokyo"),
        ):
            self.assertEqual(str(now(name).tzinfo), key)
        for name, minutes in (("+02:00", 120), ("UTC+5:30", 330), ("GMT-3", -180), ("-0930", -570), ("z", 0)):
            self.assertEqual(now(name).utcoffset(), datetime.timedelta(minutes=minutes))

    def test_errors_say_what_to_write(self) -> None:
        for name, message in (
            ("Berln", "did you mean 'Europe/Berlin'?"),
            ("CEST", "short forms are used by several zones"),
            ("Buenos Aires", "it may be 'America/Argentina/Buenos_Aires' or 'America/Buenos_Aires'"),
            ("Mars/Phobos", "list_timezones()"),
            ("+25:00", "less than 24 hours"),
            ("x" * 9999, "Unknown time zone"),
            ("a\0b", "Unknown time zone"),
            ("", "Unknown time zone"),
        ):
            with self.assertRaises(ValueError) as caught:
                now(name)
            self.assertIn(message, str(caught.exception))
            self.assertLess(len(str(caught.exception)), 300)
        with self.assertRaises(TypeError):
            now(5)

    def test_a_time_without_a_zone_is_utc_unless_told(self) -> None:
        self.assertEqual(convert_time("2026-03-29T01:30", "Berlin").isoformat(), "2026-03-29T03:30:00+02:00")
        self.assertEqual(
            convert_time("2026-10-25 02:30", "UTC", from_tz="Berlin").isoformat(), "2026-10-25T00:30:00+00:00"
        )
        self.assertEqual(convert_time("2026-01-01T00:00+05:00", "UTC").isoformat(), "2025-12-31T19:00:00+00:00")
        self.assertEqual(convert_time(0, "Asia/Tokyo").isoformat(), "1970-01-01T09:00:00+09:00")
        self.assertEqual(convert_time(datetime.date(2026, 7, 1), "+2").isoformat(), "2026-07-01T02:00:00+02:00")

    def test_what_is_no_time_is_refused(self) -> None:
        for value in ("tomorrow", None, True, float("nan"), 1e20, 1_730_000_000_000, datetime.datetime.max, []):
            with self.subTest(value), self.assertRaisesRegex((ValueError, TypeError), "Cannot (read|convert)"):
                convert_time(value, "Europe/Berlin")

    def test_regions_and_words_find_zones(self) -> None:
        self.assertIn("Europe/Rome", list_timezones())
        self.assertTrue(all(name.startswith("Europe/") for name in list_timezones("europe")))
        self.assertEqual(list_timezones("new york"), ["America/New_York"])
        with self.assertRaisesRegex(ValueError, "the regions are Africa, America"):
            list_timezones("zzz")

    def test_values_are_datetimes_and_nothing_else(self) -> None:
        folded = convert_time("2026-10-25T01:30Z", "Europe/Berlin")
        self.assertEqual((type(folded), folded.fold), (datetime.datetime, 1))
        self.assertIs(type(now("Berlin")), datetime.datetime)

    def test_the_functions_have_their_names(self) -> None:
        self.assertEqual(list(functions()), ["now", "convert_time", "list_timezones"])


if __name__ == "__main__":
    unittest.main()
