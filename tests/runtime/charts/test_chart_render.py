"""``render_chart`` hands its files over: kept as SVG, shown as PNG."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any

from artifacts_case import ArtifactsCase
from sandbox_runtime.charts import render_chart


class RenderTest(ArtifactsCase):
    def test_both_files_have_the_name(self) -> None:
        chart = render_chart([1, 2], "bar", name="sales.png")
        self.assertEqual(self.host.files, {"sales.svg": chart.svg.encode(), "sales.png": chart.png})
        self.assertEqual(self.host.shown, ["sales.png"])
        self.assertEqual(repr(chart), "<Chart sales.png, sales.svg>")

    def test_names_are_made_of_the_title_and_differ_from_all_files_of_the_run(self) -> None:
        self.artifacts.save_file("Größe.txt", "")
        self.artifacts.save_file("GROE-ZAHL-2.SVG", "")
        names = [render_chart([1], "bar", title="Größe & Zahl!").name for _ in range(2)]
        self.assertEqual(names, ["groe-zahl", "groe-zahl-3"])

    def test_a_later_run_may_use_the_name_again(self) -> None:
        for _ in range(2):
            self.artifacts.folder.begin()
            self.assertEqual(render_chart([1], title="A").name, "a")

    def test_a_chart_that_is_shown_again_is_the_same_file(self) -> None:
        chart: Any = render_chart([1, 2], name="a")
        self.artifacts.show(chart)
        self.assertEqual(self.host.shown, ["a.png", "a.png"])
        self.artifacts.save_image("copy", chart)
        self.assertEqual(self.host.files["copy.png"], chart.png)

    def test_a_chart_of_an_earlier_run_can_be_shown(self) -> None:
        chart: Any = render_chart([1, 2], name="a")
        self.artifacts.folder.begin()
        self.host.files.clear()
        self.artifacts.show(chart)
        self.assertEqual(self.host.files, {"a.png": chart.png})

    def test_a_chart_may_be_awaited(self) -> None:
        async def draw() -> Any:
            return await render_chart([1], name="x")

        self.assertEqual(asyncio.run(draw()).name, "x")

    def test_nothing_is_kept_of_a_chart_that_fails(self) -> None:
        with self.assertRaises(ValueError):
            render_chart([1], "nope")
        with self.assertRaisesRegex(TypeError, "The name of a chart is a str, got int"):
            render_chart([1], name=5)  # type: ignore[arg-type]
        with self.assertRaisesRegex(ValueError, "it leads out of the folder"):
            render_chart([1], name="../a")
        self.assertEqual(self.host.files, {})


if __name__ == "__main__":
    unittest.main()
