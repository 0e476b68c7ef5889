"""Puts ``runtime/`` on the path and opens the fixtures that TypeScript checks as well.

Import it before anything of ``sandbox_runtime``.
"""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any

_ROOT = pathlib.Path(__file__).resolve().parents[2]

RUNTIME = _ROOT / "runtime" / "python"
ENTRYPOINT = RUNTIME / "entrypoint.py"
FIXTURES = _ROOT / "tests" / "fixtures"

if str(RUNTIME) not in sys.path:
    sys.path.insert(0, str(RUNTIME))


def wire_fixtures() -> dict[str, Any]:
    """Examples of every message in both directions."""
    return json.loads((FIXTURES / "wire.json").read_text(encoding="utf-8"))


def told(tool: dict[str, Any]) -> dict[str, Any]:
    """A tool as the host tells of it; it must be one of those in ``told_tools.json``."""
    wanted = {"description": "", **tool}
    for known in json.loads((FIXTURES / "told_tools.json").read_text(encoding="utf-8")):
        if wanted == {key: value for key, value in known.items() if key not in ("signature", "call")}:
            return known
    raise LookupError(f"Write this into told_tools.json, as tests/unit/rpc/run_servers_test.ts says: {wanted}")
