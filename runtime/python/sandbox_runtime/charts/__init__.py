"""Charts: ``render_chart`` for user code.

``data`` reads what comes in, ``draw`` makes a scene of it, ``picture`` makes files of the scene.
Only this file is imported before the first chart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from .render import Chart


def render_chart(
    data: Any,
    chart_type: str = "line",
    x: Any = None,
    y: Any = None,
    *,
    title: str | None = None,
    x_label: str | None = None,
    y_label: str | None = None,
    group: str | None = None,
    stacked: bool = False,
    bins: Any = None,
    width: int = 800,
    height: int = 500,
    name: str | None = None,
) -> Chart:
    """Draw data, show the picture to the user and keep it as ``<name>.png`` and ``<name>.svg``.

    ``chart_type``: bar, line, scatter, pie, histogram. ``data``: list of dicts, dict of lists, dict of label
    to number, numbers, (x, y) pairs, DataFrame. ``x`` and ``y`` name columns (``y`` may be a list); left out,
    they are found. ``group`` splits rows into series by a column; ``stacked`` stacks bars; ``bins`` is a
    number or edges for a histogram. Dates and ISO strings on x make a time axis; None and NaN are gaps.
    """
    from .draw import Options
    from .render import render

    options = Options(
        title=title,
        x_label=x_label,
        y_label=y_label,
        width=width,
        height=height,
        group=group,
        stacked=stacked,
        bins=bins,
    )
    return render(data, chart_type, x, y, options, name)


def functions(_rpc: Any = None) -> dict[str, Callable[..., Any]]:
    """What user code gets; files go through ``artifacts``."""
    return {"render_chart": render_chart}
