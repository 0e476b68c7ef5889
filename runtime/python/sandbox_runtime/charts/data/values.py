"""Single values of a table: which are numbers, which are times, how they are written."""

from __future__ import annotations

import datetime
import math
import re
from typing import Any

_EPOCH = datetime.datetime(1970, 1, 1)
_SMALLEST, _LARGEST = 1e-290, 1e290
_FIRST, _LAST = (
    (edge - _EPOCH).total_seconds() for edge in (datetime.datetime.min, datetime.datetime(9999, 12, 31))
)
_ISO = re.compile(r"\d{4}-\d{2}(-\d{2})?([T ]\d{2}:?\d{2}.*)?")


def is_missing(value: Any) -> bool:
    """Whether a value stands for nothing: None, NaN, NaT, an empty text."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return False


def are_floats(values: list[Any]) -> bool:
    """Whether all values are plain numbers of a size that can be drawn: the quick way for long columns."""
    if not values or not set(map(type, values)) <= {int, float}:
        return False
    # A sum with NaN in it is NaN, so both comparisons fail.
    least, most = min(values), max(values)
    return -_LARGEST < least <= most < _LARGEST and sum(values) == sum(values)


def to_number(value: Any) -> float | None:
    """A number, NaN for a gap, or None for what is no number."""
    if is_missing(value):
        return math.nan
    if isinstance(value, (datetime.date, datetime.timedelta, complex)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return math.nan
    except (TypeError, ValueError):
        return None
    size = abs(number)
    # What is as good as infinite is a gap, too: sums and differences of the rest stay finite.
    return 0.0 if size < _SMALLEST else number if size <= _LARGEST else math.nan


def to_time(value: Any) -> datetime.datetime | None:
    """A point in time out of a datetime, a date or an ISO 8601 text."""
    if isinstance(value, datetime.datetime):
        return value
    if isinstance(value, datetime.date):
        return datetime.datetime(value.year, value.month, value.day)
    if isinstance(value, str) and _ISO.fullmatch(value.strip()):
        text = value.strip()
        try:
            return datetime.datetime.fromisoformat(f"{text}-01" if len(text) == 7 else text)
        except ValueError:
            return None
    return None


def to_seconds(moment: datetime.datetime, zone: datetime.tzinfo | None) -> float:
    """Wall clock seconds since 1970 in the zone of the axis."""
    if moment.tzinfo is not None:
        if zone is not None:
            moment = moment.astimezone(zone)
        moment = moment.replace(tzinfo=None)
    return (moment - _EPOCH).total_seconds()


def from_seconds(seconds: float) -> datetime.datetime:
    """The wall clock time that is so many seconds after 1970; the nearest one that Python knows."""
    return _EPOCH + datetime.timedelta(seconds=min(max(seconds, _FIRST), _LAST))


def to_label(value: Any) -> str:
    """A category as people write it."""
    if is_missing(value):
        return "(none)"
    if isinstance(value, datetime.datetime):
        midnight = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
        return f"{value:%Y-%m-%d}" if midnight else f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, tuple):
        return ", ".join(map(to_label, value))
    return " ".join(str(value).split())
