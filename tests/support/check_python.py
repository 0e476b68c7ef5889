"""Reads what the host wrote about tools, as JSON on stdin, and says what Python thinks of it.

Each item has ``stubs`` (a text that must run as Python), ``tool`` (metadata) and ``signature``: the text that
the runtime must write for the same tool.
"""

from __future__ import annotations

import ast
import json
import pathlib
import sys
import typing
from typing import Any, Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "runtime" / "python"))

from sandbox_runtime.servers.signatures import ToolSignature  # noqa: E402

_TYPING = {
    name: getattr(typing, name)
    for name in ("Any", "Literal", "NotRequired", "TypedDict", "Unpack")
}


def check(item: dict[str, Any]) -> Iterator[str]:
    stubs: str = item["stubs"]
    tool: dict[str, Any] = item["tool"]
    try:
        exec(compile(f"from __future__ import annotations\n{stubs}", "stubs", "exec"), dict(_TYPING))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what the test wants to know
        yield f"{type(error).__name__}: {error} in\n{stubs}"
    try:
        ast.parse(f"def {item['signature']}: ...")
    except SyntaxError as error:
        yield f"{error} in {item['signature']}"
    mine = ToolSignature(tool["alias"], tool["input_schema"], tool.get("output_schema"))
    if str(mine) != item["signature"]:
        yield f"host:    {item['signature']}\nruntime: {mine}\nof {json.dumps(tool)}"
    str(mine.signature)
    mine.docstring("")


if __name__ == "__main__":
    items = json.load(sys.stdin)
    problems = [problem for item in items for problem in check(item)]
    json.dump({"checked": len(items), "problems": problems[:5]}, sys.stdout)
