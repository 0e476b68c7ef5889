"""The top of a chart: its title and the names of its series."""

from __future__ import annotations

from .picture.font import shorten, text_width
from .picture.scene import Rect, Scene, Text
from .style import INK, LABEL, LABEL_SIZE, MARGIN, TITLE_SIZE

_SWATCH = 11.0
_GAP = 20.0
_ROW = 20.0
_MAX_ROWS = 3
_MAX_NAME = 220.0

#: Name and colour of a series.
Entry = tuple[str, str]


def draw_header(scene: Scene, title: str, entries: list[Entry]) -> float:
    """Draw both and give the y where the rest begins."""
    y = MARGIN
    if title:
        for line in _wrap(title, scene.width - 2 * MARGIN):
            scene.add(Text(MARGIN, y + TITLE_SIZE * 0.8, line, TITLE_SIZE, INK, bold=True))
            y += TITLE_SIZE * 1.3
        y += 4
    return _legend(scene, entries, y) if entries else y


def _wrap(title: str, room: float) -> list[str]:
    """At most two lines."""
    room /= 1.06
    if text_width(title, TITLE_SIZE) <= room:
        return [title]
    words = title.split()
    first = ""
    while words and text_width(f"{first} {words[0]}".strip(), TITLE_SIZE) <= room:
        first = f"{first} {words.pop(0)}".strip()
    if not first:
        return [shorten(title, TITLE_SIZE, room)]
    return [first, shorten(" ".join(words), TITLE_SIZE, room)]


def _legend(scene: Scene, entries: list[Entry], y: float) -> float:
    room = min(_MAX_NAME, scene.width - 2 * MARGIN - _SWATCH - 6)
    x = MARGIN
    row = 1
    for number, (name, fill) in enumerate(entries):
        text = shorten(name, LABEL_SIZE, room)
        width = _SWATCH + 6 + text_width(text, LABEL_SIZE)
        rest = f"+{len(entries) - number} more"
        last_row = row == _MAX_ROWS and number < len(entries) - 1
        limit = scene.width - MARGIN
        if last_row:
            limit -= _GAP + text_width(rest, LABEL_SIZE)
        if x > MARGIN and x + width > limit:
            if row == _MAX_ROWS:
                scene.add(Text(x, y + 11, rest, LABEL_SIZE, LABEL))
                break
            x = MARGIN
            y += _ROW
            row += 1
        scene.add(
            Rect(x, y + 1, _SWATCH, _SWATCH, fill),
            Text(x + _SWATCH + 6, y + 11, text, LABEL_SIZE, LABEL),
        )
        x += width + _GAP
    return y + _ROW + 4
