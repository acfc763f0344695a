"""Coalition (David E. Cohen, 2006): fifteen parties bargain over nineteen ministries."""

from pbem.games.coalition.rules import Coalition as ruleset

__all__ = ["ruleset"]
