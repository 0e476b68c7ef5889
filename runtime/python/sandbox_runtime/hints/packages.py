"""Modules that a sandbox does not have, and what there is instead."""

from __future__ import annotations

import sys

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
