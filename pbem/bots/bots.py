"""Ask a game's house bot for a letter.

``bot.py`` in a game's package has ``letter(public, own, seat, chance)``: it knows only views.
"""

import importlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from pbem.games import GAMES
from pbem.games.frame.adjudication import canonical, take
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice, Stream
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Ruleset
from pbem.orders.order import Order


class Bot(Protocol):
    """A module that writes letters."""

    def letter(self, public: Json, own: Json, seat: Seat, chance: Stream) -> str: ...


@lru_cache
def bot_of(key: str) -> Bot:
    found: Any = importlib.import_module(f"{GAMES[key]}.bot")
    return found  # type: ignore[no-any-return]


def short(key: str) -> Mapping[str, str | int]:
    """Return options that keep a game to an evening."""
    return dict(getattr(bot_of(key), "SHORT", {}))


def letter(ruleset: Ruleset[Any], state: Any, seat: Seat, chance: Stream) -> str:
    """Return a seat's orders, a line each; "" for none. What would be refused is left out."""
    if ruleset.result(state) is not None:
        return ""
    public, own = ruleset.view(state, None), ruleset.view(state, seat)
    written = bot_of(ruleset.about.key).letter(public, own, seat, chance)
    return "\n".join(canonical(taken(ruleset, state, seat, written)))


def taken(ruleset: Ruleset[Any], state: Any, seat: Seat, text: str) -> dict[str, Order]:
    """Return the orders of a letter that are not refused."""
    return take(ruleset, state, seat, text, {}).standing


def chance(seed: str, key: str, seat: Seat, period: int) -> Stream:
    return Dice(f"{seed} bots", key).stream(f"{seat} {period}")
