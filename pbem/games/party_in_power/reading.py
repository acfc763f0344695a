"""From parse trees to orders."""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer

from pbem.games.party_in_power.cards import card_id
from pbem.games.party_in_power.orders import (
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
from pbem.orders.language import Order, Pass, Resign

Words = list[Any]


def _cards(words: Words) -> tuple[str, ...]:
    return tuple(card_id(word) for word in words)


class ToOrders(Transformer[Token, Order]):
    """One method for each rule of the grammar, which gives it its name."""

    def order(self, children: list[Order]) -> Order:
        return children[0]

    def override(self, words: Words) -> Order:
        """OVERRIDE; the last child is the CONTENT list or None."""
        return Override(_cards(words[:-1]), words[-1])

    def content(self, words: Words) -> tuple[str, ...]:
        return tuple(word.upper() for word in words)

    def draw(self, shares: Words) -> Order:
        return Draw(tuple(shares))

    def share(self, words: Words) -> tuple[str, int]:
        """A deck and a number."""
        return words[0].upper(), int(words[1].replace(",", ""))

    def draft(self, words: Words) -> Order:
        return Draft(_cards(words))

    def discard(self, words: Words) -> Order:
        return Discard(_cards(words))

    def contest(self, items: Words) -> Order:
        return Contest(tuple(items))

    def decline(self, _: Words) -> Order:
        return Decline()

    def walkover(self, words: Words) -> Order:
        return Walkover(_cards(words))

    def field(self, words: Words) -> Order:
        return Field(_cards(words))

    def play(self, items: Words) -> Order:
        return Play(tuple(items))

    def item(self, words: Words) -> Item:
        """A card and its options; of several of a kind the last counts."""
        return Item(card_id(words[0]), **dict(words[1:]))

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
