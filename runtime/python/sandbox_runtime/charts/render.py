"""Draws a chart, keeps its files and shows it."""

from __future__ import annotations

import os
import re
import unicodedata
from typing import Any, Generator

from ..files import artifacts
from .draw import Drawing, Options, draw, make_plan

#: Longest name made out of a title.
_MAX_NAME = 60


class Chart:
    """A chart that was drawn: ``name``, ``png`` (bytes), ``svg`` (text), ``files`` (names)."""

    def __init__(self, name: str, drawing: Drawing) -> None:
        self.name = name
        self.png = drawing.png
        self.svg = drawing.svg
        self.files = (f"{name}.png", f"{name}.svg")

    def __repr__(self) -> str:
        return f"<Chart {self.files[0]}, {self.files[1]}>"

    def __fspath__(self) -> str:
        """The PNG as a file of this run, so that ``show`` and ``save_image`` take a chart, too."""
        path = os.path.join(artifacts.current().execution_folder(), self.files[0])
        return path if os.path.exists(path) else artifacts.current().save_file(self.files[0], self.png)

    def __await__(self) -> Generator[None, None, Chart]:
        return self
        yield  # Makes it a generator that gives nothing.


def render(
    data: Any, chart_type: Any, x: Any, y: Any, options: Options, name: str | None
) -> Chart:
    """Draw, keep and show."""
    own_name = None if name is None else _own_name(name)
    drawing = draw(make_plan(data, chart_type, x, y, options))
    chart = Chart(own_name or _free_name(options.title), drawing)
    _keep(chart)
    return chart


def _keep(chart: Chart) -> None:
    """Hand the files over."""
    png, svg = chart.files
    artifacts.current().save_file(svg, chart.svg)
    artifacts.current().show(chart.png, png)


def _own_name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"The name of a chart is a str, got {type(name).__name__}")
    for ending in (".png", ".svg"):
        name = name.removesuffix(ending)
    return name


def _free_name(title: str | None) -> str:
    """A name after the title, under which this run has no file yet."""
    plain = unicodedata.normalize("NFKD", str(title or "")).encode("ascii", "ignore").decode()
    stem = re.sub("[^a-z0-9]+", "-", plain.lower()).strip("-")[:_MAX_NAME].rstrip("-") or "chart"
    taken = {file["name"].lower() for file in artifacts.current().list_execution_files()}
    name, number = stem, 1
    while f"{name}.png" in taken or f"{name}.svg" in taken:
        number += 1
        name = f"{stem}-{number}"
    return name
