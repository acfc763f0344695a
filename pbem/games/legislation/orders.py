"""The orders (§3): how each is written, what it fills, and whether it may be given.

A card is ``STAR+`` or ``STAR-``; the blank one ``CROWN``. The first refusal counts: out, period,
role, option, then the order's own. Checks ask public facts and the seat's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from itertools import chain
from typing import Annotated, Any, ClassVar, TypeAlias

from lark import Token

from pbem.games.frame.conditions import ConditionalReader, WhatIf
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Rulebook
from pbem.games.legislation import cards
from pbem.games.legislation import state as s
from pbem.games.legislation.state import State
from pbem.orders import declared
from pbem.orders.characters import first_word
from pbem.orders.declared import Declared
from pbem.orders.language import Ifs, Language, ambiguous
from pbem.orders.order import Checked, Order, Problem, Standing, Wording
from pbem.orders.spelling import is_number

AYE, NAY, PRESENT, NONE, ALL = "AYE", "NAY", "PRESENT", "NONE", "ALL"
CHOICES = (AYE, NAY, PRESENT)
ADD, REMOVE, FOR, AGAINST = "ADD", "REMOVE", "FOR", "AGAINST"
ME, CARRIED = "ME", "CARRIED"
_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
_PHASES = {
    s.BILL: ("bills", "BILL"),
    s.AMEND: ("amendments", "AMEND and TOKEN"),
    s.AMENDVOTE: (
        "votes on amendments",
        "VOTE, TOKEN and (the chair, where amendments do not bind) ACCEPT",
    ),
    s.VOTE: ("votes on bills", "VOTE and TOKEN"),
    s.CAMPAIGN: ("campaigning", "SPEND and VOID"),
}
Case: TypeAlias = declared.Case[State, Mapping[str, Any]]


def _not_now(state: State, word: str) -> Problem:
    called, taken = _PHASES[state.phase]
    always = f"NEXTBILL, STANDING VOTE{', GIVE' if state.transfers else ''} and PASS"
    now = f"this is a period of {called}: it takes {taken}, and at any time {always}"
    message = f"{word} is not possible in the {state.phase} period."
    return Problem("E_PHASE", message, "3.1", (now,))


def card(case: Case, named: str) -> None:
    """Refuse a card that is not in play."""
    issue, issues = cards.issue(named), case.state.issues
    if issue in issues or (named == cards.CROWN and not case.state.on("CROWN", "OFF")):
        return
    notes = [f"issues in play: {', '.join(issues)}"]
    notes += [f"did you mean {one}?" for one in get_close_matches(issue, issues, n=1)]
    case.refuse("E_ISSUE", f'"{issue}" is not an issue in this game.', "1.2", *notes)


Card: TypeAlias = Annotated[str, card]


def _among(
    case: Case, named: str, among: Sequence[str], what: str, code: str, rule: str = "3.11"
) -> None:
    notes = [f"there is: {', '.join(among)}"] if among else []
    case.refuse_if(named not in among, code, f"There is no {what}.", rule, *notes)


def _the_bill(case: Case, order: Amend | Vote, named: str, among: Sequence[str]) -> str:
    """Return the bill named, or the only one."""
    if not named and len(among) > 1:
        doubt = ambiguous(str(order), [f"ON {one}" for one in among])
        case.stop(replace(doubt, rule="3.11"))
    named = _code(named, "B") if named or not among else among[0]
    word = type(order).__name__.upper()
    _among(case, named, among, f"bill {named} open to {word}", "E_NOBILL")
    return named


def _code(named: str, kind: str) -> str:
    return f"{kind}{named}" if is_number(named) else named


def _in_a_bill(case: Case, named: str, among: Iterable[str], rule: str = "3.5") -> None:
    note = f"there is: {', '.join(dict.fromkeys(among))}"
    case.refuse_if(named not in among, "E_NOTINBILL", f"{named} is not in the bill.", rule, note)


def _lawful(case: Case, order: FileBill | NextBill) -> None:
    """Refuse cards not in play or already law, too few, and both of an issue."""
    state, named = case.state, order.cards
    if named is None:
        return
    for one in named:
        card(case, one)
    if law := [one for one in named if one in state.law]:
        message = f"{law[0]} is not available: it is already in the law."
        case.refuse("E_POOL", message, "R7", f"in the pool: {', '.join(state.pool)}")
    if len(named) < state.bill_cards:
        least = _WORDS.get(state.bill_cards, str(state.bill_cards))
        message = f"A bill needs at least {least} blue card{'s' * (state.bill_cards > 1)}."
        note = f"as in: {order.slot} {' '.join(_example(state, named))}"
        case.refuse("E_SHORT", message, "3.5", note)
    if both := [cards.issue(one) for one in named if cards.opposite(one) in named]:
        message = f"A bill cannot contain both {both[0]}+ and {both[0]}-."
        case.refuse("E_BOTH", message, "3.5", "leave one of the two out")


def _example(state: State, named: Sequence[str]) -> list[str]:
    """Return a lawful bill that begins with these cards."""
    found = list(dict.fromkeys(named))
    for one in state.pool:
        if len(found) < state.bill_cards and cards.issue(one) not in map(cards.issue, found):
            found.append(one)
    return found


def _spelt(word: str, named: tuple[str, ...] | None) -> str:
    return f"{word} {NONE}" if named is None else " ".join((word, *named))


class FileBill(Declared):
    """The core of the chair's bill."""

    cards: tuple[str, ...] | None = None
    """None for NONE: the gavel passes."""
    slot: ClassVar[str] = "BILL"
    phases = (s.BILL,)

    def __str__(self) -> str:
        return _spelt("BILL", self.cards)

    def check(self, case: Case) -> None:
        turns = case.state.turns
        note = f"in the chair now: {', '.join(turns)}; NEXTBILL keeps a bill for your turn"
        message = "Only the chair may give BILL."
        case.refuse_if(case.seat not in turns, "E_ROLE", message, "3.5", note)
        _lawful(case, self)


