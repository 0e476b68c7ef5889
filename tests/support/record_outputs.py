"""Writes what CPython 3.14 itself prints for the scripts of ``tests/fixtures/programs/scripts``.

Runs in the image that ``container_images.sh`` makes, so that it is the same Python for everybody. The names of
scripts are optional::

    podman run --rm -v "$PWD/tests:/tests" localhost/mcp-bridge-test:3.14 \\
        python3 /tests/support/record_outputs.py strings numbers

Each program runs twice, as ``python3 program.py`` in an empty folder, with different hash seeds. One that fails,
writes to stderr or does not print the same twice is refused, and nothing is written.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SCRIPTS = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "programs" / "scripts"

#: Starts a program, and its output, in a file of many.
HEADING = "# %% "


def programs(path: pathlib.Path) -> list[tuple[str, str]]:
    """Title and code of each program of a file."""
    parts = path.read_text(encoding="utf-8").split(HEADING)[1:]
    return [(title, code) for title, _, code in (part.partition("\n") for part in parts)]


def output_of(code: str) -> str:
    """What the program prints, always; raises ``ValueError`` with the reason if there is no such thing."""
    first, second = (_run(code, seed) for seed in ("1", "2"))
    if first != second:
        raise ValueError(f"prints something else each time:\n{first}---\n{second}")
    if not first:
        raise ValueError("prints nothing")
    if not first.endswith("\n"):
        raise ValueError("does not end its last line")
    if HEADING in first:
        raise ValueError(f"prints {HEADING!r}")
    return first


def _run(code: str, seed: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program.py").resolve()
        path.write_text(code, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, path],
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


def record(path: pathlib.Path, pool: ThreadPoolExecutor) -> list[str]:
    """Write the outputs of one file of scripts beside it, or say what is wrong with the scripts."""
    found = programs(path)
    futures = [(title, pool.submit(output_of, code)) for title, code in found]
    problems: list[str] = []
    outputs: list[str] = []
    for title, future in futures:
        try:
            outputs.append(f"{HEADING}{title}\n{future.result()}")
        except (ValueError, subprocess.TimeoutExpired) as error:
            problems.append(f"{path.name}: {title}: {error}")
    if not problems:
        path.with_suffix(".out").write_text("".join(outputs), encoding="utf-8")
    return problems


def main(names: list[str]) -> int:
    if sys.version_info[:2] != (3, 14):
        print(f"Cannot record with Python {sys.version.split()[0]}: expected 3.14", file=sys.stderr)
        return 1
    paths = [SCRIPTS / f"{name}.py" for name in names] or sorted(SCRIPTS.glob("*.py"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [problem for path in paths for problem in record(path, pool)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
