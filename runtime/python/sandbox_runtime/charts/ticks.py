"""Round numbers and round times along an axis, and how they are written."""

from __future__ import annotations

import datetime
import math

from .data.values import from_seconds, to_seconds

_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"))


def nice_step(span: float, count: float) -> float:
    """The step of 1, 2 or 5 times a power of ten that cuts a span into about ``count`` pieces."""
    raw = span / max(count, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    for factor in (1, 2, 5):
        if raw <= factor * power * 1.0001:
            return factor * power
    return 10 * power


def linear_ticks(low: float, high: float, count: int) -> tuple[list[float], float]:
    """Ticks that reach around ``low`` … ``high``, and their step."""
    if low == high:
        low, high = (low - 1, high + 1) if low == 0 else (low - abs(low) / 2, high + abs(high) / 2)
    step = nice_step(high - low, count)
    if step <= max(abs(low), abs(high)) * 1e-13:
        # As close together as floats can be: there is nothing round between them.
        return [low, high], high - low
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [_exact(number, step) for number in range(first, last + 1)], step


def inner_ticks(low: float, high: float, count: int) -> tuple[list[float], float]:
    """Ticks that lie within ``low`` … ``high``."""
    ticks, step = linear_ticks(low, high, count)
    slack = (high - low) * 1e-9
    return [tick for tick in ticks if low - slack <= tick <= high + slack], step


def _exact(number: int, step: float) -> float:
    """A multiple of a step without the noise of binary fractions."""
    digits = -math.floor(math.log10(step)) if step < 1 else 0
    return round(number * step, min(digits, 300)) if digits else number * step


def format_ticks(ticks: list[float], step: float) -> list[str]:
    """Numbers with as many digits as the step needs, in millions or by powers of ten where they are long."""
    largest = max(map(abs, ticks), default=0.0)
    if largest and (largest >= 1e15 or (largest < 1e-4 and step < 1e-4)):
        return [_minus(_scientific(tick, step)) for tick in ticks]
    for size, unit in _UNITS:
        if largest >= size and _decimals(step / size) <= 2:
            return [_minus(f"{tick / size:,.{_decimals(step / size)}f}{unit if tick else ''}") for tick in ticks]
    comma = "," if largest >= 10_000 else ""
    return [_minus(f"{tick:{comma}.{_decimals(step)}f}") for tick in ticks]


def format_value(value: float) -> str:
    """One number on its own, short."""
    size = abs(value)
    if size and (size >= 1e15 or size < 1e-4):
        return _minus(f"{value:.3g}")
    for unit_size, unit in _UNITS:
        if size >= unit_size:
            return _minus(f"{value / unit_size:.3g}{unit}")
    if size >= 10_000:
        return _minus(f"{value:,.0f}")
    return _minus(f"{value:.4g}")


def _scientific(tick: float, step: float) -> str:
    if not tick:
        return "0"
    digits = max(0, math.floor(math.log10(abs(tick))) - math.floor(math.log10(step)))
    mantissa, power = f"{tick:.{min(digits, 6)}e}".split("e")
    return f"{mantissa}e{int(power)}"


def _decimals(step: float) -> int:
    """Digits after the point that tell two ticks apart."""
    for digits in range(11):
        scaled = step * 10**digits
        if abs(scaled - round(scaled)) < 1e-6 * max(scaled, 1e-12) and round(scaled):
            return digits
    return 10


def _minus(text: str) -> str:
    """A true minus sign, none before a zero."""
    if not text.startswith("-"):
        return text
    if not any(digit in text for digit in "123456789"):
        return text[1:]
    return "\N{MINUS SIGN}" + text[1:]


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
