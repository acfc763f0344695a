"""PNGs of pictures, drawn with the font that is shipped and nothing else of the machine."""

from __future__ import annotations

from functools import lru_cache

import resvg_py

from pbem.store import resources

FAMILY = "DejaVu Sans"
ZOOM = 1.5
"""Dots of a PNG for each unit of its SVG: screens have two or three now, and dots cost time."""


@lru_cache(maxsize=32)
def png(svg: str) -> bytes:
    """A picture as PNG. It is kept for a while: equal SVG gives equal bytes, so whatever was drawn
    before a transaction costs nothing in it."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=ZOOM,
            skip_system_fonts=True,
            font_files=_fonts(),
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )


@lru_cache(maxsize=1)
def _fonts() -> list[str]:
    folder = resources.path("templates", "_shared", "fonts")
    return [str(file) for file in sorted(folder.glob("*.ttf"))]
