"""Lets ``plt.show()``, ``figure.show()`` and ``image.show()`` show, and pools of processes find the program.

There is no screen here, and the program is no file that another process could import. The modules in question
are not imported for it: a finder at the front of the import path waits for them, and replaces what is needed when
they come.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Sequence

Show = Callable[[Any], object]


class _Hook:
    """Changes modules when they have been imported."""

    def __init__(self, show: Show) -> None:
        self._patches: dict[str, Callable[[Any], None]] = {
            "matplotlib.pyplot": lambda module: _patch_pyplot(module, show),
            "matplotlib.figure": lambda module: _patch_method(module.Figure, show),
            "multiprocessing.context": _patch_start_method,
            "PIL.Image": lambda module: _patch_method(module.Image, show),
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: Any = None
    ) -> Any:
        """As the finders behind this one, with an end of our own for the modules we wait for."""
        patch = self._patches.get(name)
        if patch is None:
            return None
        others = (finder for finder in sys.meta_path if not isinstance(finder, _Hook))
        found = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in found if spec is not None), None)
        loader: Any = spec and spec.loader
        if loader is None:
            return spec
        original = loader.exec_module

        def exec_module(module: Any) -> None:
            original(module)
            # A loader of an archive is one for all of its modules.
            if module.__name__ == name:
                patch(module)

        loader.exec_module = exec_module
        return spec


def install(show: Show) -> None:
    """Wait for the modules; costs nothing until they come."""
    sys.meta_path[:] = [_Hook(show), *(item for item in sys.meta_path if not isinstance(item, _Hook))]  # type: ignore[list-item]
    # Otherwise matplotlib looks for a screen, and on WASM for a web page.
    os.environ.setdefault("MPLBACKEND", "agg")


def _patch_pyplot(pyplot: Any, show: Show) -> None:
    def show_figures(*_args: object, **_kwargs: object) -> None:
        """Show all open figures and close them."""
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            show(figure)
            pyplot.close(figure)

    pyplot.show = show_figures


def _patch_start_method(context: Any) -> None:
    """Fork, unless the program says otherwise: a child must know what the program has defined."""
    context._default_context._default_context = context._default_context.get_context("fork")


def _patch_method(kind: Any, show: Show) -> None:
    def method(self: Any, *_args: object, **_kwargs: object) -> None:
        """Show it."""
        show(self)

    kind.show = method
