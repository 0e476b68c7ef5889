"""JSON Schema of a tool → the signature its Python method has, and the check of a call against it.

``src/languages/python/signature.ts`` writes the same text for the docs of the host; a test compares the two.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import keyword
import unicodedata
from typing import Any

from .python_types import PythonTypes, TypeText, python_literal, write_entry
from .schema_part import SchemaRoot, is_content_schema, utf16_length

#: Longest text of a signature; a longer one is written plainer, then cut.
_MAX_CHARS = 1000
_MAX_CUT_TYPE_CHARS = 100

#: Longest description of a parameter in a docstring, and how many have one.
_MAX_NOTE_CHARS = 120
_MAX_NOTES = 30


class _Unset:
    """Default of an argument that is left to the server when it is not given."""

    def __repr__(self) -> str:
        return "..."


UNSET = _Unset()


class ToolSignature:
    """The arguments of one tool, and what a call gives."""

    def __init__(self, name: str, schema: Any, output_schema: Any = None) -> None:
        self._name = name
        self._schema = schema
        self._output_schema = output_schema
        self._root = SchemaRoot(schema)
        members = self._root.members(schema)
        self._properties = members.properties
        self._required = members.required
        self._open = members.is_open
        #: Written name → name for the server, in the order of the schema.
        self._raw = {
            label: name
            for name in self._properties
            if (label := _label(name, self._properties)) is not None
        }
        self._positional = self._leading()

    def __str__(self) -> str:
        return self._text

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments to send; raises ``TypeError`` with the signature if they do not fit."""
        if len(args) > len(self._positional):
            most = len(self._positional)
            what = f"{most} argument{'s'[most == 1:]} without a name" if most else "its arguments by name only"
            self._refuse(f"takes {what}, got {len(args)}")
        arguments = {self._raw[label]: value for label, value in zip(self._positional, args)}
        for written, value in kwargs.items():
            name = self._raw.get(written, written)
            if name in arguments:
                self._refuse(f"got {name!r} twice")
            if name not in self._properties and not self._open:
                self._refuse(f"got an unexpected argument {name!r}{self._nearest(name)}")
            if value is not UNSET:
                arguments[name] = value
        missing = [name for name in self._required if name not in arguments]
        if missing:
            self._refuse(f"is missing {', '.join(map(repr, missing))}")
        return arguments

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """What ``inspect.signature`` gives."""
        types = PythonTypes(self._schema)
        parameters: list[inspect.Parameter] = []
        for label in self._ordered():
            name = self._raw[label]
            parameters.append(
                inspect.Parameter(
                    label,
                    inspect.Parameter.POSITIONAL_OR_KEYWORD
                    if label in self._positional
                    else inspect.Parameter.KEYWORD_ONLY,
                    annotation=TypeText(types.type_of(self._properties[name], 2)),
                    default=inspect.Parameter.empty
                    if name in self._required
                    else self._default(name),
                )
            )
        rest = self._rest(types, 2)
        if rest:
            name, _, kind = rest[0][2:].partition(": ")
            annotation = TypeText(kind) if kind else inspect.Parameter.empty
            parameters.append(
                inspect.Parameter(name, inspect.Parameter.VAR_KEYWORD, annotation=annotation)
            )
        returned = self._returned(2)[0]
        return inspect.Signature(
            parameters,
            return_annotation=inspect.Signature.empty if returned == "Any" else TypeText(returned),
        )

    def docstring(self, description: str) -> str | None:
        """What the tool does, then its parameters."""
        notes = []
        for label in self._ordered():
            part = self._properties[self._raw[label]]
            note = _note(part) or _note(self._root.resolve(part))
            if note and len(notes) < _MAX_NOTES:
                notes.append(f"{label}: {note}")
        return "\n\n".join(filter(None, [description, "\n".join(notes)])) or None

    @functools.cached_property
    def _text(self) -> str:
        for depth in (2, 1, 0):
            parameters, returned, is_cut = self._write(depth)
            text = f"{self._name}({', '.join(parameters)}) -> {returned}"
            if utf16_length(text) <= _MAX_CHARS and not (is_cut and depth):
                return text
        end = f"**{self._rest_name()}) -> " + (
            "Any" if utf16_length(returned) > _MAX_CUT_TYPE_CHARS else returned
        )
        kept: list[str] = []
        room = _MAX_CHARS - utf16_length(self._name) - utf16_length(end) - 1
        for parameter in parameters:
            room -= utf16_length(parameter) + 2
            if room < 0 or parameter.startswith("**"):
                break
            kept.append(parameter)
        if kept and kept[-1] == "*":
            kept.pop()
        return f"{self._name}({''.join(f'{one}, ' for one in kept)}{end}"

    def _write(self, depth: int) -> tuple[list[str], str, bool]:
        types = PythonTypes(self._schema)
        kinds = {
            name: types.type_of(part, depth) for name, part in self._properties.items()
        }
        parameters: list[str] = []
        for label in self._ordered():
            name = self._raw[label]
            if label not in self._positional and "*" not in parameters:
                parameters.append("*")
            initial = self._default(name)
            written = None if initial is UNSET else python_literal(initial)
            default = "" if name in self._required else f" = {written or '...'}"
            parameters.append(f"{label}: {kinds[name]}{default}")
        returned, is_cut = self._returned(depth)
        return [*parameters, *self._rest_of(kinds)], returned, types.is_cut or is_cut

    def _rest(self, types: PythonTypes, depth: int) -> list[str]:
        return self._rest_of(
            {name: types.type_of(self._properties[name], depth) for name in self._unwritable()}
        )

    def _rest_of(self, kinds: dict[str, str]) -> list[str]:
        """The parameter for all that has no name of its own here, if there is one."""
        others = [
            write_entry(name, kinds[name], name in self._required) for name in self._unwritable()
        ]
        if others:
            return [f"**{self._rest_name()}: Unpack[{{{', '.join(others)}}}]"]
        return [f"**{self._rest_name()}"] if self._open else []

    def _returned(self, depth: int) -> tuple[str, bool]:
        if not isinstance(self._output_schema, dict):
            return "Any", False
        if is_content_schema(self._output_schema):
            return "Blob | list", False
        types = PythonTypes(self._output_schema)
        properties = self._output_schema.get("properties")
        part: Any = self._output_schema
        # A lone ``result`` is opened by the host.
        if isinstance(properties, dict) and list(properties) == ["result"]:
            part = types.root.members(part).properties.get("result")
        return types.type_of(part, depth), types.is_cut

    def _ordered(self) -> list[str]:
        others = [label for label in self._raw if label not in self._positional]
        others.sort(key=lambda label: self._raw[label] not in self._required)
        return [*self._positional, *others]

    def _unwritable(self) -> list[str]:
        """Names that can only be passed in a dict; required ones first."""
        written = set(self._raw.values())
        names = [name for name in self._properties if name not in written]
        return sorted(names, key=lambda name: name not in self._required)

    def _rest_name(self) -> str:
        name = "arguments"
        while name in self._raw:
            name += "_"
        return name

    def _default(self, name: str) -> Any:
        part = self._properties[name]
        if not (isinstance(part, dict) and "default" in part):
            part = self._root.resolve(part)
        return part.get("default", UNSET)

    def _leading(self) -> list[str]:
        """Required ones at the front have an order a caller can know; a single argument needs none."""
        found: list[str] = []
        labels = {name: label for label, name in self._raw.items()}
        for name in self._properties:
            is_known = name in self._required or len(self._properties) == 1
            if not is_known or name not in labels:
                break
            found.append(labels[name])
        return found

    def _refuse(self, reason: str) -> None:
        raise TypeError(f"{self._name}() {reason}; expected {self}")

    def _nearest(self, name: str) -> str:
        close = difflib.get_close_matches(name, self._properties, n=1)
        return f" (did you mean {close[0]!r}?)" if close else ""


def _label(name: str, properties: dict[str, Any]) -> str | None:
    """The name that code writes; a keyword gets a ``_``, unless that is the name of another argument."""
    if not name.isidentifier() or name == "__debug__":
        return None
    # Python takes other spellings of a letter for the same one, so the name would not arrive as it is.
    if not name.isascii() and unicodedata.normalize("NFKC", name) != name:
        return None
    if not keyword.iskeyword(name):
        return name
    return None if f"{name}_" in properties else f"{name}_"


def _note(part: Any) -> str:
    text = part.get("description") if isinstance(part, dict) else None
    line = " ".join(text[: 4 * _MAX_NOTE_CHARS].split()) if isinstance(text, str) else ""
    return line if len(line) <= _MAX_NOTE_CHARS else f"{line[:_MAX_NOTE_CHARS - 1]}…"
