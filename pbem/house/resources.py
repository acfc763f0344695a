"""Find the data folders: inside the installed package (``pbem/_data/``) or beside it in a checkout.

``grammar/``, ``templates/``, ``migrations/`` and ``rules/`` are top-level folders, where a
gamesmaster finds them.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def root() -> Path:
    """Return the folder that holds them."""
    packed = _PACKAGE / "_data"
    return packed if packed.is_dir() else _PACKAGE.parent


def path(*parts: str) -> Path:
    """Return a file or folder below :func:`root`; it need not exist."""
    return root().joinpath(*parts)


def text(*parts: str) -> str:
    """Return the UTF-8 text of a data file. Raise FileNotFoundError naming it."""
    return path(*parts).read_text(encoding="utf-8")
