"""Names of files that the host keeps.

The host's own check is ``src/store/runs/file_name.ts`` and decides; this one tells before anything is written.
``tests/fixtures/file_names.json`` is checked by both.
"""

from __future__ import annotations

import unicodedata

_MAX_NAME_BYTES = 200
_OWN = ("run_python.py", "stdout.txt", "stderr.txt")
_FORBIDDEN = frozenset('\\:*?"<>|')
_UNSEEN = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)))
_RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{device}{digit}" for device in ("com", "lpt") for digit in range(10)))
)


def name_problem(name: str) -> str | None:
    """What is wrong with a name, in the host's words."""
    if name == "":
        return "it is empty"
    try:
        # On the host's disk these two take three bytes.
        size = len(name.encode()) + 2 * (name.count("/") + name.count("%"))
    except UnicodeEncodeError:
        return "it is not valid Unicode"
    if size > _MAX_NAME_BYTES:
        return f"it is longer than {_MAX_NAME_BYTES} bytes"
    if unicodedata.normalize("NFC", name).lower() in _OWN:
        return "the host keeps the run's own text under that name"
    for character in name:
        if character in _FORBIDDEN:
            return f"it contains {character}"
    if not _UNSEEN.isdisjoint(name):
        return "it contains a character that cannot be seen"
    if name.startswith("/"):
        return "it is an absolute path"
    for part in name.split("/"):
        if problem := _part_problem(part):
            return problem
    return None


def _part_problem(part: str) -> str | None:
    if part == "":
        return "it has an empty part"
    if part == "..":
        return "it leads out of the folder"
    if part.startswith("."):
        return "a part of it starts with a dot"
    if part[0] == " " or part[-1] in " .":
        return "a part of it starts or ends with a space or ends with a dot"
    if part.split(".")[0].rstrip().lower() in _RESERVED:
        return "Windows keeps that name for a device"
    return None
