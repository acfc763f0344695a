"""Parlement, edition of 1968 with its postal house rules."""

from pbem.games.parlement_1968.rules import Parlement1968 as ruleset

__all__ = ["ruleset"]
