"""From parse trees to orders, and where a bill on several lines ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lark import Token, v_args

from pbem.games.frame.conditions import Case, Reading
from pbem.games.frame.ruleset import Rulebook
from pbem.games.legislation.orders import (
    ADD,
    AGAINST,
    ALL,
    AYE,
    CARRIED,
    FOR,
    ME,
    NAY,
    NONE,
    PRESENT,
    REMOVE,
    Accept,
    Amend,
    FileBill,
    Give,
    NextBill,
    Position,
    Return,
    Spend,
    StandingVote,
    Void,
    Vote,
    votes_if,
)
from pbem.orders.characters import first_word
from pbem.orders.ifs import Ifs
from pbem.orders.language import Language
from pbem.orders.order import Order, Pass, Resign
from pbem.orders.spelling import is_number

_BARE_VOTE = re.compile(
    r"\s*(?:(?:AYE|YES|Y|NAY|NO|N|PRESENT)\s+(?:ON\s+)?[AB]?[0-9]|[AB][0-9])", re.IGNORECASE
)
"""How a vote begins whose word VOTE is missing."""
_SIGN = re.compile(r"[+-]|\b(?:PLUS|MINUS)\b", re.IGNORECASE)


@v_args(inline=True)
class ToOrders(Reading):
    """One method for each rule of the grammar, which gives it its name."""

    def order(self, order: Order | tuple[Order, ...]) -> Order | tuple[Order, ...]:
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
        return FileBill(cards)

    def nextbill(self, cards: tuple[str, ...] | None) -> Order:
        return NextBill(cards)

    def NUMBERED(self, token: Token) -> str:
        """A bill or amendment by its number: "bill 2" is B2; "2" is what the period makes of it."""
        kind = {"B": "B", "A": "A", "M": "A"}.get(token[0].upper(), "")
        return kind + str(int("".join(filter(is_number, token))))

    def on_one(self, name: str | int = "") -> str:
        """A bill, or "" where none is named."""
        return str(name).upper()

    def on_some(self, *names: str | int) -> tuple[str, ...]:
        """Bills or amendments, perhaps none named."""
        return tuple(dict.fromkeys(str(name).upper() for name in names))

    def add(self) -> str:
        return ADD

    def remove(self) -> str:
        return REMOVE

    def amend(self, action: str, card: str, bill: str) -> Order:
        return Amend(action, card, bill)

    def aye(self) -> str:
        return AYE

    def nay(self) -> str:
        return NAY

    def present(self) -> str:
        return PRESENT

    def vote_alone(self, choice: str) -> Order:
        """A vote on the only bill or amendment there is."""
        return Vote(choice)

    def ballot(self, choice: str, on: tuple[str, ...]) -> Vote:
        """AYE ON B1 B2."""
        return Vote(choice, on)

    def every(self) -> str:
        """ALL in front of a choice."""
        return ALL

    def entry(self, *words: str | int) -> Vote:
        """B1 B2 AYE."""
        return Vote(str(words[-1]), self.on_some(*words[:-1]))

    def votes(self, *votes: Vote) -> tuple[Order, ...]:
        """All that one order says."""
        return votes

    def nothing(self) -> str:
        """NONE, where it ends or accepts nothing."""
        return NONE

    def carried(self) -> str:
        """CARRIED: what was carried."""
        return CARRIED

    def all(self) -> str:
        """ALL amendments."""
        return ALL

    def figure(self, *words: Token | str) -> str:
        """A figure's name; a card has its sign."""
        return " ".join(word.upper() for word in words)

    def whatif(self, *cases: Case) -> Order:
        """Votes on what may come."""
        return votes_if(cases)

    def whatif_none(self) -> Order:
        """The end of them."""
        return votes_if(())

    def standing(self, choice: str) -> Order:
        return StandingVote(choice)

    def accept(self, *words: str | int) -> Order:
        return Accept(tuple(dict.fromkeys(str(word).upper() for word in words)))

    def for_(self) -> str:
        """FOR a card."""
        return FOR

    def opposed(self) -> str:
        """AGAINST a card."""
        return AGAINST

    def token(self, card: str, side: str) -> Order:
        return Position(card, side)

    def token_first(self, side: str, card: str) -> Order:
        """The side in front of the card."""
        return Position(card, side)

    def on(self) -> bool:
        """ON: for oneself."""
        return False

    def against(self) -> bool:
        return True

    def spend(self, tokens: int, against: bool, target: Token) -> Order:
        name = target.upper()
        return Spend(tokens, against, ME if name in ("MYSELF", "SELF") else name)

    def spend_last(self, against: bool, target: Token, tokens: int) -> Order:
        """The tokens behind the player."""
        return self.spend(tokens, against, target)

    def void(self, target: Token, issue: Token) -> Order:
        return Void(target.upper(), issue.upper())

    def give(self, tokens: int, target: Token) -> Order:
        return Give(tokens, target.upper())

    def give_first(self, target: Token, tokens: int) -> Order:
        """The player in front of the tokens."""
        return self.give(tokens, target)

    def blank(self, word: Token) -> str:
        """A card without a sign: CROWN."""
        return word.upper()

    def return_(self, card: str) -> Order:
        return Return(card)

    def pass_(self) -> Order:
        return Pass()

    def resign(self) -> Order:
        return Resign()


