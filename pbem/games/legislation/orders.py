"""The orders of Legislation: frozen values with a slot and a canonical text, made from parsed trees.

A card is its text, ``STAR+`` or ``STAR-``; the blank red card is ``CROWN``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lark import Token, Transformer, v_args

from pbem.orders import Language, Order, Pass, Resign
from pbem.ruleset import Rulebook
from pbem.splitter import first_word

AYE, NAY, PRESENT, NONE, ALL = "AYE", "NAY", "PRESENT", "NONE", "ALL"
CHOICES = (AYE, NAY, PRESENT)
ADD, REMOVE, FOR, AGAINST = "ADD", "REMOVE", "FOR", "AGAINST"
ME, CARRIED = "ME", "CARRIED"
_SIGN = re.compile(r"[+-]|\b(?:PLUS|MINUS)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FileBill:
    """BILL: the core of the chair's bill; ``cards`` is None for BILL NONE (the gavel passes)."""

    cards: tuple[str, ...] | None
    slot: str = "BILL"

    def __str__(self) -> str:
        return _spelt("BILL", self.cards)


@dataclass(frozen=True, slots=True)
class NextBill:
    """NEXTBILL: the bill kept on file for the player's next turn as chair; None ends it."""

    cards: tuple[str, ...] | None
    slot: str = "NEXTBILL"

    def __str__(self) -> str:
        return _spelt("NEXTBILL", self.cards)


def _spelt(word: str, cards: tuple[str, ...] | None) -> str:
    return f"{word} {NONE}" if cards is None else " ".join((word, *cards))


@dataclass(frozen=True, slots=True)
class Amend:
    """AMEND: a motion to ``ADD`` or ``REMOVE`` a card; ``bill`` is "" until the check has filled it in."""

    action: str
    card: str
    bill: str = ""

    @property
    def slot(self) -> str:
        """One motion on each bill."""
        return f"AMEND {self.bill}".rstrip()

    def __str__(self) -> str:
        return f"AMEND {self.action} {self.card}" + (f" ON {self.bill}" if self.bill else "")


@dataclass(frozen=True, slots=True)
class Vote:
    """VOTE on bills or amendments; ``on`` is empty where there is only one, and one of them once checked."""

    choice: str
    on: tuple[str, ...] = ()

    @property
    def slot(self) -> str:
        """One vote on each."""
        return " ".join(("VOTE", *self.on))

    def __str__(self) -> str:
        return f"VOTE {self.choice}" + (f" ON {' '.join(self.on)}" if self.on else "")


@dataclass(frozen=True, slots=True)
class StandingVote:
    """STANDING VOTE: the vote on every bill without an order; NONE ends it."""

    choice: str
    slot: str = "STANDING"

    def __str__(self) -> str:
        return f"STANDING VOTE {self.choice}"


@dataclass(frozen=True, slots=True)
class Accept:
    """ACCEPT: amendments the chair takes into his bill, or the one word NONE, CARRIED or ALL."""

    words: tuple[str, ...]
    slot: str = "ACCEPT"

    def __str__(self) -> str:
        return f"ACCEPT {', '.join(self.words)}"


@dataclass(frozen=True, slots=True)
class Position:
    """TOKEN: a public position FOR or AGAINST a card, without force."""

    card: str
    side: str

    @property
    def slot(self) -> str:
        """One position on each card."""
        return f"TOKEN {self.card}"

    def __str__(self) -> str:
        return f"TOKEN {self.card} {self.side}"


@dataclass(frozen=True, slots=True)
class Spend:
    """SPEND: ``tokens`` for points, on oneself (``target`` ME) or against another."""

    tokens: int
    against: bool
    target: str

    @property
    def slot(self) -> str:
        """One sum for each target."""
        return f"SPEND {self.target}"

    def __str__(self) -> str:
        return f"SPEND {self.tokens} {'AGAINST' if self.against else 'ON'} {self.target}"


@dataclass(frozen=True, slots=True)
class Void:
    """VOID: one issue of another player."""

    target: str
    issue: str

    @property
    def slot(self) -> str:
        """One for each player and issue."""
        return f"VOID {self.target} {self.issue}"

    def __str__(self) -> str:
        return self.slot


@dataclass(frozen=True, slots=True)
class Give:
    """GIVE: tokens to another player."""

    tokens: int
    target: str

    @property
    def slot(self) -> str:
        """One gift to each player."""
        return f"GIVE {self.target}"

    def __str__(self) -> str:
        return f"GIVE {self.tokens} TO {self.target}"


@dataclass(frozen=True, slots=True)
class Return:
    """RETURN: the red card given back after a re-election."""

    card: str
    slot: str = "RETURN"

    def __str__(self) -> str:
        return f"RETURN {self.card}"


