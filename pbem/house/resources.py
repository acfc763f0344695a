"""Find the data folders: in the package (``pbem/_data/``) or beside it in a checkout, where a
gamesmaster sees them.

How to install an optional part of this program.
"""

import importlib.util
import json
import shlex
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pbem.budget import paused

_PACKAGE = Path(__file__).resolve().parents[1]


def path(*parts: str) -> Path:
    """Return a path beside ``grammar/``, ``templates/``, ``migrations/`` and ``rules/``, which need
    not exist."""
    packed = _PACKAGE / "_data"
    return (packed if packed.is_dir() else _PACKAGE.parent).joinpath(*parts)


def text(*parts: str) -> str:
    """Return a data file's UTF-8 text. Raise FileNotFoundError."""
    return path(*parts).read_text(encoding="utf-8")


@lru_cache
@paused
def toml(*parts: str) -> Mapping[str, Any]:
    """Return what a data file of TOML says."""
    return tomllib.loads(text(*parts))


@dataclass(frozen=True, slots=True)
class Installed:
    """How the program was installed."""

    prefix: str
    """Of its Python environment."""
    python: str
    source: str = ""
    """Its folder; "" if from an index."""
    editable: bool = False
    pip: bool = True
    """Whether the environment has pip."""


def line(extra: str, how: Installed | None = None) -> str:
    """Return the command that installs it. how: None for this installation."""
    how = how or here()
    what = f"{how.source or 'pbem'}[{extra}]"
    words = ["-e", what] if how.editable else [what]
    parts = Path(how.prefix).parts
    if "pipx" in parts:
        return shlex.join(["pipx", "install", "--force", *words])
    if "uv" in parts and "tools" in parts:
        return shlex.join(["uv", "tool", "install", "--force", *words])
    if how.pip:
        return shlex.join([how.python, "-m", "pip", "install", *words])
    return shlex.join(["uv", "pip", "install", "--python", how.python, *words])


def here() -> Installed:
    source, editable = "", False
    try:
        told = json.loads(distribution("pbem").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        told = {}
    if str(told.get("url", "")).startswith("file:"):
        source = unquote(urlsplit(told["url"]).path)
        editable = bool(told.get("dir_info", {}).get("editable"))
    pip = importlib.util.find_spec("pip") is not None
    return Installed(sys.prefix, sys.executable, source, editable, pip)
