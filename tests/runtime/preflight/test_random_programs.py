"""A program is refused only if it really fails: each random program runs as if nobody had looked at it before."""

from __future__ import annotations

import asyncio
import builtins
import gc
import importlib
import os
import pathlib
import random
import re
import sys
import tempfile
import time
import unittest
import warnings
from typing import Any
from unittest import mock

from programs import DISCOVERED, SERVERS, AnsweringHost
from .random_programs import MODULES, SESSIONS, random_program
from sandbox_runtime.preflight.preflight import Finding
from sandbox_runtime.run import program

#: How many; 1,000 take some seconds.
COUNT = int(os.environ.get("MCP_BRIDGE_RANDOM_PROGRAMS", "1000"))
SEED = int(os.environ.get("MCP_BRIDGE_RANDOM_SEED", "15"))


class QuickHost(AnsweringHost):
    def step(self) -> None:
        self.loop.call_soon(self.loop.stop)
        self.loop.run_forever()


class RandomProgramsTest(unittest.TestCase):
    def setUp(self) -> None:
        # Of coroutines that a program leaves.
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore", RuntimeWarning)
        self.addCleanup(gc.collect)

    def test_whatever_is_refused_fails_as_foretold(self) -> None:
        rng = random.Random(SEED)
        ends = {"refused": 0, "failed before": 0, "let through": 0, "failed then": 0}
        wrong: list[str] = []
        for _ in range(COUNT):
            code = random_program(rng)
            done, findings, line = self.run_unchecked(code, earlier=rng.choice(SESSIONS))
            foretold = {found.error: int(re.findall(r"line (\d+)", found.place)[0]) for found in findings}
            if not findings:
                ends["failed then" if done["status"] == "error" else "let through"] += 1
            elif done["status"] == "error" and done["error"] in foretold:
                ends["refused"] += 1
            elif done["status"] == "error" and line <= min(foretold.values()):
                # It came no further than there.
                ends["refused"] += 1
                ends["failed before"] += 1
            else:
                wrong.append(f"{done['status']}\n{code}\n{foretold}, but {done}\n")
        self.assertEqual(wrong, [], f"{len(wrong)} of {COUNT}; seed {SEED}\n{chr(10).join(wrong[:5])}")
        # The test is of no worth if nothing is refused, or nothing gets through.
        if COUNT > 1000:
            print(ends)
        self.assertGreater(ends["refused"], COUNT // 10)
        self.assertGreater(ends["let through"], COUNT // 10)

    def run_unchecked(self, code: str, earlier: str) -> tuple[dict[str, Any], list[Finding], int]:
        """How a program ends, what was found in it before, and the top-level line at which it failed."""
        found: list[Finding] = []
        with Sandbox(), QuickHost() as host:
            host.run(earlier)
            with mock.patch.object(program, "_refuse", found.extend):
                run_id = host.start(code, servers=SERVERS, discovered=DISCOVERED)
                try:
                    done = host.finish(run_id)
                except SystemExit:
                    # Raised in a task, it ends the process.
                    done = {"status": "exit"}
            lines = re.findall(r'File "<run-\d+>", line (\d+), in <module>', host.text("stderr", run_id))
            return done, found, int(lines[-1]) if lines else 0


class Sandbox:
    """A folder with modules; what a program does to this interpreter is undone."""

    def __enter__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._before = os.getcwd(), list(sys.path), set(sys.modules)
        self._builtins = set(vars(builtins))
        self._parts = [(asyncio, "gather"), (asyncio, "sleep"), (time, "sleep")]
        self._values = [getattr(*part) for part in self._parts]
        for name, text in MODULES.items():
            path = pathlib.Path(self._folder.name, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        os.chdir(self._folder.name)
        sys.path.insert(0, "")
        importlib.invalidate_caches()

    def __exit__(self, *_exc: object) -> None:
        folder, sys.path[:], modules = self._before
        os.chdir(folder)
        for name in set(sys.modules) - modules:
            if name.startswith("fz_"):
                del sys.modules[name]
        for name in set(vars(builtins)) - self._builtins:
            delattr(builtins, name)
        for (module, name), value in zip(self._parts, self._values):
            setattr(module, name, value)
        self._folder.cleanup()


if __name__ == "__main__":
    unittest.main()
