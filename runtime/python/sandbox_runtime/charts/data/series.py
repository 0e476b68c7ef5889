"""Which columns are drawn against which: a table and the caller's words → series with x and y."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from typing import Any

from .table import Table, is_numeric
from .values import are_floats, is_missing, to_label, to_number, to_seconds, to_time

#: Most columns drawn when the caller names none.
_MAX_UNNAMED = 8


@dataclass
class Series:
    """One set of marks. A gap is NaN in ``ys``."""

    name: str
    xs: list[Any]
    ys: list[float]


def select(
    table: Table, x: Any, y: Any, group: Any, *, numbers_on_x: bool = False
) -> tuple[list[Series], str, str]:
    """The series, and the names of x and y, which name columns or are lists of values themselves."""
    columns = dict(table.columns)
    x = _own_values(columns, x, "x")
    y = _own_values(columns, y, "y")
    table = Table(columns, table.index)
    x_name = str(x) if x is not None else _default_x(table, y, group, numbers_on_x)
    names = _y_names(table, y, x_name, group)
    count = table.length
    xs = table.column(x_name, "x") if x_name is not None else list(range(count))
    series = []
    for name in names:
        ys = numbers(table.column(name, "y"), name)
        series.extend(_grouped(table, group, name, len(names) > 1, xs, ys))
    y_name = names[0] if len(names) == 1 else ""
    return series, x_name or "", y_name


def numbers(values: list[Any], name: str) -> list[float]:
    """A column as numbers; the error names the row that is none."""
    if are_floats(values):
        return list(map(float, values))
    found = []
    for row, value in enumerate(values):
        number = to_number(value)
        if number is None:
            raise ValueError(
                f"Cannot draw column {name!r}: {str(value)[:40]!r} in row {row} is not a number"
            )
        found.append(number)
    return found


def _own_values(columns: dict[str, list[Any]], given: Any, name: str) -> Any:
    """Values given in place of a column's name become a column."""
    if hasattr(given, "tolist"):
        given = given.tolist()
    is_names = isinstance(given, (list, tuple)) and all(isinstance(item, str) for item in given)
    if not isinstance(given, (list, tuple, range)):
        return given
    if is_names and (name == "y" or not given) and not (columns == {} and given):
        return list(given)
    columns[name] = list(given)
    return name


def _default_x(table: Table, y: Any, group: Any, numbers_on_x: bool) -> str | None:
    if table.index is not None:
        return table.index
    used = {str(item) for item in (y if isinstance(y, list) else [y])} | {str(group)}
    free = [name for name in table.columns if name not in used]
    if "x" in free and len(table.columns) == 2:
        return "x"
    for name in free:
        if not is_numeric(table.columns[name]) and any(
            not is_missing(value) for value in table.columns[name]
        ):
            return name
    numeric = [name for name in free if is_numeric(table.columns[name])]
    enough = len(numeric) > 1 or (numeric and y is not None)
    return numeric[0] if numbers_on_x and enough else None


def _y_names(table: Table, y: Any, x_name: str | None, group: Any) -> list[str]:
    if isinstance(y, list):
        if not y:
            raise ValueError("'y' names no column")
        return [str(name) for name in y]
    if y is not None:
        return [str(y)]
    found = [name for name in table.numeric() if name not in (x_name, str(group))]
    if not found and not table.is_empty(besides=x_name):
        known = ", ".join(map(repr, table.columns))
        raise ValueError(f"No column holds numbers to draw as y; the columns are {known}")
    return found[:_MAX_UNNAMED]


def _grouped(
    table: Table, group: Any, name: str, several: bool, xs: list[Any], ys: list[float]
) -> list[Series]:
    if group is None:
        return [Series(name, xs, ys)]
    found: dict[str, Series] = {}
    for key, x, y in zip(table.column(group, "group"), xs, ys):
        label = to_label(key)
        one = found.setdefault(
            label, Series(f"{label}, {name}" if several else label, [], [])
        )
        one.xs.append(x)
        one.ys.append(y)
    return list(found.values())


def axis_kind(series: list[Series]) -> str:
    """``number``, ``time`` or ``label``: what the x values of all series are."""
    if all(are_floats(one.xs) for one in series):
        return "number"
    values = [x for one in series for x in one.xs if not is_missing(x)]
    if values and all(to_time(value) is not None for value in values):
        return "time"
    if all(not isinstance(value, str) and to_number(value) is not None for value in values):
        return "number"
    return "label"


def to_places(series: list[Series], kind: str) -> list[str]:
    """Turn x values into numbers on their axis; gives the labels of a ``label`` axis."""
    labels: dict[str, int] = {}
    moments = [[to_time(x) for x in one.xs] for one in series] if kind == "time" else []
    zone: datetime.tzinfo | None = next(
        (moment.tzinfo for row in moments for moment in row if moment and moment.tzinfo), None
    )
    for number, one in enumerate(series):
        if kind == "time":
            one.xs = [to_seconds(m, zone) if m else math.nan for m in moments[number]]
            # Time runs one way, whatever the order of the rows.
            order = sorted(range(len(one.xs)), key=lambda at: one.xs[at] if one.xs[at] == one.xs[at] else math.inf)
            one.xs, one.ys = [one.xs[at] for at in order], [one.ys[at] for at in order]
        elif kind == "number":
            one.xs = numbers(one.xs, "x")
        else:
            one.xs = [labels.setdefault(to_label(x), len(labels)) for x in one.xs]
    return list(labels)