def _int(token: Token) -> int:
    thousands = token[-1] in "kK"
    return int(token.rstrip("kK").replace(",", "")) * (1000 if thousands else 1)


@v_args(inline=True)
class ToOrders(Transformer[Token, Order]):
    """From parse tree to order."""

    def order(self, order: Order) -> Order:
        """The start rule."""
        return order

    def plus(self) -> str:
        """A plus sign or the word."""
        return "+"

    def minus(self) -> str:
        """A minus sign or the word."""
        return "-"

    def card(self, issue: Token, sign: str) -> str:
        """A signed card."""
        return issue.upper() + sign

    def none(self) -> None:
        """The word NONE in place of cards."""
        return

    def cards(self, *cards: str | None) -> tuple[str, ...] | None:
        """The different cards in the order given; None for the word NONE."""
        return None if cards == (None,) else tuple(dict.fromkeys(card for card in cards if card))

    def bill(self, cards: tuple[str, ...] | None) -> Order:
        """BILL."""
        return FileBill(cards)

    def nextbill(self, cards: tuple[str, ...] | None) -> Order:
        """NEXTBILL."""
        return NextBill(cards)

    def on_one(self, name: Token | None = None) -> str:
        """A bill, or "" where none is named."""
        return name.upper() if name else ""

    def on_some(self, *names: Token) -> tuple[str, ...]:
        """Bills or amendments, perhaps none named."""
        return tuple(dict.fromkeys(name.upper() for name in names))

    def add(self) -> str:
        """ADD."""
        return ADD

    def remove(self) -> str:
        """REMOVE."""
        return REMOVE

    def amend(self, action: str, card: str, bill: str) -> Order:
        """AMEND."""
        return Amend(action, card, bill)

    def aye(self) -> str:
        """AYE."""
        return AYE

    def nay(self) -> str:
        """NAY."""
        return NAY

    def present(self) -> str:
        """PRESENT."""
        return PRESENT

    def vote(self, choice: str, on: tuple[str, ...]) -> Order:
        """VOTE."""
        return Vote(choice, on)

    def nothing(self) -> str:
        """NONE, where it ends or accepts nothing."""
        return NONE

    def carried(self) -> str:
        """CARRIED: what was carried."""
        return CARRIED

    def all(self) -> str:
        """ALL amendments."""
        return ALL

    def standing(self, choice: str) -> Order:
        """STANDING VOTE."""
        return StandingVote(choice)

    def accept(self, *words: str) -> Order:
        """ACCEPT."""
        return Accept(tuple(dict.fromkeys(word.upper() for word in words)))

    def for_(self) -> str:
        """FOR a card."""
        return FOR

    def opposed(self) -> str:
        """AGAINST a card."""
        return AGAINST

    def token(self, card: str, side: str) -> Order:
        """TOKEN."""
        return Position(card, side)

    def on(self) -> bool:
        """ON: for oneself."""
        return False

    def against(self) -> bool:
        """AGAINST."""
        return True

    def spend(self, tokens: Token, against: bool, target: Token) -> Order:
        """SPEND."""
        return Spend(_int(tokens), against, target.upper())

    def void(self, target: Token, issue: Token) -> Order:
        """VOID."""
        return Void(target.upper(), issue.upper())

    def give(self, tokens: Token, target: Token) -> Order:
        """GIVE."""
        return Give(_int(tokens), target.upper())

    def blank(self, word: Token) -> str:
        """A card without a sign: CROWN."""
        return word.upper()

    def return_(self, card: str) -> Order:
        """RETURN."""
        return Return(card)

    def pass_(self) -> Order:
        """PASS."""
        return Pass()

    def resign(self) -> Order:
        """RESIGN."""
        return Resign()


@dataclass(frozen=True)
class Orders(Language):
    """The order language of Legislation, which knows that a bill needs two cards."""

    def complete(self, text: str) -> bool:
        """A bill of fewer than two cards, unless it is NONE, goes on in the next line, comma or not."""
        if first_word(text) in ("BILL", "NEXTBILL") and len(_SIGN.findall(text)) < 2:
            return text.rsplit(maxsplit=1)[-1].upper() == NONE
        return Language.complete(self, text)


def language(book: Rulebook) -> Orders:
    """The order language."""
    labels = {
        "THOUSANDS": "a number", "ACCEPT.WORD": "an amendment", "VOTE.WORD": "a bill, an amendment",
        "AMEND.WORD": "a card", "AMEND ON.WORD": "a bill", "VOID VOID.WORD": "a player", "VOID.WORD": "an issue",
        **{f"{word}.WORD": "a card" for word in ("BILL", "NEXTBILL", "TOKEN", "RETURN")},
        **{f"{word}.WORD": "a player" for word in ("SPEND", "GIVE")},
    }  # fmt: skip
    return Orders(book.grammar, book.terminals, ToOrders, labels, names=book.tables["issues"])
