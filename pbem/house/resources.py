"""Find the data folders: in the package (``pbem/_data/``) or beside it in a checkout, where a
gamesmaster sees them."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def root() -> Path:
    """Return the folder of ``grammar/``, ``templates/``, ``migrations/`` and ``rules/``."""
    packed = _PACKAGE / "_data"
    return packed if packed.is_dir() else _PACKAGE.parent


def path(*parts: str) -> Path:
    """Return a path below :func:`root`, which need not exist."""
    return root().joinpath(*parts)


def text(*parts: str) -> str:
    """Return a data file's UTF-8 text. Raise FileNotFoundError."""
    return path(*parts).read_text(encoding="utf-8")
