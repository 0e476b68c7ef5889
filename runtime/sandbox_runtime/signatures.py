"""JSON Schema of a tool → the signature its Python method has, and the check of a call against it."""

from __future__ import annotations

import difflib
import inspect
import keyword
from typing import Any, Literal, Optional

#: Python types by JSON type.
_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": None,
}


class _Unset:
    """Default of an argument that is left to the server when it is not given."""

    def __repr__(self) -> str:
        return "..."


UNSET = _Unset()


class ToolSignature:
    """The arguments of one tool."""

    def __init__(self, name: str, schema: dict[str, Any]) -> None:
        properties = schema.get("properties")
        self._name = name
        self._properties: dict[str, Any] = properties if isinstance(properties, dict) else {}
        required = schema.get("required")
        self._required = [
            name
            for name in (required if isinstance(required, list) else [])
            if isinstance(name, str)
        ]
        self._open = _takes_more(schema, self._properties)
        #: Names that Python cannot write, by the ones that stand for them.
        self._raw = {
            _safe(name): name for name in self._properties if keyword.iskeyword(name)
        }
        self.signature = self._build()

    def __str__(self) -> str:
        return f"{self._name}{self.signature}"

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments to send; raises ``TypeError`` with the signature if they do not fit."""
        names = list(self._properties)
        if len(args) > len(names):
            self._refuse(f"takes at most {len(names)} positional arguments, got {len(args)}")
        positional = names[: len(args)]
        # Only required ones have an order a caller can know; a single argument needs none.
        if len(names) > 1 and any(name not in self._required for name in positional):
            self._refuse("takes these arguments by name only")
        arguments = dict(zip(positional, args))
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

    def _refuse(self, reason: str) -> None:
        raise TypeError(f"{self._name}() {reason}; expected {self}")

    def _nearest(self, name: str) -> str:
        close = difflib.get_close_matches(name, self._properties, n=1)
        return f" (did you mean {close[0]!r}?)" if close else ""

    def _build(self) -> inspect.Signature:
        parameters: list[inspect.Parameter] = []
        required = [name for name in self._properties if name in self._required]
        optional = [name for name in self._properties if name not in self._required]
        for name in required + optional:
            if not name.isidentifier():
                continue
            schema = self._properties[name]
            must = name in self._required
            parameters.append(
                inspect.Parameter(
                    _safe(name),
                    inspect.Parameter.POSITIONAL_OR_KEYWORD
                    if must
                    else inspect.Parameter.KEYWORD_ONLY,
                    annotation=python_type(schema),
                    default=inspect.Parameter.empty if must else _default(schema),
                )
            )
        if self._open or len(parameters) < len(self._properties):
            parameters.append(
                inspect.Parameter("arguments", inspect.Parameter.VAR_KEYWORD)
            )
        return inspect.Signature(parameters)


def _takes_more(schema: dict[str, Any], properties: dict[str, Any]) -> bool:
    """Whether names that the schema does not list are welcome."""
    extra = schema.get("additionalProperties")
    if extra is None:
        return not properties or "patternProperties" in schema
    return extra is not False


def _safe(name: str) -> str:
    """A name that Python takes as a parameter."""
    return f"{name}_" if keyword.iskeyword(name) else name


def _default(schema: Any) -> Any:
    return schema["default"] if isinstance(schema, dict) and "default" in schema else UNSET


def python_type(schema: Any) -> Any:
    """The annotation for a JSON Schema; ``Any`` where it says nothing useful."""
    if not isinstance(schema, dict):
        return Any
    values = schema.get("enum")
    if isinstance(values, list) and values and all(
        value is None or isinstance(value, (str, int, bool)) for value in values
    ):
        return Literal[tuple(values)]
    kind = schema.get("type")
    if isinstance(kind, list):
        named = [item for item in kind if item != "null"]
        only = _TYPES.get(named[0], Any) if len(named) == 1 else Any
        return Optional[only] if "null" in kind and only is not Any else only
    if kind == "array" and isinstance(schema.get("items"), dict):
        item = python_type(schema["items"])
        return list if item is Any else list[item]  # type: ignore[valid-type]
    return _TYPES.get(kind, Any) if isinstance(kind, str) else Any
