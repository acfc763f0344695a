"""Turn parse trees into orders; find where a list ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from lark import Token, v_args

from pbem.games.frame.conditions import Condition, Reading
from pbem.games.frame.plans import Ended, Plan
from pbem.games.frame.ruleset import Rulebook
from pbem.games.politics_1935 import names
from pbem.games.politics_1935.orders import SELF, Bid, Campaign, Item, Speak, StandingList, TakeCard
from pbem.games.politics_1935.tables import Atlas
from pbem.orders.ifs import Ifs
from pbem.orders.language import Language
from pbem.orders.order import Order, Pass, Resign
from pbem.orders.spelling import is_number, whole

_SEAT = re.compile(r"p[0-9]+", re.IGNORECASE)
_MYSELF = frozenset((SELF, "ME", "MYSELF", "MINE"))


_FIGURES = ("IF", "CASH", "CLOSED", "EMPTY", "ROUND", "VOTES")
"""A condition's words; such a line continues."""


class _Title(str):
    __slots__ = ()


@v_args(inline=True)
class ToOrders(Reading):
    """A method for each grammar rule."""

    def __init__(self, atlas: Atlas) -> None:
        super().__init__()
        self.find = partial(names.state, atlas)
        self.atlas = atlas

    def order(self, order: Order) -> Order:
        return order

    def campaign(self, *tokens: Token) -> Order:
        return Campaign(tuple(items(tokens, self.find)))

    def standing(self, *tokens: Token) -> Order:
        none = len(tokens) == 1 and tokens[0].upper() == "NONE"
        return StandingList(() if none else tuple(items(tokens, self.find)))

    def card(self, *words: str) -> str:
        """Return the card; a title after a key must be its own."""
        if len(words) == 2 and isinstance(words[1], _Title):
            card, title = names.speech(self.atlas, words[0]), names.speech(self.atlas, words[1])
            return card if card == title else f"{card} ({words[1]})"
        return names.speech(self.atlas, " ".join(words))

    def title(self, *words: Token) -> str:
        return _Title(" ".join(words))

    def speak(self, card: str, after: Token | None) -> Order:
        return Speak(card, SELF if after is None else _seat(after))

    def bid(self, money: int, card: str) -> Order:
        return Bid(money, card)

    def plan(self, order: Order, when: Condition | None = None) -> Order:
        return Plan(order, when)

    def ended(self, *words: Token) -> Order:
        return Ended("BID", by_condition=words[0].upper() == "BID")

    def take(self) -> Order:
        return TakeCard()

    def resign(self) -> Order:
        return Resign()

    def pass_(self) -> Order:
        return Pass()


@dataclass(frozen=True, eq=False)
class Orders(Language):
    """The order language; it knows names of two words."""

    def complete(self, text: str) -> bool:
        """Return whether the order is complete; half a state's name goes on in the next line."""
        last = text.rsplit(maxsplit=1)[-1].upper()
        half = last not in self.names and any(name.startswith(f"{last} ") for name in self.names)
        return not half and Language.complete(self, text)


def items(tokens: Sequence[str], find: Callable[[str], str | None]) -> Iterator[Item]:
    """Yield states with counts (3.1); ``find`` returns a code.

    Two words may be one name. A number belongs to the state before it, perhaps in brackets or after
    the code: "Ohio (OH) 2". A lone number, or a plain word ("in Ohio"), is yielded as a name.
    """
    tokens = [_unbracketed(token) for token in tokens]
    at = 0
    while at < len(tokens):
        word, pair = tokens[at], " ".join(tokens[at : at + 2])
        step = 2 if " " in pair and find(pair) else 1
        written = pair if step == 2 else str(word)
        at += step
        plain = names.is_plain(written, tokens[at : at + 1])
        name = written if plain else find(written) or written
        if at < len(tokens) and tokens[at] == f"({name})":
            at += 1
        count = 1
        if not _number(word) and at < len(tokens) and _number(tokens[at]):
            count, at = whole(tokens[at]), at + 1
        yield Item(name, count)


def _unbracketed(token: str) -> str:
    if not token.startswith("("):
        return token
    held = token.strip("( )")
    return held if _number(held) else f"({held.upper()})"


def _number(word: str) -> bool:
    return is_number(word.replace(",", ""))


def _seat(word: str) -> str:
    if word.upper() in _MYSELF:
        return SELF
    return word.upper() if _SEAT.fullmatch(word) else str(word)


def language(book: Rulebook, atlas: Atlas) -> Orders:
    named = atlas.named()
    labels = {
        "MONEY": "an amount",
        "CAMPAIGN.WORD": "a state",
        "STANDING.WORD": "a state",
        "CARD_KEY": "a card",
        "BRACKETED": "",
        "LPAR": "",
        "SPEAK.WORD": "a card",
        "BID.WORD": "a card",
        "IF": "",
        "BID IF.WORD": "CASH, EMPTY, ROUND, VOTES",
        "STANDING IF.WORD": "CASH, EMPTY, ROUND, VOTES",
        "SPEAK AFTER.WORD": "a player",
    }
    return Orders(
        book.grammar,
        book.terminals,
        partial(ToOrders, atlas),
        labels,
        names=(*named, *_FIGURES),
        ifs=Ifs(("BID", "STANDING"), "3.10"),
        numbers=("MONEY",),  # an INT in place of a state is refused as written
    )
