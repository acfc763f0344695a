"""Coalition (David E. Cohen, 2006): fifteen parties haggle over nineteen ministries until one slate
carries."""

from __future__ import annotations

from pbem.games.coalition.rules import Coalition as ruleset

__all__ = ["ruleset"]
