"""What ``show`` and ``save_image`` take, as the bytes of a file and its extension.

Knows matplotlib, PIL and the rest only by what their objects can do: none of them is imported here.
"""

from __future__ import annotations

import io
import os
import re
from typing import Any

_SIGNATURES = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "png"),
    (re.compile(rb"\xff\xd8\xff"), "jpg"),
    (re.compile(rb"GIF8[79]a"), "gif"),
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), "webp"),
    (re.compile(rb"%PDF-"), "pdf"),
    (re.compile(rb"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg\b", re.DOTALL), "svg"),
    (re.compile(rb"\s*(<!doctype html\b|<html\b)", re.IGNORECASE), "html"),
)

#: Methods by which notebooks ask an object for a picture of itself, best first.
_METHODS = (("_repr_png_", "png"), ("_repr_jpeg_", "jpg"), ("_repr_svg_", "svg"), ("_repr_html_", "html"))

_EXTENSIONS = {"text/html": "html", "image/svg+xml": "svg", "image/jpeg": "jpg", "text/plain": "txt"}

_KINDS = "a matplotlib figure, a PIL image, a Blob, bytes, HTML, the path of a file, or an object with _repr_png_ or _repr_html_"


def extension_of(data: bytes) -> str:
    """The extension that fits the bytes; ``bin`` where nothing is known."""
    head = bytes(data[:1024])
    return next((ext for pattern, ext in _SIGNATURES if pattern.match(head)), "bin")


def is_path(value: Any) -> bool:
    """Whether it names a file that is there."""
    if isinstance(value, os.PathLike):
        return True
    try:
        return isinstance(value, str) and os.path.isfile(value)
    except ValueError:
        return False  # A NUL in it.


def is_blob(value: Any) -> bool:
    """Whether it is what a tool gives for an image, or looks like one."""
    return hasattr(value, "mime_type") and isinstance(getattr(value, "data", None), bytes)


def blob_data(value: Any) -> Any:
    """The bytes of a Blob; anything else as it is."""
    return value.data if is_blob(value) else value


def to_bytes(value: Any, wanted: str | None = None) -> tuple[bytes, str]:
    """Bytes and extension; ``wanted`` is the extension that things which can choose should have."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value), extension_of(bytes(value))
    if isinstance(value, str):
        if not value.lstrip().startswith("<"):
            raise ValueError(f"Cannot show {_short(value)}: it is no file that exists and no HTML")
        data = value.encode()
        return data, "svg" if extension_of(data) == "svg" else "html"
    if is_blob(value):
        return value.data, _blob_extension(value)
    if hasattr(value, "savefig"):
        return _figure(value, wanted or "png")
    if hasattr(value, "get_figure") and value.get_figure() is not None:
        return _figure(value.get_figure(), wanted or "png")
    if hasattr(value, "save") and hasattr(value, "mode") and hasattr(value, "size"):
        return _pil_image(value, wanted or "png")
    for method, ext in _METHODS:
        data = getattr(value, method, lambda: None)()
        if isinstance(data, tuple):
            data = data[0]  # With metadata, as IPython allows.
        if data is not None:
            return (data.encode() if isinstance(data, str) else bytes(data)), ext
    raise TypeError(f"Cannot show {type(value).__name__}: expected {_KINDS}")


def _figure(figure: Any, ext: str) -> tuple[bytes, str]:
    buffer = io.BytesIO()
    figure.savefig(buffer, format=ext, bbox_inches="tight")
    return buffer.getvalue(), ext


def _pil_image(image: Any, ext: str) -> tuple[bytes, str]:
    form = {"jpg": "JPEG", "tif": "TIFF"}.get(ext, ext.upper())
    buffer = io.BytesIO()
    try:
        image.save(buffer, form)
    except OSError:
        # The format has no such colours (CMYK, 32-bit floats, transparency in a JPEG).
        buffer = io.BytesIO()
        image.convert("RGB").save(buffer, form)
    return buffer.getvalue(), ext


def _blob_extension(blob: Any) -> str:
    ext = extension_of(blob.data)
    if ext != "bin":
        return ext
    mime = str(blob.mime_type).split(";")[0].strip().lower()
    tail = re.sub(r"^x-|\+.*$", "", mime.rpartition("/")[2])
    return _EXTENSIONS.get(mime) or (tail if re.fullmatch(r"[a-z0-9]{1,8}", tail) else "bin")


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
