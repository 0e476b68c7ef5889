"""What the rest of a program does with each name: known at a line, read from the last one upwards.

Names that several functions share, and attributes, have one answer for the whole program.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .uses import NONE, Uses

Names = dict[str, Uses]


@dataclass
class _Scope:
    """A function, a class or the program itself."""

    #: Where it begins; nothing for the program itself.
    place: tuple[int, int] | None
    #: Its parameters and what it assigns.
    own: set[str]
    is_class: bool = False
    #: Said to be another scope's.
    declared: set[str] = field(default_factory=set)
    #: Every name that is read here.
    seen: Names = field(default_factory=dict)
    #: What the lines below do with a name.
    after: Names = field(default_factory=dict)
    #: What handlers of errors do with it: no assignment before them hides that.
    floor: Names = field(default_factory=dict)


class NameUses:
    """The names of one program; read several times, since one function teaches about another."""

    def __init__(self) -> None:
        self._scope = _Scope(None, set())
        #: Names that a function takes from around it, and what all do with them.
        self._shared: Names = {}
        #: Which names of which function these are.
        self._taken: set[tuple[tuple[int, int] | None, str]] = set()
        self._attributes: Names = {}

    @property
    def learned(self) -> tuple[int, int]:
        """Changes as long as reading the program again may tell more."""
        uses = sum(len(uses) for names in (self._shared, self._attributes) for uses in names.values())
        return len(self._taken), uses

    @property
    def after(self) -> Names:
        """What the lines below do with a name."""
        return self._scope.after

    @after.setter
    def after(self, names: Names) -> None:
        self._scope.after = names

    @property
    def floor(self) -> Names:
        """What handlers of errors do with a name."""
        return self._scope.floor

    @floor.setter
    def floor(self, names: Names) -> None:
        self._scope.floor = names

    def begin(self, place: tuple[int, int] | None, own: set[str], is_class: bool = False) -> _Scope:
        """Enter a scope, from its end; gives the one around it for ``end``."""
        outer, self._scope = self._scope, _Scope(place, own, is_class)
        return outer

    def end(self, outer: _Scope) -> None:
        """Leave a scope."""
        scope, self._scope = self._scope, outer
        own = scope.own - scope.declared
        for name, uses in scope.seen.items():
            if scope.place is not None and name not in own:
                self._taken.add((outer.place, name))
                outer.seen.setdefault(name, NONE)
                self._share(name, uses)
            elif (scope.place, name) in self._taken:
                self._share(name, uses)

    def _share(self, name: str, uses: Uses) -> None:
        if uses:
            self._shared[name] = self._shared.get(name, NONE) | uses

    def begin_inner(self, own: set[str]) -> tuple[Names, set[str]]:
        """Enter a comprehension: its names are others than those around it."""
        scope = self._scope
        before = ({name: scope.after.pop(name) for name in own if name in scope.after}, scope.own)
        scope.own = scope.own | own
        return before

    def end_inner(self, before: tuple[Names, set[str]]) -> None:
        """Leave a comprehension."""
        self._scope.after.update(before[0])
        self._scope.own = before[1]

    def declare(self, names: list[str]) -> None:
        """``global`` and ``nonlocal``."""
        self._scope.declared.update(names)

    def of(self, name: str) -> Uses:
        """What becomes of the value a name has here."""
        scope = self._scope
        uses = scope.after.get(name, NONE)
        if name in self._shared and self._is_shared(name):
            uses |= self._shared[name]
        return uses | self._attributes.get(name, NONE) if scope.is_class else uses

    def _is_shared(self, name: str) -> bool:
        scope = self._scope
        is_own = name in scope.own and name not in scope.declared
        return not is_own or (scope.place, name) in self._taken

    def read(self, name: str, uses: Uses) -> None:
        """The name is read, and this becomes of it."""
        scope = self._scope
        scope.seen[name] = scope.seen.get(name, NONE) | uses
        if uses:
            scope.after[name] = scope.after.get(name, NONE) | uses

    def assign(self, name: str) -> Uses:
        """The name gets a value; gives what becomes of that."""
        self._scope.own.add(name)
        uses = self.of(name)
        if name in self._scope.floor:
            self._scope.after[name] = self._scope.floor[name]
        else:
            self._scope.after.pop(name, None)
        return uses

    def of_attribute(self, name: str) -> Uses:
        """What becomes of the values of an attribute, of whatever object."""
        return self._attributes.get(name, NONE)

    def read_attribute(self, name: str, uses: Uses) -> None:
        """An attribute is read, and this becomes of it."""
        if uses:
            self._attributes[name] = self._attributes.get(name, NONE) | uses


def merge(into: Names, names: Names) -> None:
    """Add what is done with names on another way."""
    for name, uses in names.items():
        into[name] = into.get(name, NONE) | uses
