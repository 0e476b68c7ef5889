"""Writes what CPython 3.14 itself prints for the programs of ``tests/fixtures/programs``.

Runs in the image that ``container_images.sh`` makes, so that it is the same Python for everybody. The names of
files are optional::

    podman run --rm -v "$PWD/tests:/tests" localhost/mcp-bridge-test:3.14 \\
        python3 /tests/support/record_outputs.py strings numbers

Everything runs twice in an empty folder, with different hash seeds: scripts one by one, as ``python3 program.py``,
the cells of a file in ``plain_notebook.py``. A program that fails, writes to stderr or does not print the same twice
is refused, and nothing is written. ``cells/ours.py`` has what only a session can run; its output is written by hand.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Iterator

_HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = _HERE.parent / "fixtures" / "programs"

#: Starts a program, and its output, in a file of many.
HEADING = "# %% "


def programs(path: pathlib.Path) -> list[tuple[str, str]]:
    """Title and code of each program of a file."""
    parts = path.read_text(encoding="utf-8").split(HEADING)[1:]
    return [(title, code) for title, _, code in (part.partition("\n") for part in parts)]


def output_of(*command: str, code: str = "") -> str:
    """What a command prints, always; raises ``ValueError`` with the reason if there is no such thing."""
    first, second = (_run(command, code, seed) for seed in ("1", "2"))
    if first != second:
        raise ValueError(f"prints something else each time:\n{first}---\n{second}")
    return first


def _run(command: tuple[str, ...], code: str, seed: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program.py").resolve()
        path.write_text(code, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, *(command or [str(path)])],
            cwd=folder,
            env={
                "HOME": folder,
                "PATH": os.defpath,
                "LANG": "C.UTF-8",
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONHASHSEED": seed,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
        # Tracebacks show where the program lies.
        stdout = done.stdout.decode().replace(str(path), "program.py")
    if done.returncode != 0 or done.stderr:
        raise ValueError(f"ends with {done.returncode}:\n{done.stderr.decode()}")
    return stdout


def outputs_of(path: pathlib.Path, pool: ThreadPoolExecutor) -> Iterator[tuple[str, str]]:
    """Title and output of each program of a file; for one that cannot be recorded, ``ValueError``."""
    if path.parent.name == "cells":
        yield from json.loads(output_of(str(_HERE / "plain_notebook.py"), str(path))).items()
        return
    futures = [(title, pool.submit(output_of, code=code)) for title, code in programs(path)]
    for title, future in futures:
        try:
            output = future.result()
        except ValueError as error:
            raise ValueError(f"{title}: {error}") from None
        if not output.endswith("\n") or HEADING in output:
            raise ValueError(f"{title}: prints nothing, an unfinished last line or {HEADING!r}")
        yield title, output


def main(names: list[str]) -> int:
    if sys.version_info[:2] != (3, 14):
        print(f"Cannot record with Python {sys.version.split()[0]}: expected 3.14", file=sys.stderr)
        return 1
    failed = False
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path in sorted(PROGRAMS.glob("*/*.py")):
            if path.stem == "ours" or (names and path.stem not in names):
                continue
            try:
                outputs = [f"{HEADING}{title}\n{output}" for title, output in outputs_of(path, pool)]
            except ValueError as error:
                failed = True
                print(f"{path.name}: {error}", file=sys.stderr)
            else:
                path.with_suffix(".out").write_text("".join(outputs), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
