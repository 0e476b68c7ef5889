"""Whatever people have for a point in time → a datetime that knows its zone."""

from __future__ import annotations

import datetime
import math
from typing import Any

from .time_zones import zone


def now(tz: Any = None) -> datetime.datetime:
    """The time now in a zone."""
    return datetime.datetime.now(zone(tz))


def convert(dt: Any, tz: Any, from_tz: Any = None) -> datetime.datetime:
    """The same instant in another zone."""
    target = zone(tz)
    value = _datetime(dt)
    if value.tzinfo is None or value.utcoffset() is None:
        value = value.replace(tzinfo=zone(from_tz))
    try:
        return value.astimezone(target)
    except OverflowError:
        raise ValueError(f"Cannot convert {dt!r} to {tz!r}: it is outside the years 1 to 9999") from None


def _datetime(dt: Any) -> datetime.datetime:
    if isinstance(dt, datetime.datetime):
        return dt
    if isinstance(dt, datetime.date):
        return datetime.datetime.combine(dt, datetime.time())
    if isinstance(dt, str):
        try:
            return datetime.datetime.fromisoformat(dt.strip())
        except ValueError:
            raise ValueError(
                f"Cannot read {dt!r} as a time: expected ISO 8601, such as '2026-03-29T14:30' "
                "or '2026-03-29T14:30:00+02:00'"
            ) from None
    if isinstance(dt, (int, float)) and not isinstance(dt, bool) and math.isfinite(dt):
        try:
            return datetime.datetime.fromtimestamp(dt, datetime.timezone.utc)
        except (OverflowError, ValueError, OSError):
            raise ValueError(
                f"Cannot read {dt!r} as Unix seconds: it is outside the years 1 to 9999 "
                "(milliseconds have to be divided by 1000)"
            ) from None
    raise TypeError(
        f"Cannot read {dt!r} as a time: expected a datetime, a date, an ISO 8601 string or Unix seconds"
    )
