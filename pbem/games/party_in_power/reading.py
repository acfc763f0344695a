"""From parse trees to orders."""

from __future__ import annotations

from functools import partial
from typing import Any

from lark import Token, Transformer

from pbem.games.frame.ruleset import Rulebook
from pbem.games.party_in_power.cards import ISSUE_WORDS
from pbem.games.party_in_power.names import NONE, Names
from pbem.games.party_in_power.orders import (
    TOP,
    Contest,
    Decline,
    Discard,
    Draft,
    Draw,
    Field,
    Item,
    Override,
    Play,
    Walkover,
)
from pbem.orders.language import Language
from pbem.orders.order import Order, Pass, Resign

Words = list[Any]


class ToOrders(Transformer[Token, Order]):
    """One method for each rule of the grammar, which gives it its name; ``names`` are those of the
    game's tables."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self.names = names

    def order(self, children: list[Order]) -> Order:
        return children[0]

    def override(self, words: Words) -> Order:
        """OVERRIDE; the last child is the CONTENT list or None."""
        return Override(self.names.read(words[:-1]), words[-1])

    def content(self, words: Words) -> tuple[str, ...]:
        return tuple(word.upper() for word in words if word.upper() != NONE)

    def draw(self, shares: Words) -> Order:
        return Draw(tuple(shares))

    def share(self, words: Words) -> tuple[str, int]:
        """A deck and a number, or a number and a deck."""
        deck, number = sorted(words, key=lambda word: isinstance(word, int))
        return deck.upper(), number

    def draft(self, words: Words) -> Order:
        return Draft(self.names.read(words))

    def discard(self, words: Words) -> Order:
        return Discard(self.names.read(words))

    def contest(self, items: Words) -> Order:
        none = [item.card.upper() for item in items] == [NONE]
        return Decline() if none else Contest(self.names.items(items))

    def decline(self, _: Words) -> Order:
        return Decline()

    def walkover(self, words: Words) -> Order:
        return Walkover(self.names.read(words))

    def field(self, words: Words) -> Order:
        return Field(self.names.read(words))

    def play(self, items: Words) -> Order:
        none = [item.card.upper() for item in items] == [NONE]
        return Play(() if none else self.names.items(items))

    def item(self, words: Words) -> Item:
        """A card and its options; of several of a kind the last counts."""
        return Item(str(words[0]), **dict(words[1:]))

    def on(self, words: Words) -> tuple[str, str]:
        """ON an issue."""
        return "on", words[0].upper()

    def against(self, words: Words) -> tuple[str, str]:
        """AGAINST a party."""
        return "against", words[0].upper()

    def resign(self, _: Words) -> Order:
        return Resign()

    def pass_(self, _: Words) -> Order:
        return Pass()


def language(book: Rulebook) -> Language:
    """The order language over the issues and parties of the game's tables."""
    labels = {
        "WORD": "a card",
        "DRAW.WORD": "TALENT, ACTION",
        "OVERRIDE CONTENT.WORD": "an issue",
        **{f"{word} ON.WORD": "an issue" for word in ("CONTEST", "PLAY")},
        **{f"{word} AGAINST.WORD": "a party" for word in ("CONTEST", "PLAY")},
    }
    make = partial(ToOrders, Names(book.tables))
    names = (*ISSUE_WORDS, *book.tables["parties"], TOP)
    return Language(book.grammar, book.terminals, make, labels, names=names)
