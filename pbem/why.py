"""``WHY``: how a public figure came about, where a game can say so."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

from pbem.games import GAMES
from pbem.ruleset import Ruleset


def why(ruleset: Ruleset[Any], state: Any, words: str) -> str:
    """The explanation of what ``words`` name, from public facts; each step with its paragraph."""
    package = GAMES[ruleset.about.key]
    if find_spec(f"{package}.why") is None:
        return f"{ruleset.about.title} has no WHY; its bulletins give the paragraph of each event."
    text: str = importlib.import_module(f"{package}.why").why(state, words)
    return text
