"""The correct programs of ``tests/fixtures/programs``, and a kernel that answers their tool calls."""

from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass
from typing import Any, Iterator

from kernel_host import KernelHost
from support import told

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "programs"

_FIXTURE: dict[str, Any] = json.loads((FOLDER / "servers.json").read_text(encoding="utf-8"))

DISCOVERED: dict[str, str] = _FIXTURE["discovered"]

#: The servers as the host describes them.
SERVERS: list[dict[str, Any]] = [
    {
        "name": name,
        "alias": name,
        "tools": [told({key: value for key, value in tool.items() if key != "result"}) for tool in tools],
    }
    for name, tools in _FIXTURE["servers"].items()
]


@dataclass
class Example:
    """One program; one that continues runs after the one before it."""

    title: str
    code: str
    #: What it prints, as it was recorded.
    stdout: str

    @property
    def continues(self) -> bool:
        return self.title.endswith("(continues)")


def examples(folder: str = "*") -> Iterator[Example]:
    """Every program, or those of ``scripts`` or ``cells``, in order."""
    for path in sorted(FOLDER.glob(f"{folder}/*.py")):
        outputs = dict(_sections(path.with_suffix(".out")))
        for title, code in _sections(path):
            yield Example(f"{path.stem}: {title}", code, outputs[title])


def _sections(path: pathlib.Path) -> Iterator[tuple[str, str]]:
    for part in path.read_text(encoding="utf-8").split("# %% ")[1:]:
        title, _, text = part.partition("\n")
        yield title, text


class AnsweringHost(KernelHost):
    """A host whose tools give the results of the fixture."""

    def _take(self, lines: bytes) -> None:
        super()._take(lines)
        for line in lines.splitlines():
            message = json.loads(line)
            if message["type"] == "rpc_request":
                self.loop.call_soon(self.send, self._answer(message))

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        payload = request["payload"]
        tools = {tool["name"]: tool for tool in _FIXTURE["servers"][payload["server"]]}
        result = tools[payload["tool"]]["result"]
        if isinstance(result, dict):
            result = {key: _fill(value, payload["arguments"]) for key, value in result.items()}
        return {"type": "rpc_response", "id": request["id"], "payload": {"success": True, "result": result}}


def _fill(value: Any, arguments: dict[str, Any]) -> Any:
    """``$city`` is the argument of that name."""
    return arguments.get(value[1:]) if isinstance(value, str) and value.startswith("$") else value
