"""Reads what the host wrote about tools, as JSON on stdin, and says what Python thinks of it.

Each item has ``stubs`` (a text that must run as Python), ``tool`` (as a sandbox is told of it) and ``signature``: the
text of the docs, which Python itself reads here: what the runtime shows and takes must be the same.
"""

from __future__ import annotations

import ast
import inspect
import json
import pathlib
import sys
import typing
from typing import Any, Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "runtime" / "python"))

from sandbox_runtime.servers.catalog import LoadedTool  # noqa: E402
from sandbox_runtime.servers.signatures import ToolSignature  # noqa: E402

_TYPING = {
    name: getattr(typing, name)
    for name in ("Any", "Literal", "NotRequired", "TypedDict", "Unpack")
}


def check(item: dict[str, Any]) -> Iterator[str]:
    stubs: str = item["stubs"]
    tool: dict[str, Any] = item["tool"]
    try:
        exec(compile(f"from __future__ import annotations\n{stubs}", "stubs", "exec"), dict(_TYPING))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what the test wants to know
        yield f"{type(error).__name__}: {error} in\n{stubs}"
    try:
        written = ast.parse(f"def {item['signature']}: ...").body[0]
    except SyntaxError as error:
        yield f"{error} in {item['signature']}"
        return
    loaded = LoadedTool(dict(tool))
    signed = loaded.signed()
    shown = signed.signature
    signed.docstring("")
    if loaded.signature != item["signature"]:
        yield f"docs:    {item['signature']}\nruntime: {loaded.signature}\nof {json.dumps(tool)}"
    mine = [(name, one.kind.name) for name, one in shown.parameters.items()]
    theirs = list(_parameters(written))  # type: ignore[arg-type]
    # What is cut ends with a parameter for all that was left out.
    if mine != theirs and mine[: len(theirs) - 1] != theirs[:-1]:
        yield f"written: {theirs}\nshown:   {mine}\nof {json.dumps(tool)}"
    yield from _check_calls(signed, shown, tool)


def _parameters(written: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    args = written.args
    yield from ((one.arg, "POSITIONAL_OR_KEYWORD") for one in args.args)
    yield from ((one.arg, "KEYWORD_ONLY") for one in args.kwonlyargs)
    if args.kwarg:
        yield args.kwarg.arg, "VAR_KEYWORD"


def _check_calls(signed: ToolSignature, shown: inspect.Signature, tool: dict[str, Any]) -> Iterator[str]:
    """A call with all arguments, as Python takes it, arrives under the names of the server; one too few is refused."""
    names = [one["name"] for one in tool["call"]["parameters"]]
    labels = [name for name, one in shown.parameters.items() if one.kind is not one.VAR_KEYWORD]
    others = {one["name"] for one in tool["call"]["parameters"] if one.get("label", "") is None}
    given = shown.bind(**dict.fromkeys(labels, 1), **dict.fromkeys(others, 1))
    arguments = signed.bind(given.args, given.kwargs)
    if sorted(arguments) != sorted(names):
        yield f"a call with all arguments sends {list(arguments)}, not {names}, of {json.dumps(tool)}"
    for one in tool["call"]["parameters"]:
        label = one.get("label", one["name"]) or one["name"]
        rest = dict.fromkeys({*labels, *others} - {label}, 1)
        try:
            signed.bind((), rest)
            is_taken = True
        except TypeError:
            is_taken = False
        if is_taken == bool(one.get("required")):
            yield f"a call without {label!r} is {'taken' if is_taken else 'refused'}, of {json.dumps(tool)}"


if __name__ == "__main__":
    items = json.load(sys.stdin)
    problems = [problem for item in items for problem in check(item)]
    json.dump({"checked": len(items), "problems": problems[:5]}, sys.stdout)
