"""Packs a new version of the time zone database into ``runtime/python/time_zones/tzdata/zones.txt``.

    pip install --upgrade tzdata && python3 tests/support/build_time_zones.py

The data is IANA's, in the public domain; PyPI's ``tzdata`` has it compiled, and is first-party to Python.
"""

from __future__ import annotations

import base64
import importlib.resources
import json
import pathlib
import textwrap
import zlib

import tzdata

_TARGET = pathlib.Path(__file__).parents[2] / "runtime/python/time_zones/tzdata/zones.txt"


def main() -> None:
    """Write the pack: an index as one line of JSON, then the files, each once; compressed, as base64."""
    folder = importlib.resources.files(tzdata)
    names = folder.joinpath("zones").read_text(encoding="utf-8").split()
    body = b""
    places: dict[bytes, list[int]] = {}
    zones: dict[str, list[int]] = {}
    for name in sorted(names):
        data = folder.joinpath("zoneinfo", *name.split("/")).read_bytes()
        if data not in places:
            places[data] = [len(body), len(data)]
            body += data
        zones[name] = places[data]
    index = json.dumps({"version": tzdata.IANA_VERSION, "zones": zones}, separators=(",", ":"))
    packed = base64.b64encode(zlib.compress(index.encode() + b"\n" + body, 9)).decode()
    _TARGET.write_text("\n".join(textwrap.wrap(packed, 120)) + "\n", encoding="utf-8")
    print(f"{tzdata.IANA_VERSION}: {len(zones)} zones, {_TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
