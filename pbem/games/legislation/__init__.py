"""Legislation: The Game. Bills of blue cards become law; red cards are each player's secret
goals."""

from pbem.games.legislation.rules import Legislation as ruleset

__all__ = ["ruleset"]
