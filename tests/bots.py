"""Whole games of the house bots, for the tests that look at each of their periods.

A bots' game is known by its number. Its table and each of its options are drawn from streams of
their own, so that no number of players goes with some options only, nor one option with some values
of another only.
"""

import importlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.games import GAMES
from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Seat
from pbem.games.frame.options import Option, settle, timing
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf
from tests.sampled import share

BOT_GAMES = int(os.environ.get("PBEM_BOT_GAMES") or share(12, of_ci=4))
MOST_PERIODS = 400
_OF_TIME = frozenset(option.name for option in timing(1))


@dataclass
class Turn:
    """One period of a bots' game."""

    number: int
    before: Any
    standing: dict[str, dict[str, Any]]
    letters: dict[str, str]
    outcome: Any


def bot_of(ruleset: Ruleset[Any]) -> Any:
    """The bot that tries everything in this game; a game from outside has its house bot alone."""
    return nonsense(ruleset.about.key)


def nonsense(key: str) -> Any:
    folder = GAMES[key].rpartition(".")[2]
    own = (Path(__file__).parent / "nonsense" / f"{folder}.py").exists()
    return importlib.import_module(f"tests.nonsense.{folder}" if own else f"{GAMES[key]}.bot")


def values(ruleset: Ruleset[Any]) -> dict[str, tuple[str | int, ...]]:
    """The values of each option that bots play with: every choice (of an option that takes several
    also all of them together), the numbers that the bot names; the options about time are the
    house's and not the game's."""
    named: Mapping[str, tuple[str | int, ...]] = getattr(bot_of(ruleset), "VALUES", {})
    return {
        o.name: named.get(o.name) or _choices(o)
        for o in ruleset.about.options
        if o.name not in _OF_TIME
    }


def _choices(option: Option) -> tuple[str | int, ...]:
    together = ("+".join(option.choices),) if option.many else ()
    return (*option.choices, *together) or (option.default,)


def drawn(ruleset: Ruleset[Any], number: int) -> tuple[tuple[Seat, ...], dict[str, str | int]]:
    """The table and the options of a bots' game; an option keeps its default (or the bot's) half of
    the time."""
    lots, short = Dice(f"bots-{number}", ruleset.about.key), getattr(bot_of(ruleset), "SHORT", {})
    given = dict(short)
    for name, legal in values(ruleset).items():
        lot = lots.stream(f"option {name}")
        if lot.below(2):
            given[name] = lot.choice(legal)
    return lots.stream("seats").choice(ruleset.about.seats), settle(ruleset.about.options, given)


def bot_game(ruleset: Ruleset[Any], number: int) -> Iterator[Turn]:
    """A game of house bots; each seat misses a move now and then. The first few are played once in
    a worker: many tests look at them."""
    return iter(_kept(ruleset.about.key, number)) if number < 4 else _played(ruleset, number)


@cache
def _kept(key: str, number: int) -> tuple[Turn, ...]:
    return tuple(_played(shelf.open_ruleset(key), number))


def _played(ruleset: Ruleset[Any], number: int) -> Iterator[Turn]:
    bot = bot_of(ruleset)
    chance = Dice(f"bots-{number}", ruleset.about.key).stream("choices")
    seats, options = drawn(ruleset, number)
    state = ruleset.setup(seats, options, {}, Dice(str(number), "bots")).state
    for period in range(1, MOST_PERIODS + 1):
        if ruleset.result(state) is not None:
            return
        public, letters = ruleset.view(state, None), {}
        for seat in seats:
            if chance.below(12):
                letters[seat] = bot.letter(public, ruleset.view(state, seat), seat, chance)
        standing = {
            seat: take(ruleset, state, seat, text, {}).standing for seat, text in letters.items()
        }
        outcome = play_period(ruleset, state, standing, Dice(str(number), "bots"))
        yield Turn(period, state, standing, letters, outcome)
        state = outcome.state
    pytest.fail(f"{ruleset.about.key}, bots' game {number}: not over after {MOST_PERIODS} periods")
