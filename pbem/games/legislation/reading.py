"""Turn parse trees into orders; find where a bill ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain

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
_NUMBER = re.compile(r"([AB]?)([0-9]+)")
_WIDEST = 100
_SIGN = re.compile(r"[+-]|\b(?:PLUS|MINUS)\b", re.IGNORECASE)


@v_args(inline=True)
class ToOrders(Reading):
    """A method for each grammar rule."""

    def order(self, order: Order | tuple[Order, ...]) -> Order | tuple[Order, ...]:
        return order

    def plus(self) -> str:
        return "+"

    def minus(self) -> str:
        return "-"

    def card(self, issue: Token, sign: str) -> str:
        return issue.upper() + sign

    def none(self) -> None:
        return

    def cards(self, *cards: str | None) -> tuple[str, ...] | None:
        """Read cards, each once; None for NONE."""
        return None if cards == (None,) else tuple(dict.fromkeys(card for card in cards if card))

    def bill(self, cards: tuple[str, ...] | None) -> Order:
        return FileBill(cards)

    def nextbill(self, cards: tuple[str, ...] | None) -> Order:
        return NextBill(cards)

    def NUMBERED(self, token: Token) -> str:
        """Read a number: "bill 2" is B2, "2" depends on the period."""
        kind = {"B": "B", "A": "A", "M": "A"}.get(token[0].upper(), "")
        return kind + str(int("".join(filter(is_number, token))))

    def on_one(self, name: str | int | None = None) -> str:
        return "" if name is None else str(name).upper()

    def range(self, first: str | int, last: str | int) -> tuple[str, ...]:
        """Read B1-B4; if wrong, its ends."""
        begins, ends = (_NUMBER.fullmatch(str(one).upper()) for one in (first, last))
        assert begins and ends
        kind, low, high = begins[1], int(begins[2]), int(ends[2])
        if ends[1] not in ("", kind) or not 0 <= high - low < _WIDEST:
            return f"{first}".upper(), f"{last}".upper()
        return tuple(f"{kind}{number}" for number in range(low, high + 1))

    def on_some(self, *names: str | int | tuple[str, ...]) -> tuple[str, ...]:
        """Return each name once."""
        spread = (one if isinstance(one, tuple) else (str(one).upper(),) for one in names)
        return tuple(dict.fromkeys(chain.from_iterable(spread)))

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
        return Vote(choice)

    def ballot(self, choice: str, on: tuple[str, ...]) -> Vote:
        return Vote(choice, on)

    def every(self) -> str:
        return ALL

    def entry(self, *words: str | int) -> Vote:
        return Vote(str(words[-1]), self.on_some(*words[:-1]))

    def votes(self, *votes: Vote) -> tuple[Order, ...]:
        return votes

    def nothing(self) -> str:
        return NONE

    def carried(self) -> str:
        return CARRIED

    def all(self) -> str:
        return ALL

    def figure(self, *words: Token | str) -> str:
        return " ".join(word.upper() for word in words)

    def whatif(self, *cases: Case) -> Order:
        return votes_if(cases)

    def whatif_none(self) -> Order:
        return votes_if(())

    def standing(self, choice: str) -> Order:
        return StandingVote(choice)

    def accept(self, *words: str | int | tuple[str, ...]) -> Order:
        return Accept(self.on_some(*words))

    def for_(self) -> str:
        return FOR

    def opposed(self) -> str:
        return AGAINST

    def token(self, card: str, side: str) -> Order:
        return Position(card, side)

    def token_first(self, side: str, card: str) -> Order:
        return Position(card, side)

    def on(self) -> bool:
        return False

    def against(self) -> bool:
        return True

    def spend(self, tokens: int, against: bool, target: Token) -> Order:
        name = target.upper()
        return Spend(tokens, against, ME if name in ("MYSELF", "SELF") else name)

    def spend_last(self, against: bool, target: Token, tokens: int) -> Order:
        return self.spend(tokens, against, target)

    def void(self, target: Token, issue: Token) -> Order:
        return Void(target.upper(), issue.upper())

    def give(self, tokens: int, target: Token) -> Order:
        return Give(tokens, target.upper())

    def give_first(self, target: Token, tokens: int) -> Order:
        return self.give(tokens, target)

    def blank(self, word: Token) -> str:
        return word.upper()

    def return_(self, card: str) -> Order:
        return Return(card)

    def pass_(self) -> Order:
        return Pass()

    def resign(self) -> Order:
        return Resign()


@dataclass(frozen=True, eq=False)
class Orders(Language):
    """The order language; it knows how long a bill must be."""

    bill_cards: int = 2

    def complete(self, text: str) -> bool:
        """Return whether a bill has its cards; else it goes on in the next line, with or without a
        comma."""
        if first_word(text) in ("BILL", "NEXTBILL") and len(_SIGN.findall(text)) < self.bill_cards:
            return text.rsplit(maxsplit=1)[-1].upper() == NONE
        return Language.complete(self, text)

    def suggestion(self, text: str, at: int = 0) -> str:
        """Suggest VOTE for "AYE ON B2", "B2 yes"."""
        whole = f"VOTE {text.strip()}"
        if _BARE_VOTE.match(text) and self.reads(whole):
            return "; ".join(str(order) for order in self.parse(whole))
        return Language.suggestion(self, text, at)


def language(book: Rulebook) -> Orders:
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
        bill_cards=int(book.tables.get("bill_cards", 2)),
        ifs=Ifs(("VOTE",), "3.13", "for a vote to come, as in: VOTE AYE IF STAR+", "3.14"),
    )