@dataclass(frozen=True, eq=False)
class Orders(Language):
    """The order language of Legislation, which knows that a bill needs two cards."""

    def complete(self, text: str) -> bool:
        """A bill of fewer than two cards, unless it is NONE, goes on in the next line, comma or
        not."""
        if first_word(text) in ("BILL", "NEXTBILL") and len(_SIGN.findall(text)) < 2:
            return text.rsplit(maxsplit=1)[-1].upper() == NONE
        return Language.complete(self, text)

    def suggestion(self, text: str, at: int = 0) -> str:
        """A vote that lacks its first word ("AYE ON B2", "B2 yes") was meant as one."""
        whole = f"VOTE {text.strip()}"
        if _BARE_VOTE.match(text) and self.reads(whole):
            return "; ".join(str(order) for order in self.parse(whole))
        return Language.suggestion(self, text, at)


def language(book: Rulebook) -> Orders:
    """The order language."""
    labels = {
        "THOUSANDS": "a number",
        **dict.fromkeys(("YES", "Y"), AYE),
        **dict.fromkeys(("NO", "N"), NAY),
        **{f"{word}.FOR": AYE for word in ("VOTE", "STANDING")},
        **{f"{word}.AGAINST": NAY for word in ("VOTE", "STANDING")},
        **dict.fromkeys(("CODE", "NUMBERED"), "a bill, an amendment"),
        "ACCEPT.WORD": "an amendment",
        "VOTE.WORD": "a bill, an amendment",
        "AMEND.WORD": "a card",
        "AMEND ON.WORD": "a bill",
        **{f"VOTE.{one}": "a bill, an amendment" for one in ("CODE", "NUMBERED", "INT")},
        **{f"AMEND.{one}": "a bill" for one in ("CODE", "NUMBERED", "INT")},
        **{f"ACCEPT.{one}": "an amendment" for one in ("CODE", "NUMBERED", "INT")},
        "VOID VOID.WORD": "a player",
        "VOID.WORD": "an issue",
        **{f"{word}.WORD": "a card" for word in ("BILL", "NEXTBILL", "TOKEN", "RETURN")},
        **{f"{word}.WORD": "a player" for word in ("SPEND", "GIVE")},
    }
    return Orders(
        book.grammar,
        book.terminals,
        ToOrders,
        labels,
        names=book.tables["issues"],
        numbers=("INT", "THOUSANDS"),
        ifs=Ifs(("VOTE",), "3.13", "for a vote to come, as in: VOTE AYE IF STAR+", "3.14"),
    )
