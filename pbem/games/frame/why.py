"""``WHY``: how a public figure came about, where a game can say so."""

from __future__ import annotations

from typing import Any

from pbem.games.frame.ruleset import Explains, Ruleset


def why(ruleset: Ruleset[Any], state: Any, words: str) -> str:
    """The explanation of what ``words`` name, from public facts; each step with its paragraph."""
    if isinstance(ruleset, Explains):
        return ruleset.why(state, words)
    return f"{ruleset.about.title} has no WHY; its bulletins give the paragraph of each event."
