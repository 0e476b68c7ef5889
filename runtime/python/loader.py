"""First program of a container into which no folder can be mounted: ``python3 -u -c <this file>``.

Takes the runtime from stdin (eight hexadecimal digits for the length, then JSON: path -> text), writes it to
``/ipc``, which is in memory there, and becomes the usual entry. Reads not one byte more: what follows is the
protocol, for the entry to read.
"""

import json
import os
import sys


def _take(size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = os.read(0, size - len(data))
        if not chunk:
            sys.exit("The host closed stdin before the runtime had arrived")
        data += chunk
    return bytes(data)


for _name, _text in json.loads(_take(int(_take(8), 16))).items():
    _path = os.path.join("/ipc", _name)
    os.makedirs(os.path.dirname(_path), exist_ok=True)
    with open(_path, "w", encoding="utf-8") as _file:
        _file.write(_text)
os.execv(sys.executable, [sys.executable, "-u", "/ipc/entrypoint.py"])
