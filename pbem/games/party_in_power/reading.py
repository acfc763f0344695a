"""From parse trees to orders."""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer

from pbem.games.frame.ruleset import Rulebook
from pbem.games.party_in_power.cards import ISSUE_WORDS, card_id
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
        return words[0].upper(), words[1]

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


def language(book: Rulebook) -> Language:
    """The order language over the issues and parties of the game's tables."""
    labels = {
        "WORD": "a card",
        "DRAW.WORD": "TALENT, ACTION",
        "OVERRIDE CONTENT.WORD": "an issue",
        **{f"{word} ON.WORD": "an issue" for word in ("CONTEST", "PLAY")},
        **{f"{word} AGAINST.WORD": "a party" for word in ("CONTEST", "PLAY")},
    }
    names = (*ISSUE_WORDS, *book.tables["parties"], TOP)
    return Language(book.grammar, book.terminals, ToOrders, labels, names=names)
