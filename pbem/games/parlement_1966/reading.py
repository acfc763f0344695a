"""Turn parse trees into orders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial

from lark import Token, Transformer, v_args

from pbem.games.frame.ruleset import Rulebook
from pbem.games.parlement_1966.names import (
    OFFICE_NAMES,
    PARTY_NAMES,
    bill_names,
    office,
    party,
    vote,
)
from pbem.games.parlement_1966.orders import (
    OFFICES,
    Accept,
    Amend,
    Appoint,
    Bloc,
    Call,
    Candidates,
    Cash,
    Cheque,
    Dismiss,
    Local,
    Orders,
    Prefer,
    Propose,
    Resign,
    Sign,
    SignAmendment,
    StandingVote,
    Support,
    Vote,
    VoteAmendment,
    WriteCheque,
)
from pbem.orders.ifs import Ifs
from pbem.orders.language import Language
from pbem.orders.order import Order, Pass

_BILL_NAME = re.compile(r"^BILL_NAME\b.*$", re.MULTILINE)
_WIDEST = 100
"""A wider range is cut to its ends; they are refused as districts."""


@v_args(inline=True)
class ToOrders(Transformer[Token, Order]):
    """A method for each grammar rule. ``bills``: numbers by name in small letters."""

    def __init__(self, bills: Mapping[str, int]) -> None:
        super().__init__()
        self._bills = bills

    def order(self, order: Orders) -> Orders:
        return order

    def range(self, first: int, last: int | None) -> tuple[int, ...]:
        """Read 21 or 21-24."""
        if last is None:
            return (first,)
        low, high = sorted((first, last))
        return tuple(range(low, high + 1)) if high - low < _WIDEST else (low, high)

    def ranges(self, *parts: tuple[int, ...]) -> tuple[int, ...]:
        """Return each number once, in order."""
        if len(parts) == 1:
            return parts[0]
        return tuple(sorted({number for part in parts for number in part}))

    def offices(self, *words: Token) -> tuple[tuple[str, str], ...]:
        """Read (office, party), known offices first and in order."""
        pairs = [(office(o), party(p)) for o, p in zip(words[::2], words[1::2], strict=True)]
        return tuple(
            sorted(
                pairs,
                key=lambda pair: OFFICES.index(pair[0]) if pair[0] in OFFICES else len(OFFICES),
            )
        )

    def named(self, name: Token) -> int:
        return self._bills[" ".join(name.casefold().split())]

    def bill(self, number: int) -> int:
        return number

    def instead(self, support: Support) -> Support:
        return support

    def government(
        self, offices: tuple[tuple[str, str], ...], bill: int | None, instead: Support | None
    ) -> Order:
        return Support("government", dict(offices).get("premier", ""), offices, bill, instead)

    def join(self, premier: Token, bill: int | None, instead: Support | None) -> Order:
        return Support("join", party(premier), (), bill, instead)

    def endorse(
        self,
        premier: Token,
        offices: tuple[tuple[str, str], ...] | None,
        bill: int | None,
        instead: Support | None,
    ) -> Order:
        key, listed = party(premier), offices or ()
        if listed and "premier" not in dict(listed):
            listed = (("premier", key), *listed)
        return Support("endorse", key, listed, bill, instead)

    def endorse_list(
        self, offices: tuple[tuple[str, str], ...], bill: int | None, instead: Support | None
    ) -> Order:
        return Support("endorse", dict(offices).get("premier", ""), offices, bill, instead)

    def withdraw(self, instead: Support | None) -> Order:
        return Support("withdraw", "", instead=instead)

    def resign(self, what: Token | None) -> Order:
        return Resign("" if what is None else "NEW" if what.upper() == "NEW" else office(what))

    def dismiss(self, who: Token, where: Token) -> Order:
        return Dismiss(party(who), office(where))

    def appoint(self, who: Token, where: Token) -> Order:
        return Appoint(party(who), office(where))

    def accept(self, where: Token) -> Order:
        return Accept(office(where))

    def propose(self, bill: int) -> Order:
        return Propose(bill)

    def sign(self, bills: tuple[int, ...] | int) -> Orders:
        return Sign(bills) if isinstance(bills, int) else tuple(map(Sign, bills))

    def vote(self, word: Token, bills: tuple[int, ...]) -> Orders:
        return tuple(Vote(bill, vote(word)) for bill in bills)

    def vote_bill_first(self, bills: tuple[int, ...], word: Token) -> Orders:
        return self.vote(word, bills)

    def standing(self, word: Token, bills: tuple[int, ...]) -> Orders:
        return tuple(StandingVote(bill, vote(word)) for bill in bills)

    def standing_bill_first(self, bills: tuple[int, ...], word: Token) -> Orders:
        return self.standing(word, bills)

    def vote_named(self, word: Token, bill: int) -> Order:
        return Vote(bill, vote(word))

    def vote_named_first(self, bill: int, word: Token) -> Order:
        return Vote(bill, vote(word))

    def standing_named(self, word: Token, bill: int) -> Order:
        return StandingVote(bill, vote(word))

    def standing_named_first(self, bill: int, word: Token) -> Order:
        return StandingVote(bill, vote(word))

    def call(self) -> Order:
        return Call()

    def candidates(self, districts: tuple[int, ...]) -> Order:
        return Candidates(districts)

    def no_candidates(self) -> Order:
        return Candidates(())

    def bloc(self, districts: tuple[int, ...], to: Token) -> Orders:
        return tuple(Bloc(district, party(to)) for district in districts)

    def prefer(self, *words: Token) -> Order:
        named = tuple(dict.fromkeys(party(word) for word in words))
        return Prefer(() if named == ("NONE",) else named)

    def pay(self, crowns: int, payee: Token) -> Order:
        return Cheque(crowns, party(payee))

    def pay_payee_first(self, payee: Token, crowns: int) -> Order:
        return self.pay(crowns, payee)

    def cheque(self, crowns: int, payee: Token) -> Order:
        return WriteCheque(crowns, party(payee))

    def cheque_payee_first(self, payee: Token, crowns: int) -> Order:
        return self.cheque(crowns, payee)

    def cash(self, number: int) -> Order:
        return Cash(number)

    def pay_districts(self, crowns: int, districts: tuple[int, ...], whose: Token | None) -> Orders:
        key = "" if whose is None else party(whose)
        return tuple(Local(crowns, district, key) for district in districts)

    def amend(self, text: Token) -> Order:
        return Amend(" ".join(text[1:-1].split()))

    def sign_amendment(self, number: int) -> Order:
        return SignAmendment(number)

    def vote_amendment(self, word: Token, number: int) -> Order:
        return VoteAmendment(number, vote(word))

    def vote_amendment_first(self, number: int, word: Token) -> Order:
        return VoteAmendment(number, vote(word))

    def pass_(self) -> Order:
        """Read PASS or CONTINUE (house rule 7)."""
        return Pass()


def _named(grammar: str, bills: Iterable[str]) -> str:
    ranked = sorted(bills, key=lambda name: (-len(name), name)) or ["no bill has a name"]
    names = "|".join(" +".join(map(re.escape, name.split())) for name in ranked)
    terminal = f"BILL_NAME.3: /({names.replace('/', '[/]')})(?![\\w-])/i"
    return _BILL_NAME.sub(lambda _: terminal, grammar)


_LASTING = "a standing vote can be left on file, as in: STANDING VOTE 4 YES"


def language(book: Rulebook) -> Language:
    """Return the order language; the tables name the bills."""
    bills = bill_names(
        {int(n): row["name"] for n, row in book.tables["bills"].items() if row.get("name")}
    )
    labels = {
        "THOUSANDS": "a number",
        "_TOTAL": "",
        "VOTE.WORD": "YES, NO, ABSTAIN",
        "STANDING.WORD": "YES, NO, ABSTAIN",
        "BILL_NAME": "the name of a bill",
        "ACCEPT.WORD": "an office",
        "RESIGN.WORD": "an office",
        **{f"{word}.WORD": "a party" for word in ("JOIN", "PAY", "CHEQUE", "BLOC", "PREFER")},
    }
    return Language(
        _named(book.grammar, bills),
        book.terminals,
        partial(ToOrders, bills),
        labels,
        names=(*PARTY_NAMES, *OFFICE_NAMES, *bills, "NEW"),
        numbers=("INT", "THOUSANDS"),
        ifs=Ifs((), "16", f"by house rule 5 nothing is conditional; {_LASTING}"),
    )
