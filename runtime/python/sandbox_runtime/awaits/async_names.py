"""Names that say what a function does with awaitables: asyncio's own, and those of containers."""

from __future__ import annotations

from .uses import ITEMS, ITSELF, NONE, Uses

#: What asyncio does with the first argument; ``gather`` takes many.
_AWAITING = {
    **dict.fromkeys(("wait", "as_completed"), ITEMS),
    **dict.fromkeys(("gather", "wait_for", "shield", "create_task", "ensure_future", "run"), ITSELF),
    **dict.fromkeys(("run_until_complete", "run_coroutine_threadsafe", "wrap_future", "Task"), ITSELF),
}

#: So common elsewhere that they count only as asyncio's.
_AMBIGUOUS = {"run", "wait", "Task"}

#: Their names for it.
_KEYWORDS = {"coro", "coro_or_future", "fut", "fs", "arg", "future", "main"}

#: Functions whose result holds what their arguments hold.
PASSING = {
    *("list", "tuple", "set", "frozenset", "dict", "sorted", "reversed", "enumerate", "zip", "filter", "map"),
    *("iter", "chain", "from_iterable", "islice", "batched", "cycle", "deque", "sample", "choice", "OrderedDict"),
}

#: Functions that give one of what their argument holds.
TAKING = {"next", "anext"}

#: Methods that give what a container holds; ``get`` is also how others than containers are asked.
READING = {"get_nowait", "pop", "popleft", "popitem", "setdefault", "values", "items", "copy", "keys"}

#: Methods that put their arguments into a container.
ADDING = {"append", "appendleft", "add", "insert", "put", "put_nowait", "setdefault", "push"}

#: Methods that put into a container what their arguments hold.
ADDING_ALL = {"extend", "extendleft", "update", "union"}

#: Methods of what is awaited.
OF_AWAITABLES = {"result", "exception", "done", "cancel", "cancelled", "add_done_callback", "__await__"}


def awaiting(path: tuple[str, ...], imported: set[str]) -> Uses:
    """What a function of this name does with what it is given; ``imported`` are names that are asyncio's."""
    name = path[-1]
    uses = _AWAITING.get(name, NONE)
    if not uses or (len(path) == 1 and name in imported):
        return uses
    is_asyncio = path[0] == "asyncio" or path[0] in imported
    return uses if is_asyncio or name not in _AMBIGUOUS else NONE


def takes_many(name: str) -> bool:
    """Whether all its arguments are awaited, not only the first."""
    return name == "gather"


def is_awaited_keyword(name: str | None) -> bool:
    """Whether an argument of this name is the one that is awaited."""
    return name in _KEYWORDS
