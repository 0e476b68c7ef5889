"""Programs that forget the `await` of a tool call, and what each prints where the tools are plain functions.

Where the call stands × how its value is used × what the tool gives × what else the program awaits. Each program is run here with functions in
place of the tools, by the Python of this machine; that is what it has to print anywhere.
`forgotten_awaits.py COUNT SEED` writes so many of them as JSON.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import io
import json
import random
import sys
import textwrap
import warnings
from typing import Any

from forgotten_await_forms import AROUND, IMPORTS, RESULTS, USES, WHERE


class MCPError(RuntimeError):
    """As the sandbox's."""


class PlainTools:
    """What the tools would be as functions."""

    def __init__(self) -> None:
        self.calls = 0

    def give(self, kind: str) -> Any:
        self.calls += 1
        if kind == "error":
            raise MCPError("No such thing")
        return json.loads(json.dumps(RESULTS[kind]))

    def echo(self, x: Any) -> Any:
        self.calls += 1
        return json.loads(json.dumps(x))

    def later(self, x: Any) -> Any:
        """Starts at once, as a tool does."""
        value = self.echo(x)

        async def give() -> Any:
            return value

        return give()


def program(around: str, where: str, use: str, result: str) -> str:
    """A program that catches what it raises."""
    lines = []
    for line in WHERE[where].split("\n"):
        before, found, value = line.partition("USE(")
        lines.append(_fill(before + "USE", "USE", USES[use].replace("X", value.removesuffix(")"))) if found else line)
    body = "\n".join(lines).replace("CALL", "mcp_s.give(kind=RESULT)")
    body = body.replace("RESULT", f'"{result}"')
    guarded = textwrap.indent(_fill(AROUND[around], "BODY", body), "    ")
    return f"{IMPORTS}\ntry:\n{guarded}\nexcept Exception as error:\n    print(type(error).__name__)\n"


def _fill(text: str, mark: str, lines: str) -> str:
    """Put lines where a line of the text is the mark, as far to the right."""
    filled = []
    for line in text.split("\n"):
        before, found, _ = line.partition(mark)
        filled.append(textwrap.indent(lines, before) if found and not before.strip() else line)
    return "\n".join(filled)


def expected(code: str) -> tuple[str, int]:
    """What it prints with plain functions, and how often it calls them."""
    tools = PlainTools()
    printed = io.StringIO()
    server = sys.modules["mcp.servers.s"] = type(sys)("mcp.servers.s")
    server.give = tools.give  # type: ignore[attr-defined]
    sys.modules["mcp"] = sys.modules["mcp.servers"] = server
    compiled = compile(code, "program", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names: dict[str, Any] = {"mcp_s": tools, "__name__": "__main__"}

    async def run() -> None:
        # A loop in a loop, as in the sandbox.
        asyncio.run = _run_in_thread  # type: ignore[assignment]
        value = eval(compiled, names)
        if asyncio.iscoroutine(value):
            await value

    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asyncio.Runner().run(run())
    return printed.getvalue(), tools.calls


def _run_in_thread(main: Any) -> Any:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.Runner().run(main)).result()


def forms(count: int, seed: int) -> list[tuple[str, str, str, str]]:
    """So many, with every place and every use among them."""
    rng = random.Random(seed)
    columns = []
    for kinds in (AROUND, WHERE, USES, RESULTS):
        column: list[str] = []
        while len(column) < count:
            column += rng.sample(list(kinds), len(kinds))
        columns.append(column[:count])
    return list(zip(*columns))


if __name__ == "__main__":
    chosen = []
    for around, where, use, result in forms(int(sys.argv[1]), int(sys.argv[2])):
        code = program(around, where, use, result)
        stdout, calls = expected(code)
        chosen.append({"title": f"{where} · {use} · {result} · {around}", "code": code, "stdout": stdout, "calls": calls})
    json.dump({"results": {name: json.dumps(value) for name, value in RESULTS.items()}, "programs": chosen}, sys.stdout)