class NextBill(Declared):
    """A bill for the next turn as chair; None ends it."""

    cards: tuple[str, ...] | None = None
    slot: ClassVar[str] = "NEXTBILL"

    def __str__(self) -> str:
        return _spelt("NEXTBILL", self.cards)

    def check(self, case: Case) -> None:
        _lawful(case, self)


class Amend(Declared):
    """A motion to ``ADD`` or ``REMOVE`` a card."""

    action: str
    card: str
    bill: str = ""
    slot = Wording("AMEND {bill}")
    phases = (s.AMEND,)

    def __str__(self) -> str:
        return f"AMEND {self.action} {self.card}" + (f" ON {self.bill}" if self.bill else "")

    def check(self, case: Case) -> Amend:
        state = case.state
        open_ones = [bill.id for bill in state.docket if s.amendable(state, bill)]
        bill = state.bill(_the_bill(case, self, self.bill, open_ones))
        assert bill is not None
        card(case, self.card)
        if self.action == ADD:
            where = "in the law" if self.card in state.law else "in the bill"
            message = f"{self.card} is not available: it is already {where}."
            taken = self.card in state.law or self.card in bill.cards
            note = f"{bill.id} reads: {' '.join(bill.cards)}"
            case.refuse_if(taken, "E_POOL", message, "3.5", note)
            return replace(self, bill=bill.id)
        _in_a_bill(case, self.card, bill.cards)
        if bill.crisis and self.card in bill.core:
            held = [cards.issue(one) for one in bill.cards]
            pool = state.pool
            spare = next((one for one in pool if cards.issue(one) not in held), pool[0])
            note = f"a card can be added, as in: AMEND ADD {spare} ON {bill.id}"
            case.refuse("E_CORE", "The core of a Crisis bill cannot be altered.", "R14", note)
        return replace(self, bill=bill.id)


