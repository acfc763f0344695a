"""The Game of Politics (Oswald B. Lord, 1935): a presidential election."""

from pbem.games.politics_1935.rules import Politics as ruleset

__all__ = ["ruleset"]
