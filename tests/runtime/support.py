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
