"""From parse trees to typed orders."""

from __future__ import annotations

from lark import Token, Transformer, v_args

from pbem.games.parlement_1966.orders import (
    OFFICES,
    Accept,
    Amend,
    Appoint,
    Bloc,
    Call,
    Candidates,
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
)  # fmt: skip
from pbem.orders import Order, Pass, resolve

PARTIES = {"S": "Socialist", "R": "Radical", "L": "Liberal", "C": "Conservative", "M": "Monarchist"}
"""Party key -> its name, from left to right."""

PARTY_NAMES = {**{key: key for key in PARTIES}, **{f"{name}s": key for key, name in PARTIES.items()}}
OFFICE_NAMES = {**{office: office for office in OFFICES}, "defence": "defense"}
VOTES = {
    "yes": "yes", "y": "yes", "aye": "yes", "for": "yes", "no": "no", "n": "no", "nay": "no", "against": "no",
    "abstain": "abstain", "a": "abstain", "abstention": "abstain",
}  # fmt: skip
_WIDEST = 100
"""A range of more numbers than this is cut to its ends, which are refused as districts anyway."""


def party(word: str) -> str:
    """The party key a word means; the word in capitals where it means none."""
    key = word.upper()
    if key in PARTIES:
        return key
    found = resolve(word, PARTY_NAMES)
    return found if isinstance(found, str) else key


def office(word: str) -> str:
    """The office a word means; the word in capitals where it means none."""
    found = resolve(word, OFFICE_NAMES)
    return found if isinstance(found, str) else word.upper()


def vote(word: str) -> str:
    """yes, no or abstain; the word in capitals where it is none of them."""
    return VOTES.get(word.lower(), word.upper())


def _whole(digits: str) -> int:
    """A number, with commas for thousands or without."""
    return int(digits.replace(",", ""))


@v_args(inline=True)
class ToOrders(Transformer[Token, Order]):
    """One method for each rule of the grammar."""

    def order(self, order: Orders) -> Orders:
        """The start rule."""
        return order

    def range(self, first: Token, last: Token | None) -> tuple[int, ...]:
        """21 or 21-24."""
        if last is None:
            return (_whole(first),)
        low, high = sorted((_whole(first), _whole(last)))
        return tuple(range(low, high + 1)) if high - low < _WIDEST else (low, high)

    def ranges(self, *parts: tuple[int, ...]) -> tuple[int, ...]:
        """All numbers named, once each, in order."""
        if len(parts) == 1:
            return parts[0]
        return tuple(sorted({number for part in parts for number in part}))

    def offices(self, *words: Token) -> tuple[tuple[str, str], ...]:
        """The list: pairs of office and party, known offices first and in their order."""
        pairs = [(office(o), party(p)) for o, p in zip(words[::2], words[1::2], strict=True)]
        return tuple(sorted(pairs, key=lambda pair: OFFICES.index(pair[0]) if pair[0] in OFFICES else len(OFFICES)))

    def bill(self, number: Token) -> int:
        """The bill a proposed Government carries."""
        return _whole(number)

    def instead(self, support: Support) -> Support:
        """The membership this order would give up."""
        return support

    def government(self, offices: tuple[tuple[str, str], ...], bill: int | None, instead: Support | None) -> Order:
        """GOVERNMENT."""
        return Support("government", dict(offices).get("premier", ""), offices, bill, instead)

    def join(self, premier: Token, bill: int | None, instead: Support | None) -> Order:
        """JOIN."""
        return Support("join", party(premier), (), bill, instead)

    def endorse(
        self, premier: Token, offices: tuple[tuple[str, str], ...] | None, bill: int | None, instead: Support | None
    ) -> Order:
        """ENDORSE."""
        key, listed = party(premier), offices or ()
        if listed and "premier" not in dict(listed):
            listed = (("premier", key), *listed)
        return Support("endorse", key, listed, bill, instead)

    def endorse_list(self, offices: tuple[tuple[str, str], ...], bill: int | None, instead: Support | None) -> Order:
        """ENDORSE GOVERNMENT and the list."""
        return Support("endorse", dict(offices).get("premier", ""), offices, bill, instead)

    def withdraw(self, instead: Support | None) -> Order:
        """WITHDRAW."""
        return Support("withdraw", "", instead=instead)

    def resign(self, what: Token | None) -> Order:
        """RESIGN."""
        return Resign("" if what is None else "NEW" if what.upper() == "NEW" else office(what))

    def dismiss(self, who: Token, where: Token) -> Order:
        """DISMISS."""
        return Dismiss(party(who), office(where))

    def appoint(self, who: Token, where: Token) -> Order:
        """APPOINT."""
        return Appoint(party(who), office(where))

    def accept(self, where: Token) -> Order:
        """ACCEPT."""
        return Accept(office(where))

    def propose(self, bill: Token) -> Order:
        """PROPOSE BILL."""
        return Propose(_whole(bill))

    def sign(self, bill: Token) -> Order:
        """SIGN BILL."""
        return Sign(_whole(bill))

    def vote(self, word: Token, bills: tuple[int, ...]) -> Orders:
        """VOTE YES ON 4."""
        return tuple(Vote(bill, vote(word)) for bill in bills)

    def vote_bill_first(self, bills: tuple[int, ...], word: Token) -> Orders:
        """VOTE 4 YES."""
        return self.vote(word, bills)

    def standing(self, word: Token, bills: tuple[int, ...]) -> Orders:
        """STANDING VOTE YES ON 4."""
        return tuple(StandingVote(bill, vote(word)) for bill in bills)

    def standing_bill_first(self, bills: tuple[int, ...], word: Token) -> Orders:
        """STANDING VOTE 4 YES."""
        return self.standing(word, bills)

    def call(self) -> Order:
        """CALL ELECTION."""
        return Call()

    def candidates(self, districts: tuple[int, ...]) -> Order:
        """CANDIDATES."""
        return Candidates(districts)

    def no_candidates(self) -> Order:
        """CANDIDATES NONE."""
        return Candidates(())

    def bloc(self, districts: tuple[int, ...], to: Token) -> Orders:
        """BLOC."""
        return tuple(Bloc(district, party(to)) for district in districts)

    def prefer(self, *words: Token) -> Order:
        """PREFER."""
        named = tuple(dict.fromkeys(party(word) for word in words))
        return Prefer(() if named == ("NONE",) else named)

    def pay(self, crowns: Token, payee: Token) -> Order:
        """PAY ... TO a party."""
        return Cheque(_whole(crowns), party(payee))

    def pay_payee_first(self, payee: Token, crowns: Token) -> Order:
        """PAY L 1000."""
        return self.pay(crowns, payee)

    def pay_districts(self, crowns: Token, districts: tuple[int, ...], whose: Token | None) -> Orders:
        """PAY ... TO DISTRICT."""
        each, key = _whole(crowns), "" if whose is None else party(whose)
        return tuple(Local(each, district, key) for district in districts)

    def amend(self, text: Token) -> Order:
        """AMEND."""
        return Amend(" ".join(text[1:-1].split()))

    def sign_amendment(self, number: Token) -> Order:
        """SIGN AMENDMENT."""
        return SignAmendment(_whole(number))

    def vote_amendment(self, word: Token, number: Token) -> Order:
        """VOTE YES ON AMENDMENT 1."""
        return VoteAmendment(_whole(number), vote(word))

    def vote_amendment_first(self, number: Token, word: Token) -> Order:
        """VOTE AMENDMENT 1 YES."""
        return VoteAmendment(_whole(number), vote(word))

    def pass_(self) -> Order:
        """PASS, and CONTINUE, the answer to house rule 7."""
        return Pass()
