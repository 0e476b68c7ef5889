"""What ``show`` takes, with stand-ins for matplotlib and PIL."""

from __future__ import annotations

import importlib
import os
import pathlib
import sys
import tempfile
import unittest
from typing import Any

from artifacts_case import PNG, ArtifactsCase
from sandbox_runtime.servers.results import Blob

FAKES = pathlib.Path(__file__).resolve().parent / "fake_packages"


class Figure:
    """As much of a matplotlib figure as we use."""

    def savefig(self, target: Any, *, format: str, **_options: Any) -> None:
        target.write(PNG if format == "png" else f"<{format}>".encode())


class Axes:
    def get_figure(self) -> Figure:
        return Figure()


class PilImage:
    """As much of a PIL image as we use."""

    size = (1, 1)

    def __init__(self, mode: str = "RGB") -> None:
        self.mode = mode

    def save(self, target: Any, format: str) -> None:
        if self.mode == "CMYK":
            raise OSError("cannot write mode CMYK as PNG")
        target.write(f"{format} {self.mode}".encode())

    def convert(self, mode: str) -> PilImage:
        return PilImage(mode)


class Notebook:
    def __init__(self, **methods: Any) -> None:
        for name, value in methods.items():
            setattr(self, f"_repr_{name}_", lambda value=value: value)


class ShowTest(ArtifactsCase):
    def shows(self, value: Any, name: str, content: bytes) -> None:
        path = self.artifacts.show(value)
        self.assertEqual(self.host.shown[-1:], [name])
        self.assertEqual(self.host.files[name], content)
        self.assertEqual(pathlib.Path(path).read_bytes(), content)

    def test_every_kind_becomes_a_file(self) -> None:
        self.shows(PNG, "shown-1.png", PNG)
        self.shows(Figure(), "shown-2.png", PNG)
        self.shows(Axes(), "shown-3.png", PNG)
        self.shows(PilImage(), "shown-4.png", b"PNG RGB")
        self.shows(PilImage("CMYK"), "shown-5.png", b"PNG RGB")
        self.shows(Blob("image/png", PNG), "shown-6.png", PNG)
        self.shows(Blob("audio/x-wav", b"1"), "shown-1.wav", b"1")
        self.shows(Blob("strange/../../thing", b"1"), "shown-1.thing", b"1")
        self.shows("<h1>Hi</h1>", "shown-1.html", b"<h1>Hi</h1>")
        self.shows("<svg/>", "shown-1.svg", b"<svg/>")
        self.shows(Notebook(html="<b>", png=PNG), "shown-7.png", PNG)
        self.shows(Notebook(png=None, html="<b>"), "shown-2.html", b"<b>")
        self.shows(Notebook(svg="<svg/>"), "shown-2.svg", b"<svg/>")
        self.shows(b"\xff\xd8\xff\xe0", "shown-1.jpg", b"\xff\xd8\xff\xe0")
        self.shows(b"what", "shown-1.bin", b"what")

    def test_a_name_may_be_given(self) -> None:
        self.artifacts.show(PNG, "mine.png")
        self.assertEqual(self.host.shown, ["mine.png"])

    def test_a_file_of_the_folder_is_shown_as_it_is(self) -> None:
        path = self.path("sub/a.png")
        path.parent.mkdir()
        path.write_bytes(PNG)
        self.assertEqual(self.artifacts.show(path), str(path))
        self.artifacts.show(str(path))
        self.assertEqual(self.host.shown, ["sub/a.png", "sub/a.png"])
        self.assertEqual(self.host.pieces, [len(PNG)])

    def test_a_file_from_elsewhere_is_copied(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.png")
            path.write_bytes(PNG)
            self.artifacts.show(str(path))
            self.artifacts.show(path)
        self.assertEqual(self.host.shown, ["a.png", "a-2.png"])

    def test_what_cannot_be_shown_is_named(self) -> None:
        with self.assertRaisesRegex(TypeError, "Cannot show int: expected a matplotlib figure"):
            self.artifacts.show(1)
        with self.assertRaisesRegex(ValueError, "Cannot show 'none.png': it is no file that exists"):
            self.artifacts.show("none.png")
        with self.assertRaises(ValueError):
            self.artifacts.show("a\0b")
        with self.assertRaises(FileNotFoundError):
            self.artifacts.show(pathlib.Path("none.png"))

    def test_a_blob_shows_itself(self) -> None:
        Blob("image/png", PNG).show()
        self.assertEqual(self.host.shown, ["shown-1.png"])


class SaveImageTest(ArtifactsCase):
    def test_the_extension_decides_the_format(self) -> None:
        self.artifacts.save_image("a.svg", Figure())
        self.artifacts.save_image("b.jpg", PilImage())
        self.artifacts.save_image("c", Figure())
        self.artifacts.save_image("d", PNG)
        self.artifacts.save_image("e.png", b"as they are")
        self.assertEqual(
            self.host.files,
            {
                "a.svg": b"<svg>",
                "b.jpg": b"JPEG RGB",
                "c.png": PNG,
                "d.png": PNG,
                "e.png": b"as they are",
            },
        )
        self.assertEqual(self.host.shown, [])


class DisplayHookTest(ArtifactsCase):
    def setUp(self) -> None:
        super().setUp()
        sys.path.insert(0, str(FAKES))
        self.addCleanup(sys.path.remove, str(FAKES))
        self.addCleanup(self._forget)

    def _forget(self) -> None:
        for name in [name for name in sys.modules if name.split(".")[0] in ("matplotlib", "PIL")]:
            del sys.modules[name]

    def test_plt_show_shows_and_closes_all_open_figures(self) -> None:
        plt = importlib.import_module("matplotlib.pyplot")
        plt.figure()
        plt.figure()
        self.assertIsNone(plt.show())
        self.assertEqual(self.host.shown, ["shown-1.png", "shown-2.png"])
        self.assertEqual(plt.get_fignums(), [])
        plt.show()
        self.assertEqual(len(self.host.shown), 2)

    def test_figures_and_images_show_themselves(self) -> None:
        importlib.import_module("matplotlib.pyplot").figure().show()
        importlib.import_module("PIL.Image").Image().show(title="x")
        self.assertEqual(self.host.shown, ["shown-1.png", "shown-2.png"])

    def test_no_screen_is_looked_for_and_nothing_is_imported(self) -> None:
        self.assertNotIn("matplotlib", sys.modules)
        self.assertEqual(os.environ["MPLBACKEND"], "agg")

    def test_a_module_that_is_not_there_is_an_import_error(self) -> None:
        sys.path.remove(str(FAKES))
        try:
            with self.assertRaises(ModuleNotFoundError):
                importlib.import_module("matplotlib.pyplot")
        finally:
            sys.path.insert(0, str(FAKES))


if __name__ == "__main__":
    unittest.main()
