"""Runs the cells of ``tests/fixtures/programs/cells`` on plain CPython and prints what each printed, as JSON.

A cell may await at its top level and its last value is shown, as in a notebook. Servers are plain objects with
``async`` functions that give the results of ``servers.json``: what a program must see if a call is nothing but its
value.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
import json
import keyword
import pathlib
import sys
import types
from typing import Any

from record_outputs import programs

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def tool_function(tool: dict[str, Any]) -> Any:
    """A function with the arguments of a tool's schema, and its result."""
    schema = tool["input_schema"]
    required = schema.get("required", [])
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if name in required else None,
        )
        for name in sorted(schema.get("properties", {}), key=lambda name: name not in required)
        if _is_argument(name)
    ]
    # A name that Python does not allow is written in a way of ours, and passed in `**`.
    if schema.get("additionalProperties") or not all(map(_is_argument, schema.get("properties", ["*"]))):
        parameters.append(inspect.Parameter("more", inspect.Parameter.VAR_KEYWORD))
    signature = inspect.Signature(parameters)

    async def call(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        result = json.loads(json.dumps(tool["result"]))
        if isinstance(result, dict):
            for key, value in result.items():
                if isinstance(value, str) and value.startswith("$"):
                    result[key] = given.get(value[1:])
        return result

    return call


def _is_argument(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def namespace(fixture: dict[str, Any]) -> dict[str, Any]:
    """The names that a session has."""
    servers = {
        name: types.SimpleNamespace(
            **{key: tool_function(tool) for tool in tools for key in (tool["alias"], tool["name"])}
        )
        for name, tools in fixture["servers"].items()
    }
    return {
        "__name__": "__main__",
        "__builtins__": __builtins__,
        "mcp_servers": servers,
        "LOADED_MCP_SERVERS": list(servers),
        **{f"mcp_{name}": server for name, server in servers.items()},
    }


async def run_cell(code: str, names: dict[str, Any]) -> None:
    tree = ast.parse(code)
    last = tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";")
    parts: list[Any] = [ast.Interactive([tree.body.pop()])] if last else []
    for part in [tree, *parts]:
        mode = "single" if isinstance(part, ast.Interactive) else "exec"
        value = eval(compile(part, "<cell>", mode, _FLAGS), names)
        if inspect.iscoroutine(value):
            await value


async def main(path: pathlib.Path) -> None:
    fixture = json.loads((path.parents[1] / "servers.json").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    found: dict[str, str] = {}
    for title, code in programs(path):
        if not title.endswith("(continues)"):
            names = namespace(fixture)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                await run_cell(code, names)
            except SystemExit:
                pass
        found[title] = out.getvalue()
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main(pathlib.Path(sys.argv[1])))
