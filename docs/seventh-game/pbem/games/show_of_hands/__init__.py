"""Show of Hands: a toy game, to show what a rule-set is made of."""

from __future__ import annotations

from pbem.games.show_of_hands.rules import ShowOfHands as ruleset

__all__ = ["ruleset"]
