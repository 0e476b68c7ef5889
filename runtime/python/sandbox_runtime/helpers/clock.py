"""Times and time zones for user code: ``now``, ``convert_time``, ``list_timezones``.

Nothing is imported before it is used: a container that never asks for the time starts without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    import datetime


def now(tz: Any = None) -> datetime.datetime:
    """The time now, with its zone: UTC, or ``tz`` (``"Europe/Berlin"``, ``"Berlin"``, ``"+02:00"``)."""
    from . import time_values

    return time_values.now(tz)


def convert_time(dt: Any, tz: Any, *, from_tz: Any = None) -> datetime.datetime:
    """The same instant in the zone ``tz``.

    ``dt`` is a datetime, a date, an ISO 8601 string or Unix seconds. One that names no zone is taken as a
    time in ``from_tz``, which is UTC unless given.
    """
    from . import time_values

    return time_values.convert(dt, tz, from_tz)


def list_timezones(region: str | None = None) -> list[str]:
    """Names of time zones: all, those of a region (``"Europe"``), or those that hold a word (``"york"``)."""
    from . import time_zones

    return time_zones.names(region)


def functions(_rpc: Any = None) -> dict[str, Callable[..., Any]]:
    """What user code gets; nothing here asks the host."""
    return {"now": now, "convert_time": convert_time, "list_timezones": list_timezones}