class Vote(Declared):
    """A vote on bills or amendments."""

    choice: str
    on: tuple[str, ...] = ()
    """Empty for the only one; one after the check."""
    phases = (s.AMENDVOTE, s.VOTE)

    @property
    def slot(self) -> str:
        return " ".join(("VOTE", *self.on))

    def __str__(self) -> str:
        return f"VOTE {self.choice}" + (f" ON {' '.join(self.on)}" if self.on else "")

    def check(self, case: Case) -> Checked:
        state, on_bills = case.state, case.state.phase == s.VOTE
        among = [one.id for one in (state.docket if on_bills else s.moved(state))]
        chairs = {one.chair: one.id for one in state.docket} if on_bills else {}
        wanted = [chairs.get(one) or _code(one, "B" if on_bills else "A") for one in self.on]
        if ALL in self.on:
            message = "ALL bills are voted on alike: name no other beside them."
            case.refuse_if(len(self.on) > 1, "E_NOBILL", message, "3.4")
            wanted = among
        elif not self.on:
            wanted = [_the_bill(case, self, "", among)]
        for one in wanted:
            what = f"bill {one} open to VOTE" if on_bills else f"amendment {one}"
            _among(case, one, among, what, "E_NOBILL" if on_bills else "E_NOAMEND")
        return Checked(tuple(Vote(self.choice, (one,)) for one in wanted))


class StandingVote(Declared):
    """The vote on bills without an order; NONE ends it."""

    choice: str
    slot: ClassVar[str] = "STANDING"
    written = Wording("STANDING VOTE {choice}")


class Accept(Declared):
    """Amendments the chair accepts, or NONE, CARRIED, ALL."""

    words: tuple[str, ...]
    slot: ClassVar[str] = "ACCEPT"
    phases = (s.AMENDVOTE,)

    def __str__(self) -> str:
        return f"ACCEPT {', '.join(self.words)}"

    def check(self, case: Case) -> Accept:
        state, binding = case.state, case.state.on("BINDING")
        own = [one for one in state.docket if one.chair == case.seat and s.amendable(state, one)]
        note = "amendments that are carried go into their bills without it"
        notes = [note] if binding else []
        case.refuse_if(not own, "E_ROLE", "Only the chair may give ACCEPT.", "3.5", *notes)
        message = "ACCEPT is switched off in this game (BINDING=ON)."
        case.refuse_if(binding, "E_OPTION", message, "1.4", *notes)
        mine = [amendment.id for bill in own for amendment in bill.amendments]
        words = tuple(_code(word, "A") for word in self.words)
        for word in words:
            if word not in (NONE, CARRIED, ALL):
                _among(case, word, mine, f"amendment {word}", "E_NOAMEND", "R6")
        return replace(self, words=words)


class Position(Declared):
    """A public position on a card (TOKEN), without force."""

    card: Card
    side: str
    offered_only = True
    slot = Wording("TOKEN {card}")
    written = Wording("TOKEN {card} {side}")
    phases = (s.AMEND, s.AMENDVOTE, s.VOTE)

    def check(self, case: Case) -> None:
        laid = [one for bill in case.state.docket for one in bill.cards]
        _in_a_bill(case, self.card, laid, "3.7")


def player(case: Case, word: str) -> None:
    message = f'There is no player "{word}" in this game.'
    living = f"living: {', '.join(case.state.alive)}"
    case.refuse_if(word not in (ME, *case.state.alive), "E_PLAYER", message, "", living)


Player: TypeAlias = Annotated[str, player]


def _me(case: Case, word: str) -> str:
    return ME if word == case.seat else word


def cost(order: Order, tables: Mapping[str, Any]) -> int:
    if isinstance(order, Spend | Give):
        return order.tokens
    return int(tables["void_cost"]) if isinstance(order, Void) else 0


def _payable(case: Case, order: Spend | Void | Give) -> None:
    purse = case.state.tokens(case.seat)
    others = [one for one in case.standing.values() if one.slot != order.slot]
    need = sum(cost(one, case.tables) for one in (*others, order))
    stand = [str(one) for one in others if cost(one, case.tables)]
    notes = [f"on file besides: {' and '.join(stand)}"] if stand else []
    message = f"You have {purse} tokens; these orders need {need}."
    case.refuse_if(need > purse, "E_TOKENS", message, "4.9.3", *notes)


def _other(case: Case, target: str) -> None:
    message = "You cannot campaign against yourself."
    note = "name another player; points of your own are bought with SPEND and ON ME"
    case.refuse_if(target == ME, "E_SELF", message, "4.9.3", note)


