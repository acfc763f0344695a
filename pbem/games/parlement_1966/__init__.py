"""Parlement, the postal edition of 1966."""

from pbem.games.parlement_1966.rules import Parlement1966 as ruleset

__all__ = ["ruleset"]
