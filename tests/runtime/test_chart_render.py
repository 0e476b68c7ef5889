"""``render_chart`` hands its files over: kept as SVG, shown as PNG."""

from __future__ import annotations

import asyncio
import sys
import types
import unittest
from typing import Any
from unittest import mock

import support  # noqa: F401 - puts the runtime on the path
from sandbox_runtime.charts import render_chart


class RenderTest(unittest.TestCase):
    def setUp(self) -> None:
        self.files: dict[str, Any] = {}
        artifacts = types.ModuleType("sandbox_runtime.artifacts")
        artifacts.current = lambda: self  # type: ignore[attr-defined]
        patch = mock.patch.dict(sys.modules, {"sandbox_runtime.artifacts": artifacts})
        patch.start()
        self.addCleanup(patch.stop)

    def save_file(self, name: str, content: str) -> None:
        """What is kept."""
        self.files[name] = content

    def show(self, value: bytes, name: str) -> None:
        """What is shown."""
        self.files[name] = value

    def test_both_files_have_the_name(self) -> None:
        chart = render_chart([1, 2], "bar", name="sales.png")
        self.assertEqual(list(self.files), ["sales.svg", "sales.png"])
        self.assertEqual(self.files["sales.png"], chart.png)
        self.assertEqual(repr(chart), "<Chart sales.png, sales.svg>")

    def test_names_are_made_of_the_title_and_differ(self) -> None:
        names = [render_chart([1], "bar", title="Größe & Zahl!").name for _ in range(2)]
        self.assertEqual(names, ["groe-zahl", "groe-zahl-2"])

    def test_a_chart_may_be_awaited(self) -> None:
        async def draw() -> Any:
            return await render_chart([1], name="x")

        self.assertEqual(asyncio.run(draw()).name, "x")

    def test_nothing_is_kept_of_a_chart_that_fails(self) -> None:
        with self.assertRaises(ValueError):
            render_chart([1], "nope")
        with self.assertRaisesRegex(TypeError, "The name of a chart is a str, got int"):
            render_chart([1], name=5)  # type: ignore[arg-type]
        self.assertEqual(self.files, {})


if __name__ == "__main__":
    unittest.main()
