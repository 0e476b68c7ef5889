"""Colours and sizes: one look for all charts."""

from __future__ import annotations

#: Told apart by people who see colours differently (Okabe and Ito), the palest last.
PALETTE = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#d55e00",
    "#56b4e9",
    "#cc79a7",
    "#6b6b6b",
    "#8c6d1f",
    "#5e3c99",
    "#b2df8a",
)
INK = "#1f2328"
LABEL = "#3d444d"
TICK = "#59636e"
GRID = "#e6e8eb"
AXIS = "#8b949e"
WHITE = "#ffffff"

TITLE_SIZE = 17.0
LABEL_SIZE = 13.0
TICK_SIZE = 12.0

#: Free room around everything.
MARGIN = 18.0


def series_colour(number: int) -> str:
    """The colour of the n-th series; they come again after the last."""
    return PALETTE[number % len(PALETTE)]
