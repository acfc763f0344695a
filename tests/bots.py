"""Whole games of the house bots, for the tests that look at each of their periods."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from pbem.adjudication import adjudicate, take
from pbem.dice import Dice
from pbem.games import GAMES
from pbem.ruleset import Ruleset, settle

BOT_GAMES = int(os.environ.get("PBEM_BOT_GAMES", "12"))
MOST_PERIODS = 400


@dataclass
class Turn:
    """One period of a bots' game."""

    number: int
    before: Any
    standing: dict[str, dict[str, Any]]
    letters: dict[str, str]
    outcome: Any


def bot_game(ruleset: Ruleset[Any], seed: int, scenario: Mapping[str, Any] | None = None) -> Iterator[Turn]:
    """A game of house bots; every third seat misses a move now and then; options vary by seed."""
    bot = importlib.import_module(f"{GAMES[ruleset.about.key]}.bot")
    chance = Dice(f"bots-{seed}", ruleset.about.key).stream("choices")
    tables = ruleset.about.seats
    seats = tables[seed % len(tables)]
    given = getattr(bot, "options", lambda chance: {})(chance) if seed % 2 else {}
    options = settle(ruleset.about.options, {**getattr(bot, "SHORT", {}), **given})
    state = ruleset.setup(seats, options, scenario or {}, Dice(str(seed), "bots")).state
    for number in range(1, MOST_PERIODS + 1):
        if ruleset.result(state) is not None:
            return
        public, letters = ruleset.view(state, None), {}
        for seat in seats:
            if chance.below(12):
                letters[seat] = bot.letter(public, ruleset.view(state, seat), seat, chance)
        standing = {seat: take(ruleset, state, seat, text, {}).standing for seat, text in letters.items()}
        outcome = adjudicate(ruleset, state, standing, Dice(str(seed), "bots"))
        yield Turn(number, state, standing, letters, outcome)
        state = outcome.state
    pytest.fail(f"{ruleset.about.key}, bots' game {seed}: not over after {MOST_PERIODS} periods")
