"""How a tool is called: the check of a call, the signature and the docs, as the host worked them out.

``src/languages/python/call_spec.ts`` reads the tool's schemas; nothing of them is read here.
"""

from __future__ import annotations

import difflib
import functools
import inspect
from typing import Any


class _Unset:
    """Default of an argument that is left to the server when it is not given."""

    def __repr__(self) -> str:
        return "..."


UNSET = _Unset()


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


class ToolSignature:
    """The arguments of one tool, and what a call gives."""

    def __init__(self, name: str, text: str, call: dict[str, Any]) -> None:
        self._name = name
        self._text = text
        self._call = call
        self._parameters: dict[str, dict[str, Any]] = {one["name"]: one for one in call["parameters"]}
        #: Written name → its parameter, in the order of the signature.
        self._labels = {
            label: one
            for one in call["parameters"]
            if (label := one.get("label", one["name"])) is not None
        }
        self._positional = [label for label, one in self._labels.items() if one.get("positional")]

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments to send; raises ``TypeError`` with the signature if they do not fit."""
        if len(args) > len(self._positional):
            most = len(self._positional)
            what = f"{most} argument{'s'[most == 1:]} without a name" if most else "its arguments by name only"
            self._refuse(f"takes {what}, got {len(args)}")
        arguments = {self._labels[label]["name"]: value for label, value in zip(self._positional, args)}
        for written, value in kwargs.items():
            name = self._labels[written]["name"] if written in self._labels else written
            if name in arguments:
                self._refuse(f"got {name!r} twice")
            if name not in self._parameters and not self._call["open"]:
                self._refuse(f"got an unexpected argument {name!r}{self._nearest(name)}")
            if value is not UNSET:
                arguments[name] = value
        missing = [
            name for name, one in self._parameters.items() if one.get("required") and name not in arguments
        ]
        if missing:
            self._refuse(f"is missing {', '.join(map(repr, missing))}")
        return arguments

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """What ``inspect.signature`` gives."""
        parameters = [
            inspect.Parameter(
                label,
                inspect.Parameter.POSITIONAL_OR_KEYWORD if one.get("positional") else inspect.Parameter.KEYWORD_ONLY,
                annotation=TypeText(one.get("type", "Any")),
                default=inspect.Parameter.empty if one.get("required") else one.get("default", UNSET),
            )
            for label, one in self._labels.items()
        ]
        rest = self._call.get("rest")
        if rest is not None:
            name, _, kind = rest.partition(": ")
            annotation = TypeText(kind) if kind else inspect.Parameter.empty
            parameters.append(
                inspect.Parameter(name, inspect.Parameter.VAR_KEYWORD, annotation=annotation)
            )
        returned = self._call.get("returns")
        return inspect.Signature(
            parameters,
            return_annotation=inspect.Signature.empty if returned is None else TypeText(returned),
        )

    def docstring(self, description: str) -> str | None:
        """What the tool does, then its parameters."""
        return "\n\n".join(filter(None, [description, "\n".join(self._call["notes"])])) or None

    def _refuse(self, reason: str) -> None:
        raise TypeError(f"{self._name}() {reason}; expected {self._text}")

    def _nearest(self, name: str) -> str:
        close = difflib.get_close_matches(name, self._parameters, n=1)
        return f" (did you mean {close[0]!r}?)" if close else ""
