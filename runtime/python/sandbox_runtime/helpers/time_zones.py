"""Names people write for a time zone → the zone, or an error that says which names there are."""

from __future__ import annotations

import datetime
import difflib
import functools
import re
import zoneinfo
from typing import Any

_OFFSET = re.compile(r"(?:UTC|GMT)?\s*([+-]|\N{MINUS SIGN})\s*(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?")


def zone(tz: Any) -> datetime.tzinfo:
    """The zone that is meant; UTC for ``None``."""
    if tz is None:
        return datetime.timezone.utc
    if isinstance(tz, datetime.tzinfo):
        return tz
    if not isinstance(tz, str):
        raise TypeError(
            f"Cannot use {tz!r} as a time zone: expected a name such as 'Europe/Berlin', "
            "an offset such as '+02:00', or a tzinfo"
        )
    text = tz.strip()
    if text.upper() in ("UTC", "GMT", "Z"):
        return datetime.timezone.utc
    match = _OFFSET.fullmatch(text.upper())
    if match:
        return _offset(tz, match)
    found = _by_key().get(_key(text), [])
    if len(found) == 1:
        return zoneinfo.ZoneInfo(found[0])
    raise ValueError(f"Unknown time zone {tz[:100]!r}{_advice(text, found)}")


def names(region: str | None = None) -> list[str]:
    """All names, or those of a region, or those that hold a word."""
    every = _names()
    if region is None:
        return list(every)
    if not isinstance(region, str):
        raise TypeError(f"Cannot use {region!r} as a region: expected a name such as 'Europe'")
    wanted = _key(region).rstrip("/")
    inside = [name for name in every if _key(name).startswith(f"{wanted}/")]
    found = inside or [name for name in every if wanted in _key(name)]
    if not found:
        regions = sorted({name.partition("/")[0] for name in every if "/" in name})
        raise ValueError(f"No time zone matches {region!r}; the regions are {', '.join(regions)}")
    return found


def _offset(tz: str, match: re.Match[str]) -> datetime.timezone:
    sign, *parts = match.groups()
    hours, minutes, seconds = (int(part or 0) for part in parts)
    if hours > 23 or minutes > 59 or seconds > 59:
        raise ValueError(f"Cannot use {tz!r} as a time zone: an offset is less than 24 hours")
    size = datetime.timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return datetime.timezone(size if sign == "+" else -size)


@functools.cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(zoneinfo.available_timezones() - {"localtime"}))


def _key(name: str) -> str:
    """A name without what people write differently."""
    return re.sub(r"[\s_]+", "_", name.strip()).casefold()


@functools.cache
def _by_key() -> dict[str, list[str]]:
    """Whole names, and cities alone; a whole name is never ambiguous."""
    found: dict[str, list[str]] = {}
    for name in _names():
        city = name.rpartition("/")[2]
        if city != name and not name.startswith("Etc/"):
            found.setdefault(_key(city), []).append(name)
    found.update({_key(name): [name] for name in _names()})
    return found


def _advice(text: str, several: list[str]) -> str:
    if several:
        return f": it may be {' or '.join(map(repr, several))}"
    if re.fullmatch("[A-Z]{2,5}", text):
        return (
            ": short forms are used by several zones; write a name such as 'Europe/Berlin' "
            "or an offset such as '+02:00'"
        )
    close = difflib.get_close_matches(_key(text[:50]), _by_key(), n=1, cutoff=0.7)
    meant = list(dict.fromkeys(name for key in close for name in _by_key()[key]))[:3]
    if meant:
        return f": did you mean {' or '.join(map(repr, meant))}?"
    return "; list_timezones() gives all names, list_timezones('Europe') those of a region"
