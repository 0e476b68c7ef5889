"""Whatever people have for a point in time → a datetime that knows its zone."""

from __future__ import annotations

import datetime
import math
from typing import Any, Generator

from .time_zones import zone


class Moment(datetime.datetime):
    """A datetime that may also be awaited: models write ``await`` before functions that need none."""

    def __await__(self) -> Generator[None, None, Moment]:
        return self
        yield  # Makes it a generator that gives nothing.

    def __repr__(self) -> str:
        return repr(_plain(self))

    def __reduce_ex__(self, protocol: Any) -> Any:
        # A copy that leaves the sandbox, or is read by another version, is an ordinary datetime.
        return _plain(self).__reduce_ex__(protocol)


def now(tz: Any = None) -> datetime.datetime:
    """The time now in a zone."""
    return _moment(datetime.datetime.now(zone(tz)))


def convert(dt: Any, tz: Any, from_tz: Any = None) -> datetime.datetime:
    """The same instant in another zone."""
    target = zone(tz)
    value = _datetime(dt)
    if value.tzinfo is None or value.utcoffset() is None:
        value = value.replace(tzinfo=zone(from_tz))
    try:
        return _moment(value.astimezone(target))
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


def _moment(value: datetime.datetime) -> Moment:
    return _as(Moment, value)


def _plain(value: datetime.datetime) -> datetime.datetime:
    return _as(datetime.datetime, value)


def _as(kind: Any, value: datetime.datetime) -> Any:
    return kind.combine(value.date(), value.timetz()).replace(fold=value.fold)
