"""Names of Python itself that a program gave another meaning: taken back when it has ended.

A program that sets ``builtins.str = 5`` breaks itself; without this it would break every later one as well,
and what reports on them. It guards nothing: a program that means to can change more than names.
"""

from __future__ import annotations

import re
import sys
from types import ModuleType
from typing import Any

#: What this package and those it calls look up by name while they take in, run and report on a program.
_MODULES = (
    "ast",
    "asyncio",
    "asyncio.base_events",
    "asyncio.events",
    "asyncio.futures",
    "asyncio.tasks",
    "builtins",
    "codecs",
    "collections",
    "contextvars",
    "functools",
    "inspect",
    "io",
    "itertools",
    "json",
    "json.decoder",
    "json.encoder",
    "linecache",
    "operator",
    "os",
    "re",
    "signal",
    "threading",
    "time",
    "tokenize",
    "traceback",
    "types",
)

#: Of these no more than that: programs give other names a meaning that is to last, such as ``time.sleep``.
_ONLY = {
    "os": frozenset(
        "close dup environ fsdecode fsencode fspath fstat listdir makedirs open path read remove scandir sep stat "
        "urandom write".split()
    ),
    "time": frozenset({"monotonic"}),
}

#: How a program can set or take away an attribute. Most do not, and are spared the look at two thousand names.
_CHANGES = re.compile(
    r"\.\w+\s*(?:[-+*/|&^%@<>]{1,2})?=(?!=)|__|\b(?:setattr|delattr|del|vars|patch|modules|exec|eval)\b"
)

#: A longer program is not searched for them.
_MAX_SEARCHED_CHARS = 100_000


class Pristine:
    """The public names of those modules, as they are when it is made."""

    def __init__(self) -> None:
        modules = [(name, sys.modules[name]) for name in _MODULES if name in sys.modules]
        self._kept = [_Module(name, module) for name, module in modules]
        self._search = _CHANGES.search
        self._may_differ = False

    def expect(self, code: str) -> None:
        """A program is about to run. Functions of one may change something when a later one calls them."""
        if not self._may_differ:
            self._may_differ = len(code) > _MAX_SEARCHED_CHARS or self._search(code) is not None

    def restore(self) -> None:
        """Take back what was changed."""
        if not self._may_differ:
            return
        modules = sys.modules
        for kept in self._kept:
            if modules.get(kept.name) is not kept.module:
                modules[kept.name] = kept.module
            if not kept.is_as_before():
                kept.restore()


class _Module:
    def __init__(self, name: str, module: ModuleType) -> None:
        self.name = name
        self.module = module
        self._now = vars(module)
        #: All of it, since two dictionaries are compared faster than a part of one.
        self._before = dict(self._now)
        self._public = {
            key: value
            for key, value in self._before.items()
            if _is_kept(name, key)
        }

    def is_as_before(self) -> bool:
        try:
            return self._now == self._before
        except Exception:  # noqa: BLE001 - a value of the program's compares itself
            return False

    def restore(self) -> None:
        self._now.update(self._public)
        self._before = dict(self._now)


def _is_kept(module: str, name: str) -> bool:
    # Private names change in the course of things; those of builtins, such as `__import__`, do not.
    if module == "builtins":
        return name != "_"
    return not name.startswith("_") and name in _ONLY.get(module, (name,))
