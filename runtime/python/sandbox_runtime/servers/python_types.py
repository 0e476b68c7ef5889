"""JSON Schema → a Python type, as text for a reader.

``src/languages/python/python_type.ts`` does the same on the host; a test compares the two.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .schema_part import MAX_STEPS, SchemaRoot, as_list, utf16_length

_SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

_MAX_LITERALS = 12
_MAX_LITERAL_CHARS = 80
_MAX_KEYS = 20
_MAX_UNION = 6
_MAX_PARTS = 2000
_MAX_CHARS = 4000


class TypeText:
    """An annotation that shows itself as Python source."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeText) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


class PythonTypes:
    """Gives types to the parts of one schema."""

    def __init__(self, root: Any) -> None:
        self.root = SchemaRoot(root)
        #: Whether something was left out because it was too long.
        self.is_cut = False
        self._parts_left = _MAX_PARTS

    def type_of(self, schema: Any, depth: int) -> str:
        """The type of a part of the root; objects are spelled out to that depth."""
        return self._type(schema, depth, MAX_STEPS)

    def _type(self, part: Any, depth: int, steps: int) -> str:
        if steps == 0:
            return "Any"
        self._parts_left -= 1
        if self._parts_left < 0:
            return "Any"
        schema = self.root.resolve(part)
        kind = self._plain(schema, depth, steps - 1)
        if utf16_length(kind) > _MAX_CHARS:
            self.is_cut = True
            found = re.match(r"(list|dict)\b", kind)
            return found[0] if found else "dict" if kind.startswith("{") else "Any"
        return _union([kind, "None"]) if schema.get("nullable") is True else kind

    def _plain(self, schema: dict[str, Any], depth: int, steps: int) -> str:
        literal = _literal(self._values(schema))
        if literal != "Any":
            return literal
        choices = _choices(schema)
        if isinstance(choices, list) and not isinstance(schema.get("properties"), dict):
            some = choices[: _MAX_UNION + 1]
            union = _union([self._type(choice, depth, steps) for choice in some])
            if union != "Any":
                return union
        kind = schema.get("type")
        if isinstance(kind, list):
            some = kind[: _MAX_UNION + 1]
            return _union([self._of_kind(one, schema, depth, steps) for one in some])
        return self._of_kind(kind, schema, depth, steps)

    def _values(self, schema: dict[str, Any]) -> list[Any]:
        """The values a schema allows, if it lists them; choices that are single values are one list."""
        if "const" in schema:
            return [schema["const"]]
        if isinstance(schema.get("enum"), list):
            return list(schema["enum"])
        values = []
        for choice in as_list(_choices(schema))[:100]:
            one = self.root.resolve(choice)
            if "const" in one:
                values.append(one["const"])
            elif one.get("type") == "null":
                values.append(None)
            else:
                return []
        return values

    def _of_kind(self, kind: Any, schema: dict[str, Any], depth: int, steps: int) -> str:
        if kind == "array":
            return self._array(schema, depth, steps)
        if kind == "object":
            return self._object(schema, depth, steps)
        if isinstance(kind, str):
            return _SIMPLE.get(kind, "Any")
        if "items" in schema or "prefixItems" in schema:
            return self._array(schema, depth, steps)
        if self.root.members(schema).properties or "additionalProperties" in schema:
            return self._object(schema, depth, steps)
        parts = as_list(schema.get("allOf"))[:_MAX_UNION]
        types = [self._type(one, depth, steps) for one in parts]
        return next((one for one in types if one != "Any"), "Any")

    def _array(self, schema: dict[str, Any], depth: int, steps: int) -> str:
        items = schema.get("items")
        first = as_list(items if isinstance(items, list) else schema.get("prefixItems"))
        if 0 < len(first) <= _MAX_UNION and not isinstance(items, dict):
            return f"tuple[{', '.join(self._type(one, depth, steps) for one in first)}]"
        kind = self._type(items, depth, steps) if isinstance(items, dict) else "Any"
        return "list" if kind == "Any" else f"list[{kind}]"

    def _object(self, schema: dict[str, Any], depth: int, steps: int) -> str:
        members = self.root.members(schema)
        if not members.properties:
            return self._mapping(schema, depth, steps)
        if depth <= 0 or len(members.properties) > _MAX_KEYS:
            return "dict"
        entries = []
        for key, part in members.properties.items():
            kind = self._type(part, depth - 1, steps)
            entries.append(write_entry(key, kind, key in members.required))
        return f"{{{', '.join(entries)}}}"

    def _mapping(self, schema: dict[str, Any], depth: int, steps: int) -> str:
        extra = schema.get("additionalProperties")
        if not isinstance(extra, dict):
            patterns = schema.get("patternProperties")
            some = list(patterns.values())[:1] if isinstance(patterns, dict) else []
            if not some:
                return "dict"
            extra = some[0]
        kind = self._type(extra, depth, steps)
        return "dict" if kind == "Any" else f"dict[str, {kind}]"


def write_entry(key: str, kind: str, is_required: bool) -> str:
    """One key of an object that is spelled out."""
    return f"{_string(key)}: {kind if is_required else f'NotRequired[{kind}]'}"


def python_literal(value: Any) -> str | None:
    """A JSON value in Python, or None if that would be too long to be read."""
    text = _write(value, 3)
    return None if text is None or utf16_length(text) > _MAX_LITERAL_CHARS else text


def _write(value: Any, depth: int) -> str | None:
    if isinstance(value, str):
        return None if utf16_length(value) > _MAX_LITERAL_CHARS else _string(value)
    if not isinstance(value, (dict, list)):
        return repr(value)
    if depth == 0 or len(value) > _MAX_LITERAL_CHARS:
        return None
    if isinstance(value, list):
        parts = [_write(part, depth - 1) for part in value]
    else:
        parts = []
        for key, part in value.items():
            text = _write(part, depth - 1)
            parts.append(None if text is None else f"{_string(key)}: {text}")
    if None in parts:
        return None
    inside = ", ".join(part for part in parts if part is not None)
    return f"[{inside}]" if isinstance(value, list) else f"{{{inside}}}"


def _string(text: str) -> str:
    written = json.dumps(text, ensure_ascii=False)
    return written.encode("utf-8", "backslashreplace").decode("utf-8")


def _choices(schema: dict[str, Any]) -> Any:
    found = schema.get("anyOf")
    return schema.get("oneOf") if found is None else found


def _literal(values: list[Any]) -> str:
    if any(isinstance(value, (dict, list)) for value in values):
        return "Any"
    texts = [python_literal(value) for value in values[:_MAX_LITERALS]]
    if not texts or None in texts:
        return "Any"
    named = list(dict.fromkeys(text for text in texts if text is not None and text != "None"))
    is_long = len(values) > _MAX_LITERALS
    if not named:
        return "Any" if is_long else "None"
    or_none = " | None" if any(value is None for value in values) else ""
    return f"Literal[{', '.join(named + ['...'] * is_long)}]{or_none}"


def _union(types: list[str]) -> str:
    named = dict.fromkeys(re.sub(r" \| None$", "", one) for one in types)
    named.pop("None", None)
    if not types or "Any" in named or len(types) > _MAX_UNION:
        return "Any"
    is_optional = any(one == "None" or one.endswith(" | None") for one in types)
    return " | ".join([*named, *(["None"] if is_optional else [])])