class Spend(Declared):
    """Tokens for points, on ``target`` ME or against another."""

    tokens: int
    against: bool
    target: Player
    offered_only = True
    slot = Wording("SPEND {target}")
    phases = (s.CAMPAIGN,)

    def __str__(self) -> str:
        return f"SPEND {self.tokens} {'AGAINST' if self.against else 'ON'} {self.target}"

    def check(self, case: Case) -> Spend:
        n, target, point = self.tokens, _me(case, self.target), int(case.tables["point_cost"])
        note = f"{point} tokens are one point, {2 * point} are two"
        message = f"Points cost {point} tokens each."
        case.refuse_if(n <= 0 or n % point, "E_UNITS", message, "4.9.3", note)
        if self.against:
            _other(case, target)
        elif target != ME:
            note = f"is it SPEND {n} ON ME, GIVE {n} TO {target} or SPEND {n} AGAINST {target}?"
            case.refuse("E_SELF", "You can buy points only for yourself.", "4.9.3", note)
        order = replace(self, target=target)
        _payable(case, order)
        return order


class Void(Declared):
    """Voiding an issue of another."""

    target: str
    issue: str
    offered_only = True
    slot = written = Wording("VOID {target} {issue}")
    phases = (s.CAMPAIGN,)

    def check(self, case: Case) -> Void:
        """Refuse what is no other's issue; either may stand first."""
        target, issue = self.target, self.issue
        if target in case.state.issues and issue in case.state.alive:
            target, issue = issue, target
        player(case, target)
        card(case, f"{issue}+")
        order = Void(_me(case, target), issue)
        _other(case, order.target)
        _payable(case, order)
        return order


class Give(Declared):
    """A gift of tokens."""

    tokens: int
    target: str
    offered_only = True
    slot = Wording("GIVE {target}")
    written = Wording("GIVE {tokens} TO {target}")

    def check(self, case: Case) -> Give:
        state = case.state
        option = f"TRANSFERS={state.options['TRANSFERS']}"
        off = f"GIVE is switched off in this game ({option})."
        case.refuse_if(option == "TRANSFERS=OFF", "E_OPTION", off, "1.4")
        now = f"GIVE is not possible in the {state.phase} period ({option})."
        case.refuse_if(not state.transfers, "E_PHASE", now, "3.8")
        player(case, self.target)
        order = replace(self, target=_me(case, self.target))
        case.refuse_if(not self.tokens, "E_GIVE", "Give at least one token.", "3.8")
        own = "You cannot give tokens to yourself."
        case.refuse_if(order.target == ME, "E_SELF", own, "3.8")
        _payable(case, order)
        return order


class Return(Declared):
    """The red card given back on re-election."""

    card: str
    offered_only = True
    slot: ClassVar[str] = "RETURN"
    written = Wording("RETURN {card}")

    def check(self, case: Case) -> None:
        state, seat = case.state, case.seat
        if not state.first_period:
            case.stop(_not_now(state, "RETURN"))
        message = "Only a re-elected player may give RETURN."
        case.refuse_if(seat not in state.drawn, "E_ROLE", message, "3.5")
        signed = self.card[-1] in "+-" or self.card == cards.CROWN
        card(case, self.card if signed else f"{self.card}+")
        may = f"you may return: {', '.join(legal_returns(state, seat))}"
        message = f"You do not hold {self.card}."
        case.refuse_if(self.card not in state.hand[seat], "E_CARD", message, "3.9", may)
        if self.card in legal_returns(state, seat):
            return
        clash = sorted(ends_clash(state, seat), key=cards.sign, reverse=True)
        drawn = self.card == state.drawn[seat] and not state.on("RETURN_DRAWN")
        message = "You may not return the card just drawn."
        case.refuse_if(not clash or drawn, "E_RETURN", message, "R12", may)
        case.refuse("E_RETURN", f"You must return {' or '.join(clash)}.", "4.9.4")


