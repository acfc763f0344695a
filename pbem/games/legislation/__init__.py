"""Legislation: The Game. Bills of blue cards become law; red cards say what each player's voters
want."""

from __future__ import annotations

from pbem.games.legislation.rules import Legislation as ruleset

__all__ = ["ruleset"]
