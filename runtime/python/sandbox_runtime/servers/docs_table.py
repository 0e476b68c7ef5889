"""A list of tool docs as a person would write it down: a line for each tool.

What is echoed this way stays plain data in ``_``. A list that was asked for with its schemas is left as it
is: who asks for schemas wants to see them.
"""

from __future__ import annotations

import re
from typing import Any

from .signatures import ToolSignature

#: Longest parts of a line.
_SIGNATURE_CHARS = 300
_DESCRIPTION_CHARS = 120

_DOC_KEYS = frozenset(("server", "serverAlias", "tool", "toolAlias", "signature"))
_TOOL_KEYS = frozenset(("name", "alias", "description", "input_schema"))


def lines_of(value: Any) -> list[str] | None:
    """The lines, if it is a list of docs or of tools; else None."""
    if not isinstance(value, list) or not value:
        return None
    try:
        return _lines(value)
    except Exception:  # noqa: BLE001 - a program can make a list that only looks like one
        return None


def _lines(value: list[Any]) -> list[str] | None:
    if _all_have(value, _DOC_KEYS) and not any("inputSchema" in doc for doc in value):
        return [*map(_doc_line, value), *_not_loaded(value)]
    if _all_have(value, _TOOL_KEYS):
        return [*map(_tool_line, value)]
    return None


def _all_have(value: list[Any], keys: frozenset[str]) -> bool:
    return all(isinstance(item, dict) and keys <= item.keys() for item in value)


def _doc_line(doc: dict[str, Any]) -> str:
    return _line(f"mcp_{doc['serverAlias']}.{doc['signature']}", doc.get("description"))


def _tool_line(tool: dict[str, Any]) -> str:
    signature = ToolSignature(tool["alias"], tool["input_schema"], tool.get("output_schema"))
    return _line(str(signature), tool["description"])


def _line(signature: str, description: object) -> str:
    text = " ".join(str(description or "").split())
    sentence = re.split(r"(?<=[.!?]) (?=[A-Z`\"'(\[])", text, maxsplit=1)[0]
    shown = _short(sentence, _DESCRIPTION_CHARS)
    return _short(signature, _SIGNATURE_CHARS) + (f"  # {shown}" if shown else "")


def _not_loaded(docs: list[dict[str, Any]]) -> list[str]:
    names = dict.fromkeys(doc["server"] for doc in docs if doc.get("loaded") is False)
    listed = ", ".join(f'"{name}"' for name in names)
    return [f"To call these, add to `servers` of run_python: {listed}"] if names else []


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()} …"
