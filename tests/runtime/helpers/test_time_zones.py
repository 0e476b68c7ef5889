"""The zones that the runtime brings along, against those of this machine."""

from __future__ import annotations

import datetime
import importlib.util
import sys
import unittest
import zoneinfo
from typing import Any

import support

_UTC = datetime.timezone.utc
_DAY = datetime.timedelta(days=1)
_SECOND = datetime.timedelta(seconds=1)

#: Zones with many kinds of history: half hours, days skipped, summer time below zero, none at all.
_SAMPLE = (
    "Africa/Cairo Africa/Casablanca America/Argentina/Buenos_Aires America/Caracas America/New_York "
    "America/Sao_Paulo America/St_Johns Antarctica/Troll Asia/Kathmandu Asia/Kolkata Asia/Singapore "
    "Asia/Tokyo Atlantic/Azores Australia/Lord_Howe Australia/Sydney Europe/Berlin Europe/Dublin "
    "Europe/London Europe/Moscow Pacific/Apia Pacific/Chatham Pacific/Kiritimati UTC"
).split()

#: Years of which one version of the database rarely thinks otherwise than another.
_SETTLED = 2024

#: Rules that have stood for decades.
_STABLE = ("America/New_York", "Asia/Tokyo", "Australia/Sydney", "Europe/Berlin", "Europe/London")


def _tzdata_modules() -> dict[str, Any]:
    return {name: module for name, module in sys.modules.items() if name.split(".")[0] == "tzdata"}


class TimeZonesTest(unittest.TestCase):
    def setUp(self) -> None:
        self._system = {key: _system_zone(key) for key in _SAMPLE}
        self.addCleanup(zoneinfo.reset_tzpath, zoneinfo.TZPATH)
        self.addCleanup(sys.modules.update, _tzdata_modules())
        self._forget()
        self.addCleanup(self._forget)
        zoneinfo.reset_tzpath([])
        # As if nothing else were installed.
        path = support.RUNTIME / "time_zones" / "tzdata" / "__init__.py"
        spec = importlib.util.spec_from_file_location("tzdata", path, submodule_search_locations=[])
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["tzdata"] = module
        spec.loader.exec_module(module)

    def _forget(self) -> None:
        for name in _tzdata_modules():
            del sys.modules[name]

    def test_every_zone_can_be_opened(self) -> None:
        names = zoneinfo.available_timezones()
        self.assertGreater(len(names), 590)
        for name in names:
            zoneinfo.ZoneInfo.no_cache(name).utcoffset(datetime.datetime(2030, 1, 1))

    def test_names_that_are_none_are_not_found(self) -> None:
        for name in ("Europe", "Europe/Nope", "America/Argentina", "Foo/Bar", "zones", "europe/berlin"):
            with self.subTest(name), self.assertRaises(zoneinfo.ZoneInfoNotFoundError):
                zoneinfo.ZoneInfo.no_cache(name)

    def test_moments_that_are_known(self) -> None:
        for key, before, after, name in (
            ("Europe/Berlin", "2026-03-29T01:59:59+01:00", "2026-03-29T03:00:00+02:00", "CEST"),
            ("Europe/Berlin", "2037-10-25T02:59:59+02:00", "2037-10-25T02:00:00+01:00", "CET"),
            ("America/New_York", "2060-11-07T01:59:59-04:00", "2060-11-07T01:00:00-05:00", "EST"),
            ("Pacific/Apia", "2011-12-29T23:59:59-10:00", "2011-12-31T00:00:00+14:00", "+14"),
        ):
            zone = zoneinfo.ZoneInfo.no_cache(key)
            change = datetime.datetime.fromisoformat(after).astimezone(zone)
            self.assertEqual((change.isoformat(), change.tzname()), (after, name))
            earlier = (change.astimezone(_UTC) - _SECOND).astimezone(zone)
            self.assertEqual(earlier.isoformat(), before)

    def test_they_agree_with_this_machine(self) -> None:
        if None in self._system.values():
            self.skipTest("this machine has no time zones to compare with")
        for key, system in self._system.items():
            own = zoneinfo.ZoneInfo.no_cache(key)
            last = datetime.datetime(2038 if key in _STABLE else _SETTLED, 1, 1, tzinfo=_UTC)
            changes = 0
            moment = datetime.datetime(1970, 1, 1, tzinfo=_UTC)
            while moment < last:
                self.assertEqual(_facts(moment, own), _facts(moment, system), f"{key} at {moment}")
                if _facts(moment, own) != _facts(moment + _DAY, own):
                    changes += 1
                    change = _change(own, moment, moment + _DAY)
                    for edge in (change - _SECOND, change):
                        self.assertEqual(_facts(edge, own), _facts(edge, system), f"{key} at {edge}")
                moment += _DAY
            if key in ("Europe/Berlin", "America/New_York"):
                self.assertGreater(changes, 100)


def _system_zone(key: str) -> zoneinfo.ZoneInfo | None:
    try:
        return zoneinfo.ZoneInfo.no_cache(key)
    except zoneinfo.ZoneInfoNotFoundError:
        return None


def _facts(moment: datetime.datetime, zone: Any) -> tuple[Any, ...]:
    local = moment.astimezone(zone)
    return local.utcoffset(), local.dst(), local.tzname()


def _change(zone: Any, low: datetime.datetime, high: datetime.datetime) -> datetime.datetime:
    """The second at which the facts change."""
    start = _facts(low, zone)
    while high - low > _SECOND:
        middle = low + (high - low) // 2
        middle = middle.replace(microsecond=0)
        low, high = (middle, high) if _facts(middle, zone) == start else (low, middle)
    return high


if __name__ == "__main__":
    unittest.main()
