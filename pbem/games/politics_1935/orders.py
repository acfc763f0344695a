"""The orders of Politics: frozen values with a slot and a canonical text (3.1 to 3.7)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lark import Token, Transformer, v_args

from pbem.orders import Language, Order, Pass, Resign

SELF = "SELF"


@dataclass(frozen=True, slots=True)
class Item:
    """``count`` counties of a state; a name that is no state stays as it was written, and ``check`` refuses it."""

    state: str
    count: int = 1

    def __str__(self) -> str:
        return f"{self.state} {self.count}"


@dataclass(frozen=True, slots=True)
class Campaign:
    """CAMPAIGN: how this throw is spent, item by item; none: all of it goes to the list on file (3.1)."""

    items: tuple[Item, ...] = ()
    slot: str = "CAMPAIGN"

    def __str__(self) -> str:
        return " ".join(("CAMPAIGN", ", ".join(map(str, self.items)))).strip()


@dataclass(frozen=True, slots=True)
class StandingList:
    """STANDING: what becomes of points that CAMPAIGN leaves, kept until changed; no item: NONE (3.2)."""

    items: tuple[Item, ...] = ()
    slot: str = "STANDING"

    def __str__(self) -> str:
        return f"STANDING {', '.join(map(str, self.items)) or 'NONE'}"


@dataclass(frozen=True, slots=True)
class Speak:
    """SPEAK: one card in the gap after a seat's play, ``after`` SELF or a seat (3.3)."""

    card: str
    after: str = SELF

    @property
    def slot(self) -> str:
        """One for each gap; ``check`` lets only one early and one late stand."""
        return "SPEAK" if self.after == SELF else f"SPEAK AFTER {self.after}"

    def __str__(self) -> str:
        return f"SPEAK {self.card}" if self.after == SELF else f"SPEAK {self.card} AFTER {self.after}"


@dataclass(frozen=True, slots=True)
class Bid:
    """BID: the highest price, in dollars, for a card that was turned up (3.4)."""

    amount: int
    card: str

    @property
    def slot(self) -> str:
        """One for each card."""
        return f"BID {self.card}"

    def __str__(self) -> str:
        return f"BID {self.amount:,} ON {self.card}"


@dataclass(frozen=True, slots=True)
class TakeCard:
    """TAKE CARD: the card shown instead of the points (3.5)."""

    slot: str = "TAKE"

    def __str__(self) -> str:
        return "TAKE CARD"


def transformer(names: Mapping[str, str]) -> type[Transformer[Token, Order]]:
    """The transformer over a map's names: every way to write a state, in capitals, to its code."""

    @v_args(inline=True)
    class ToOrders(Transformer[Token, Order]):
        """From parse tree to order."""

        def order(self, order: Order) -> Order:
            """The start rule."""
            return order

        def campaign(self, *tokens: Token) -> Order:
            """CAMPAIGN."""
            return Campaign(tuple(items(tokens, names)))

        def standing(self, *tokens: Token) -> Order:
            """STANDING."""
            none = len(tokens) == 1 and tokens[0].upper() == "NONE"
            return StandingList(() if none else tuple(items(tokens, names)))

        def speak(self, card: Token, after: Token | None) -> Order:
            """SPEAK."""
            return Speak(_card(card), SELF if after is None else _seat(after))

        def bid(self, money: Token, card: Token) -> Order:
            """BID."""
            thousands = money.upper().endswith("K")
            number = int(re.sub(r"\D", "", money))
            return Bid(number * 1000 if thousands else number, _card(card))

        def take(self) -> Order:
            """TAKE CARD."""
            return TakeCard()

        def resign(self) -> Order:
            """RESIGN."""
            return Resign()

        def pass_(self) -> Order:
            """PASS."""
            return Pass()

    return ToOrders


@dataclass(frozen=True)
class Orders(Language):
    """The order language of Politics, which knows that some states have names of two words."""

    def complete(self, text: str) -> bool:
        """A list that ends with half a state's name goes on in the next line."""
        last = text.rsplit(maxsplit=1)[-1].upper()
        half = last not in self.names and any(name.startswith(f"{last} ") for name in self.names)
        return not half and Language.complete(self, text)


def items(tokens: Sequence[str], names: Mapping[str, str]) -> Iterator[Item]:
    """States and numbers from left to right (3.1): two words that together name a state are one name, otherwise each
    word is one; a number belongs to the state before it. A number without a state is given as a name."""
    at = 0
    while at < len(tokens):
        word, pair = tokens[at], " ".join(tokens[at : at + 2])
        step = 2 if pair.upper() in names and len(tokens[at : at + 2]) == 2 else 1
        written = pair if step == 2 else str(word)
        name = names.get(written.upper(), written)
        at += step
        count = 1
        if not _number(word) and at < len(tokens) and _number(tokens[at]):
            count, at = int(tokens[at].replace(",", "")), at + 1
        yield Item(name, count)


def _number(word: str) -> bool:
    return word.replace(",", "").isdigit()


def _card(word: str) -> str:
    """A card's key in capitals, with its nought: "s7" is S07."""
    found = re.fullmatch(r"S(\d{1,2})", word.upper())
    return f"S{int(found.group(1)):02d}" if found else word.upper()


def _seat(word: str) -> str:
    """SELF and seat keys in capitals; anything else as it was written, for the refusal."""
    return word.upper() if re.fullmatch(r"(?i)self|p\d+", word) else str(word)
