"""Modules and servers that a run does not have: which was meant, and what there is instead."""

from __future__ import annotations

import difflib
import re
import sys
import unicodedata
from typing import Any, Iterable, Mapping

#: Whether this is the embedded engine.
EMBEDDED = sys.platform == "emscripten"

#: How packages come into a sandbox: not by the code that runs in it.
_OPERATOR = "only the operator can add packages: " + (
    "MCP_BRIDGE_ENGINE=podman and MCP_BRIDGE_IMAGE" if EMBEDDED else "MCP_BRIDGE_IMAGE"
)

INSTALL_HINT = f"Nothing can be installed here, use the standard library; {_OPERATOR}"

NETWORK_HINT = (
    "There is no network here: call a tool of an MCP server instead;"
    ' await runtime.search_tool_docs("…") finds one'
)

_NETWORK = (
    "aiohttp anthropic boto3 botocore github google googleapiclient httpx openai paramiko playwright psycopg2"
    " pymongo redis requests selenium slack_sdk urllib3 websockets yfinance"
)

_CHART = 'render_chart(rows, "bar", x=…, y=[…])'

_INSTEAD = {
    "PIL": "the standard library",
    "altair": _CHART,
    "attr": "dataclasses",
    "bokeh": _CHART,
    "bs4": "html.parser or re",
    "cv2": "the standard library",
    "dateutil": "datetime",
    "docx": "zipfile with xml.etree",
    "faker": "random",
    "joblib": "functools.cache",
    "jsonschema": "dataclasses or plain checks",
    "lxml": "xml.etree.ElementTree",
    "matplotlib": _CHART,
    "numpy": "math, statistics and lists",
    "openpyxl": "csv, or zipfile with xml.etree",
    "orjson": "json",
    "pandas": "csv, statistics, collections or sqlite3",
    "plotly": _CHART,
    "polars": "csv, statistics, collections or sqlite3",
    "pydantic": "dataclasses",
    "pytest": "assert or unittest",
    "pytz": "zoneinfo",
    "regex": "re",
    "rich": "print",
    "scipy": "math and statistics",
    "seaborn": _CHART,
    "simplejson": "json",
    "sklearn": "math and statistics",
    "sympy": "fractions and math",
    "tabulate": "f-strings such as f'{name:<20}'",
    "tiktoken": "len(text) // 4 as an estimate",
    "toml": "tomllib",
    "tomli": "tomllib",
    "tqdm": "print",
    "ujson": "json",
    "yaml": "json, or a few lines of re",
}


_NEEDLESS = {
    "IPython": "Leave it out: print() shows values",
    "dotenv": "Leave it out: secrets stay with the MCP servers, which use them for you",
    "nest_asyncio": "Leave it out: top-level await works as it is",
}


def missing_module_hint(name: str) -> str:
    """What to do without a module."""
    top = name.partition(".")[0]
    if top in _NETWORK.split():
        return NETWORK_HINT
    if top in _NEEDLESS:
        return _NEEDLESS[top]
    if top == "mcp":
        return "`mcp` is the sandbox's own: tools are called with await mcp_<alias>.<tool>(…)"
    if top in sys.stdlib_module_names:
        return f"This Python is built without {top!r}: do it without, or in another way"
    return f"Use {_INSTEAD.get(top, 'the standard library')}; {_OPERATOR}"


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
