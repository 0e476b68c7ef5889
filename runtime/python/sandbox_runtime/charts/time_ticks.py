"""Round times along an axis: the tick's own text, and below it what it belongs to where that changes."""

from __future__ import annotations

import datetime

from .data.values import from_seconds, to_seconds
from .ticks import nice_step

_MINUTE, _HOUR, _DAY = 60, 3600, 86400

#: Steps up to days, in seconds.
_STEPS = (
    1, 2, 5, 10, 15, 30,
    _MINUTE, 2 * _MINUTE, 5 * _MINUTE, 10 * _MINUTE, 15 * _MINUTE, 30 * _MINUTE,
    _HOUR, 2 * _HOUR, 3 * _HOUR, 6 * _HOUR, 12 * _HOUR,
    _DAY, 2 * _DAY, 7 * _DAY, 14 * _DAY,
)  # fmt: skip
_MONTH_STEPS = (1, 2, 3, 6)
_MONTH = 30.44 * _DAY

#: A tick: its place in seconds, its text, and the text below it or nothing.
Tick = tuple[float, str, str]


def time_ticks(low: float, high: float, count: int) -> list[Tick]:
    """About ``count`` ticks between two times, in wall clock seconds since 1970."""
    span = max(high - low, 1e-6)
    raw = span / max(count, 1)
    if raw < 1:
        return _fine(low, high, nice_step(span, count))
    for step in _STEPS:
        if raw <= step:
            return _even(low, high, step)
    for months in _MONTH_STEPS:
        if raw <= months * _MONTH:
            return _months(low, high, months)
    years = max(1, round(nice_step(span / (12 * _MONTH), count)))
    return _months(low, high, 12 * years)


def _fine(low: float, high: float, step: float) -> list[Tick]:
    """Parts of a second."""
    first = int(low // step)
    places = [number * step for number in range(first, first + 100)]
    shown = [place for place in places if low <= place <= high]
    return _with_context(shown, lambda t: f"{t:%H:%M:%S}.{t.microsecond // 1000:03d}", "%d %b %Y")


def _even(low: float, high: float, step: int) -> list[Tick]:
    # Weeks start on a Monday; 1970-01-05 was one.
    start = 4 * _DAY if step % (7 * _DAY) == 0 else 0
    place = -(-(low - start) // step) * step + start
    places = []
    while place <= high:
        places.append(place)
        place += step
    if step >= _DAY:
        return _with_context(places, lambda t: f"{t.day} {t:%b}", "%Y")
    pattern = "%H:%M" if step >= _MINUTE else "%H:%M:%S"
    return _with_context(places, lambda t: t.strftime(pattern), "%d %b %Y")


def _months(low: float, high: float, step: int) -> list[Tick]:
    first = from_seconds(low)
    number = -(-(first.year * 12 + first.month - 1) // step) * step
    places = []
    while number // 12 <= datetime.MAXYEAR:
        place = to_seconds(datetime.datetime(max(number // 12, 1), number % 12 + 1, 1), None)
        if place > high:
            break
        if place >= low:
            places.append(place)
        number += step
    if step >= 12:
        return [(place, f"{from_seconds(place).year}", "") for place in places]
    return _with_context(places, lambda t: f"{t:%b}", "%Y")


def _with_context(places: list[float], text: object, below: str) -> list[Tick]:
    ticks: list[Tick] = []
    last = None
    for place in places:
        moment = from_seconds(place)
        context = moment.strftime(below).lstrip("0")
        ticks.append((place, text(moment), "" if context == last else context))  # type: ignore[operator]
        last = context
    return ticks
