"""Names of servers that a run does not have: which one was meant, and how to get it."""

from __future__ import annotations

import difflib
import re
import sys
import unicodedata
from typing import Any, Iterable, Mapping

from .packages import missing_module_hint

_MAX_LISTED = 10


def server_hint(
    alias: str, loaded: Iterable[str], discovered: Mapping[str, Any], form: str = "mcp_{}"
) -> str:
    """What to do about a server; ``loaded`` are the aliases of this run, ``form`` is how the code names one."""
    loaded = sorted(loaded)
    near = difflib.get_close_matches(alias, loaded, n=1)
    if near:
        return f"Did you mean {form.format(near[0])}?"
    aliases = {_alias(name): name for name in discovered}
    # Several servers may have one alias; the later ones then end in a number.
    name = aliases.get(alias) or aliases.get(re.sub(r"_\d+$", "", alias))
    if name is None:
        close = difflib.get_close_matches(alias, aliases, n=1)
        name = aliases[close[0]] if close else None
    if name is not None:
        return f'Add "{name}" to the `servers` argument of run_python'
    if loaded:
        return f"Servers of this run: {_listed(map(form.format, loaded))}"
    if not discovered:
        return "No MCP servers are configured"
    return f"Name servers in the `servers` argument of run_python; there are {_listed(discovered)}"


def member_hint(source: str, name: str, loaded: Iterable[str], discovered: Mapping[str, Any]) -> str | None:
    """What to do about ``from source import name``, where the source is ``mcp`` or in it."""
    if source == "mcp":
        return missing_module_hint(source)
    if source == "mcp.servers":
        return server_hint(name, loaded, discovered)
    try:
        getattr(sys.modules.get(source), name)
    except Exception as error:  # noqa: BLE001 - it says which tools there are, or why there are none
        return str(error) if source.startswith("mcp.servers.") else None
    return None


def _alias(name: str) -> str:
    """The alias that the host gives to a name, but for clashes."""
    text = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", name).lower())
    return f"_{text}" if text[:1].isdigit() else text or "server"


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = len(names) - _MAX_LISTED
    return ", ".join(names[:_MAX_LISTED]) + (f" and {more} more" if more > 0 else "")
