"""Turn parse trees into orders."""

from __future__ import annotations

from functools import partial
from typing import Any

from pbem.games.frame.conditions import Reading
from pbem.games.frame.plans import Ended, Plan
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
from pbem.orders.ifs import Ifs
from pbem.orders.language import Language
from pbem.orders.order import Order, Pass, Resign

Words = list[Any]
ELSE = "ELSE"
_FIGURES = ("IF", ELSE, "SEATS", "POINTS", "LEFT", "GRC", "MOMENTUM")
"""A condition's words; such a line continues."""
_KEPT = ("OVERRIDE", "DRAW", "DRAFT", "CONTEST", "DECLINE")


class ToOrders(Reading):
    """A method for each grammar rule."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self.names = names

    def order(self, children: list[Order]) -> Order:
        return children[0]

    def override(self, words: Words) -> Order:
        """Read OVERRIDE, with CONTENT or None last."""
        return Override(self.names.read(words[:-1]), words[-1])

    def content(self, words: Words) -> tuple[str, ...]:
        return tuple(word.upper() for word in words if word.upper() != NONE)

    def draw(self, shares: Words) -> Order:
        return Draw(tuple(shares))

    def share(self, words: Words) -> tuple[str, int]:
        """Read deck and number in either order."""
        deck, number = sorted(words, key=lambda word: isinstance(word, int))
        return deck.upper(), number

    def draft(self, words: Words) -> Order:
        spans: list[Words] = [[]]
        for word in words[1:]:
            if word.upper() == ELSE:
                spans.append([])
            else:
                spans[-1].append(word)
        wishes: list[tuple[str, ...]] = [(card,) for card in self.names.read(spans[0])]
        for span in spans[1:]:
            other, *rest = self.names.read(span) or (NONE,)
            wishes[-1:] = [(*wish, other) for wish in wishes[-1:]] or [(other,)]
            wishes += [(card,) for card in rest]
        return Draft(tuple(wishes))

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
        """Read a card with options, the last of each kind."""
        return Item(str(words[0]), **dict(words[1:]))

    def on(self, words: Words) -> tuple[str, str]:
        return "on", words[0].upper()

    def against(self, words: Words) -> tuple[str, str]:
        return "against", words[0].upper()

    def plan(self, parts: Words) -> Order | tuple[Order, ...]:
        """Read STANDING or a condition; ELSE begins a plan without one."""
        order, *rest = parts
        when, other = (*rest, None, None)[:2]
        return (Plan(order, when), Plan(other)) if other else Plan(order, when)

    def ended(self, words: Words) -> Order:
        """Read STANDING NONE, STANDING DRAFT NONE or DRAFT IF NONE."""
        said = [str(word).upper() for word in words]
        if said[0] != "STANDING":
            return Ended(said[0], by_condition=True)
        return Ended(said[1] if len(said) > 2 else "")

    def resign(self, _: Words) -> Order:
        return Resign()

    def pass_(self, _: Words) -> Order:
        return Pass()


def language(book: Rulebook) -> Language:
    labels = {
        "WORD": "a card",
        "DRAW.WORD": "TALENT, ACTION",
        "OVERRIDE CONTENT.WORD": "an issue",
        **dict.fromkeys(("IF", "ELSE"), ""),
        **{f"{word} IF.WORD": "SEATS, POINTS, GRC" for word in _KEPT},
        **{f"{word} ON.WORD": "an issue" for word in ("CONTEST", "PLAY")},
        **{f"{word} AGAINST.WORD": "a party" for word in ("CONTEST", "PLAY")},
    }
    make = partial(ToOrders, Names(book.tables))
    names = (*ISSUE_WORDS, *book.tables["parties"], TOP, *_FIGURES)
    ifs = Ifs((*_KEPT, "STANDING"), "3.14")
    return Language(book.grammar, book.terminals, make, labels, names=names, ifs=ifs)