def ends_clash(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards that clash with the drawn one: one of them must go; () if none. If opposites
    or a team card clash, only the drawn one helps."""
    drawn = state.drawn[seat]
    against = cards.opposite(drawn)
    if state.conflicting or against not in state.objectives(seat):
        return ()
    if state.objectives(seat).count(against) > 1 or against not in state.hand[seat]:
        return (drawn,)
    return (drawn, against) if state.on("RETURN_DRAWN") else (against,)


def legal_returns(state: State, seat: Seat) -> tuple[str, ...]:
    if clash := ends_clash(state, seat):
        return clash
    drawn, hand = state.drawn[seat], state.hand[seat]
    barred = not state.on("RETURN_DRAWN") and hand.count(drawn) == 1
    return tuple(dict.fromkeys(card for card in hand if not (barred and card == drawn)))


ORDERS = tuple(one for one in Declared.__subclasses__() if one.__module__ == __name__)


def check(
    state: State,
    seat: Seat,
    standing: Standing,
    order: Any,
    tables: Mapping[str, Any],
    by: Callable[..., Any] | None = None,
) -> Checked:
    """Say whether ``seat`` may file it beside what stands. by: checks what is no class here."""
    if seat not in state.alive:
        return Checked.refused("E_OUT", "You are no longer in the game.", "3.10")
    phases = getattr(order, "phases", ())
    if phases and state.phase not in phases:
        return Checked((), (_not_now(state, str(order).split()[0]),))
    return declared.checked(order, Case(state, seat, standing, tables), by)


_NUMBER = re.compile(r"([AB]?)([0-9]+)")
_WIDEST = 100
_SIGN = re.compile(r"[+-]|\b(?:PLUS|MINUS)\b", re.IGNORECASE)

_CONSTANTS: dict[str, Any] = {
    **{"plus": "+", "minus": "-", "none": None, "on": False, "against": True},
    **{"add": ADD, "remove": REMOVE, "for_": FOR, "opposed": AGAINST},
    **{"aye": AYE, "nay": NAY, "present": PRESENT},
    **{"nothing": NONE, "carried": CARRIED, "every": ALL},
}


class _ToOrders(ConditionalReader):
    """Orders and conditions."""

    def NUMBERED(self, token: Token) -> str:
        """Read a number: "bill 2" is B2, "2" depends on the period."""
        kind = {"B": "B", "A": "A", "M": "A"}.get(token[0].upper(), "")
        return kind + str(int("".join(filter(is_number, token))))


def _cards(*cards: str | None) -> tuple[str, ...] | None:
    """Read cards, each once; None for NONE."""
    return None if cards == (None,) else tuple(dict.fromkeys(card for card in cards if card))


def _range(first: str | int, last: str | int) -> tuple[str, ...]:
    """Read B1-B4; if wrong, its ends."""
    begins, ends = (_NUMBER.fullmatch(str(one).upper()) for one in (first, last))
    assert begins and ends
    kind, low, high = begins[1], int(begins[2]), int(ends[2])
    if ends[1] not in ("", kind) or not 0 <= high - low < _WIDEST:
        return f"{first}".upper(), f"{last}".upper()
    return tuple(f"{kind}{number}" for number in range(low, high + 1))


def _some(*names: str | int | tuple[str, ...]) -> tuple[str, ...]:
    """Return each name once."""
    spread = (one if isinstance(one, tuple) else (str(one).upper(),) for one in names)
    return tuple(dict.fromkeys(chain.from_iterable(spread)))


_MADE: dict[str, Callable[..., Any]] = {
    **{name: partial(lambda value: value, value) for name, value in _CONSTANTS.items()},
    "card": lambda issue, sign: issue.upper() + sign,
    "cards": _cards,
    "on_one": lambda name="": str(name).upper(),
    "range": _range,
    "some": _some,
    "votes": lambda *votes: votes,
    "whatif": lambda *cases: WhatIf(cases, "VOTE"),
    "target": lambda word: ME if word.upper() in ("MYSELF", "SELF") else word.upper(),
    "name": str.upper,
}


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
        partial(_ToOrders, ORDERS, **_MADE),
        labels,
        names=book.tables["issues"],
        numbers=("INT", "THOUSANDS"),
        bill_cards=int(book.tables.get("bill_cards", 2)),
        ifs=Ifs(("VOTE",), "3.13", "for a vote to come, as in: VOTE AYE IF STAR+", "3.14"),
    )
