"""Draw pictures as PNG with the shipped font only."""

from functools import lru_cache

import resvg_py

from pbem.house import resources

FAMILY = "DejaVu Sans"
ZOOMS = (2.0, 1.5, 1.25, 1.0)
"""PNG dots per SVG unit, best first. Dots cost time and room."""


@lru_cache(maxsize=32)
def png(svg: str, zoom: float = ZOOMS[0]) -> bytes:
    """Return a picture as PNG. Raise ValueError if it is no SVG. Cached: draw before a
    transaction."""
    fonts = resources.path("templates", "_shared", "fonts")
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=zoom,
            skip_system_fonts=True,
            font_files=sorted(map(str, fonts.glob("*.ttf"))),
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )
