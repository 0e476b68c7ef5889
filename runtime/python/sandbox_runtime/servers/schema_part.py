"""Reading JSON Schemas that servers sent: nothing about them is taken for granted, and the work is bounded.

``src/shared/json/schema_part.ts`` reads them the same way for the docs that the host makes; a test compares
what both say of the same schemas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

#: Most references that are followed in a row.
MAX_STEPS = 12

#: Most members of one object, and the longest name of one, that are looked at.
_MAX_MEMBERS = 200
_MAX_NAME_CHARS = 100

#: Most parts an object is gathered from, and all objects of a schema together.
_MAX_PARTS = 200
_MAX_ALL_PARTS = 5000

#: Keywords that can allow members which are not under ``properties``.
_OPENING = ("patternProperties", "if", "dependentSchemas", "dependencies")


#: Kinds of content that are bytes, or may be.
_BYTES = ("image", "audio", "resource")


@dataclass
class Members:
    """The named members of an object."""

    properties: dict[str, Any] = field(default_factory=dict)
    #: A dict for its order.
    required: dict[str, None] = field(default_factory=dict)
    #: Whether names that are not listed are welcome.
    is_open: bool = False
    _is_closed: bool = False
    _is_named: bool = False
    _parts_left: int = _MAX_PARTS

    def _add(self, schema: dict[str, Any]) -> None:
        properties = schema.get("properties")
        extra = schema.get("additionalProperties")
        self._is_named |= isinstance(properties, dict)
        self._is_closed |= extra is False
        self.is_open |= (
            extra is True or isinstance(extra, dict) or any(word in schema for word in _OPENING)
        )
        if isinstance(properties, dict):
            for name, part in properties.items():
                self._set(name, part)
        for name in as_list(schema.get("required")):
            if isinstance(name, str):
                self._set(name, {})
                if name in self.properties:
                    self.required[name] = None

    def _add_choices(self, branches: list[Members]) -> None:
        for branch in branches:
            for name, part in branch.properties.items():
                self._set(name, part)
            self.is_open |= branch.is_open
            self._is_named |= branch._is_named
        for name in branches[0].required:
            if all(name in branch.required for branch in branches):
                self.required[name] = None

    def _set(self, name: str, part: Any) -> None:
        # A choice that only says ``required`` must not hide what the property is.
        if self.properties.get(name, {}) != {}:
            return
        if name not in self.properties and len(self.properties) >= _MAX_MEMBERS:
            self.is_open = True
        elif utf16_length(name) > _MAX_NAME_CHARS:
            self.is_open = True
        else:
            self.properties[name] = part


class SchemaRoot:
    """A whole schema, whose references it knows."""

    def __init__(self, root: Any) -> None:
        self._root = root
        #: By the identity of the schema, which the root keeps alive.
        self._members: dict[int, Members] = {}
        self._parts_left = _MAX_ALL_PARTS

    def resolve(self, schema: Any) -> dict[str, Any]:
        """``schema``, or what it refers to."""
        found = schema
        for _ in range(MAX_STEPS):
            if not isinstance(found, dict):
                return {}
            ref = found.get("$ref")
            if not isinstance(ref, str):
                return found
            found = self._look_up(ref)
        return {}

    def members(self, part: Any) -> Members:
        """The members of an object, with those of ``allOf`` and, as optional ones, of its choices."""
        schema = self.resolve(part)
        if not schema:
            return Members(is_open=True)
        known = self._members.get(id(schema))
        if known is not None:
            return known
        gathered = Members(_parts_left=min(_MAX_PARTS, self._parts_left))
        before = gathered._parts_left
        self._gather(schema, gathered, MAX_STEPS)
        self._parts_left -= before - gathered._parts_left
        gathered.is_open |= not gathered._is_named and not gathered._is_closed
        self._members[id(schema)] = gathered
        return gathered

    def _gather(self, part: Any, into: Members, steps: int) -> None:
        if steps == 0 or into._parts_left <= 0:
            return
        into._parts_left -= 1
        schema = self.resolve(part)
        into._add(schema)
        for one in as_list(schema.get("allOf"))[:_MAX_PARTS]:
            self._gather(one, into, steps - 1)
        for word in ("anyOf", "oneOf"):
            branches: list[Members] = []
            for choice in as_list(schema.get(word))[:_MAX_PARTS]:
                branch = Members(_parts_left=into._parts_left)
                self._gather(choice, branch, steps - 1)
                into._parts_left = branch._parts_left
                branches.append(branch)
            if branches:
                into._add_choices(branches)

    def _look_up(self, ref: str) -> Any:
        if ref == "#":
            return self._root
        if not ref.startswith("#/"):
            return None
        found = self._root
        for part in ref[2:].split("/")[:20]:
            key = _unescape(part)
            if isinstance(found, dict):
                found = found.get(key)
            elif isinstance(found, list) and re.fullmatch("0|[1-9][0-9]{0,8}", key):
                found = found[int(key)] if int(key) < len(found) else None
            else:
                return None
        return found


def as_list(value: Any) -> list[Any]:
    """The value if it is a list, otherwise nothing."""
    return value if isinstance(value, list) else []


def utf16_length(text: str) -> int:
    """The length as JavaScript counts it, so that both sides cut at the same place."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _unescape(part: str) -> str:
    if "%" in part:
        try:
            if re.search("%(?![0-9A-Fa-f]{2})", part):
                return part
            raw = re.sub(
                b"%(..)", lambda found: bytes([int(found[1], 16)]), part.encode("utf-8")
            )
            part = raw.decode("utf-8")
        except ValueError:
            return part
    return part.replace("~1", "/").replace("~0", "~")


def is_content_schema(schema: dict[str, Any]) -> bool:
    """Whether it is that of a result that only says content with bytes again, which the host then gives."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or list(properties) != ["content"]:
        return False
    content = properties["content"]
    items = content.get("items") if isinstance(content, dict) else None
    choices = items.get("anyOf") if isinstance(items, dict) else None
    for choice in choices if isinstance(choices, list) else [items]:
        named = choice.get("properties") if isinstance(choice, dict) else None
        kind = named.get("type") if isinstance(named, dict) else None
        if isinstance(kind, dict):
            kinds = kind["enum"] if isinstance(kind.get("enum"), list) else [kind.get("const")]
            if any(isinstance(one, str) and one in _BYTES for one in kinds):
                return True
    return False
