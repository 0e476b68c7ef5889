"""Whatever shape data comes in → columns: name → values, all of the same length."""

from __future__ import annotations

import difflib
from typing import Any, Mapping

from .values import are_floats, is_missing, to_number

#: A table, and the column that names its rows if it has one.
Columns = dict[str, list[Any]]


class Table:
    """Columns of equal length."""

    def __init__(self, columns: Columns, index: str | None = None) -> None:
        longest = max(map(len, columns.values()), default=0)
        short = {name: len(values) for name, values in columns.items() if len(values) != longest}
        if short:
            sizes = ", ".join(f"{name!r} has {len(values)}" for name, values in columns.items())
            raise ValueError(f"Cannot draw columns of different lengths: {sizes} values")
        self.columns = columns
        #: Column of labels that the data brought along.
        self.index = index
        self.length = longest

    def column(self, name: Any, role: str) -> list[Any]:
        """The values of a column; an error says which there are."""
        found = self.columns.get(str(name))
        if found is not None:
            return found
        known = list(self.columns)
        close = difflib.get_close_matches(str(name).lower(), [item.lower() for item in known], n=1)
        meant = next((item for item in known if close and item.lower() == close[0]), None)
        hint = f"did you mean {meant!r}? The" if meant else "the"
        shown = ", ".join(map(repr, known[:30])) + (", …" if len(known) > 30 else "")
        raise ValueError(
            f"There is no column {str(name)[:60]!r} for {role}: {hint} columns are {shown or 'none'}"
        )

    def is_empty(self, besides: str | None = None) -> bool:
        """Whether there is no value at all in the other columns."""
        rest = [values for name, values in self.columns.items() if name != besides]
        return self.length == 0 or (
            bool(rest) and all(is_missing(value) for values in rest for value in values)
        )

    def numeric(self) -> list[str]:
        """Names of the columns that hold numbers, and something besides gaps."""
        return [
            name
            for name, values in self.columns.items()
            if name != self.index and is_numeric(values)
        ]


def is_numeric(values: list[Any]) -> bool:
    """Whether all values are numbers or gaps, and at least one is a number."""
    if are_floats(values):
        return bool(values)
    some = False
    for value in values:
        if isinstance(value, str) and value.strip():
            return False
        number = to_number(value)
        if number is None:
            return False
        some = some or number == number
    return some


def to_table(data: Any) -> Table:
    """Take data in any of the shapes that ``render_chart`` documents."""
    if data is None:
        return Table({})
    if isinstance(data, (str, bytes)):
        raise TypeError(f"Cannot draw text: {data[:40]!r}; parse it first, for example with json or csv")
    if hasattr(data, "columns") and hasattr(data, "__getitem__"):
        return _frame(data)
    if hasattr(data, "to_dict"):
        data = data.to_dict()
    elif hasattr(data, "tolist"):
        data = data.tolist()
    if isinstance(data, Mapping):
        return _mapping(data)
    try:
        rows = list(data)
    except TypeError:
        raise TypeError(
            f"Cannot draw {type(data).__name__}: expected a list of dicts, a dict of lists, "
            "a dict of label to number, numbers, pairs or a DataFrame"
        ) from None
    return _rows(rows)


def _frame(data: Any) -> Table:
    """A pandas or polars DataFrame, by what it can do."""
    columns = {str(name): list(data[name]) for name in data.columns}
    index = getattr(data, "index", None)
    if index is None or type(index).__name__ == "RangeIndex" or not hasattr(index, "tolist"):
        return Table(columns)
    name = str(getattr(index, "name", None) or "index")
    if name in columns:
        return Table(columns)
    return Table({name: list(index), **columns}, name)


def _mapping(data: Mapping[Any, Any]) -> Table:
    values = list(data.values())
    if values and all(_is_list(value) for value in values):
        return Table({str(name): list(value) for name, value in data.items()})
    if values and all(isinstance(value, Mapping) for value in values):
        rows = [{"index": key, **row} for key, row in data.items()]
        return Table(_rows(rows).columns, "index")
    odd = next((key for key, value in data.items() if _is_list(value) or to_number(value) is None), None)
    if odd is not None:
        raise ValueError(
            f"Cannot draw {odd!r}: {_shown(data[odd])}; expected a dict of lists, or of label to number"
        )
    return Table({"label": list(data), "value": values}, "label")


def _rows(rows: list[Any]) -> Table:
    if not rows:
        return Table({})
    first = rows[0]
    if isinstance(first, Mapping):
        names: dict[str, None] = {}
        for number, row in enumerate(rows):
            if not isinstance(row, Mapping):
                raise ValueError(f"Row {number} is {_shown(row)}, the rows before it are dicts")
            names.update(dict.fromkeys(map(str, row)))
        keyed = [{str(name): value for name, value in row.items()} for row in rows]
        return Table({name: [row.get(name) for row in keyed] for name in names})
    if _is_list(first):
        wide = len(first)
        for number, row in enumerate(rows):
            if not _is_list(row) or len(row) != wide:
                raise ValueError(f"Row {number} is {_shown(row)}, the first has {wide} values")
        names_of = ["x", "y"] if wide == 2 else [str(place) for place in range(wide)]
        return Table({name: [row[at] for row in rows] for at, name in enumerate(names_of)})
    return Table({"value": rows})


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, range)) or (
        hasattr(value, "tolist") and getattr(value, "ndim", 1) > 0 and hasattr(value, "__len__")
    )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
