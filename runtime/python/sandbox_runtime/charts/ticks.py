"""Round numbers along an axis, and how they are written."""

from __future__ import annotations

import math

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
