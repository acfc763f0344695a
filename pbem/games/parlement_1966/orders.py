"""Orders: how they read, their slots, and whether they may be filed. Refuse what can never be
legal; warn of what others decide (ruling 4). Ask for no money (ruling 20)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar, TypeAlias

from pbem.games.frame.events import grouped
from pbem.games.frame.ruleset import Rulebook
from pbem.games.parlement_1966 import state
from pbem.games.parlement_1966.state import DISTRICTS, OFFICES, PARTIES, Ballot, State, Tables
from pbem.orders import declared
from pbem.orders.declared import Declared, Reader
from pbem.orders.language import Ifs, Language, resolve
from pbem.orders.order import Checked, Order, Pass, Problem, Standing, Wording
from pbem.text import listed, safe, spans

_TO_DISTRICT = re.compile(r"PAY ([0-9]+) TO DISTRICT ([0-9]+)")
MOST_CASHED = 10
"""By a party in a period; more would be guesses."""
_YOUR_OWN = "your local party in district 21 is paid so: PAY 500 TO DISTRICT 21"
_NOT_YET = "You are not the Premier: this counts only if you are when the period ends."
_SESSION = ("session",)
Case: TypeAlias = declared.Case[State, Tables]


# --- what a field may hold ------------------------------------------------------------------------


def _known(
    case: Case, word: str, names: Mapping[str, str], code: str, message: str, rule: str = ""
) -> None:
    if word and word not in names.values():
        found = resolve(word, names)
        if isinstance(found, Problem):
            case.refuse(found.code, found.message)
        case.refuse(code, message, rule)


def party(case: Case, word: str) -> None:
    _known(case, word, state.PARTY_NAMES, "E_PLAYER", f'There is no player "{word}" in this game.')


def office(case: Case, word: str) -> None:
    known = "the offices are PREMIER, FOREIGN, DEFENSE and FINANCE."
    _known(case, word, state.OFFICE_NAMES, "E_OFFICE", f'There is no office "{word}": {known}', "5")


def bill(case: Case, number: int | None) -> None:
    message = f"There is no bill #{number}: the bills are #1 to #7."
    case.refuse_if(number not in (None, *case.tables.bills), "E_BILL", message, "13")


def district(case: Case, number: int) -> None:
    message = f"There is no district {number}: they are numbered 1 to {DISTRICTS}."
    case.refuse_if(not 1 <= number <= DISTRICTS, "E_DISTRICT", message, "21")


def ballot(case: Case, word: str, rule: str = "16") -> None:
    message = f'"{word}" is not a vote: YES, NO or ABSTAIN.'
    case.refuse_if(word not in ("yes", "no", "abstain"), "E_VOTE", message, rule)


Party: TypeAlias = Annotated[str, party]
Office: TypeAlias = Annotated[str, office]
Bill: TypeAlias = Annotated[int, bill]
District: TypeAlias = Annotated[int, district]
Ballots: TypeAlias = Annotated[str, ballot]


# --- Governments and offices (6 to 8, 12) ---------------------------------------------------------


class Support(Declared):
    """Support of a Government (6 to 8). ``form``: government, join, endorse or withdraw.
    ``premier`` names the Government (ruling 2), ``bill`` what it carries. ``instead``: the
    membership given up, which a complete proposal keeps (7, ruling 3)."""

    form: str
    premier: str
    offices: tuple[tuple[str, str], ...] = ()
    bill: int | None = None
    instead: Support | None = None
    offered_only = True
    slot: ClassVar[str] = "GOVERNMENT"
    phases = _SESSION

    def __str__(self) -> str:
        words = [self.form.upper(), *([self.premier] if self.form in ("join", "endorse") else [])]
        if self.offices:
            words.append(", ".join(f"{office.upper()} {holder}" for office, holder in self.offices))
        if self.bill is not None:
            words.append(f"WITH BILL {self.bill}")
        if self.instead:
            words.append(f"INSTEAD OF {self.instead}")
        return " ".join(words)

    def holders(self) -> frozenset[str]:
        return frozenset(holder for _, holder in self.offices)

    def joins(self, seat: str) -> bool:
        """Return whether its sender ``seat`` becomes a member."""
        return self.form == "join" or (bool(self.offices) and seat in self.holders())

    def chain(self) -> tuple[Support, ...]:
        return (*self.instead.chain(), replace(self.instead, instead=None)) if self.instead else ()

    def check(self, case: Case) -> Support:
        """Keep the membership it gives up (ruling 3)."""
        named, asks = tuple(one for one, _ in self.offices), self.form in ("join", "endorse")
        for word in (self.premier if asks else "", *(holder for _, holder in self.offices)):
            party(case, word)
        for word in named:
            office(case, word)
        lacking = ", ".join(one.upper() for one in OFFICES if one not in named)
        message = f"No office may be left vacant: {lacking} is missing."
        whole = "the whole list: GOVERNMENT PREMIER ..., FOREIGN ..., DEFENSE ..., FINANCE ..."
        case.refuse_if(named and lacking, "E_LIST", message, "6", whole)
        twice = "The list names an office twice."
        case.refuse_if(named not in ((), OFFICES), "E_LIST", twice, "6")
        own = (
            f"You cannot {self.form} your own Government: send its list, GOVERNMENT PREMIER"
            f" {case.seat}, ..."
        )
        case.refuse_if(asks and self.premier == case.seat, "E_OWN", own, "R2")
        other = dict(self.offices).get("premier", self.premier) != self.premier
        message = f"The list names another Premier than {self.premier}."
        case.refuse_if(asks and other, "E_LIST", message, "6")
        bill(case, self.bill)
        passed = f"Bill #{self.bill} has passed in this session: the proposal will carry no bill."
        case.warn_if(case.state.has_passed(self.bill), passed, "17")
        last = "This is the session's last period: the proposal will carry no bill."
        case.warn_if(self.bill is not None and case.state.last, last, "19")
        return self._remembering(case.seat, case.standing.get(self.slot))

    def _remembering(self, seat: str, before: Order | None) -> Support:
        if not isinstance(before, Support) or self.instead:
            return self
        given_up = [
            *before.chain(),
            *([replace(before, instead=None)] if before.joins(seat) else []),
        ]
        chain: Support | None = None
        for earlier in given_up:
            if not (self.joins(seat) and self.premier == earlier.premier):
                chain = replace(earlier, instead=chain)
        return replace(self, instead=chain)


class Resign(Declared):
    """``what``: "" (all offices), an office, or NEW (a Government just installed)."""

    what: str = ""
    offered_only = True
    slot = written = Wording("RESIGN {what!u}")
    phases = _SESSION

    def check(self, case: Case) -> None:
        """12, ruling 3."""
        if self.what != "NEW":
            office(case, self.what)
            government = case.state.governing()
            held = government.held_by(case.seat) if government else ()
            what = f"the office {self.what.upper()}" if self.what else "any office"
            message = f"You do not hold {what}; RESIGN NEW leaves a Government just formed."
            case.refuse_if(not held or self.what not in ("", *held), "E_OFFICE", message, "R3")


def _no_premier(case: Case, office: str) -> None:
    message = "The Premier is neither appointed nor dismissed: a proposed Government names one."
    case.refuse_if(office == "premier", "E_OFFICE", message, "12")


class Dismiss(Declared):
    """The Premier takes an office (12, R5)."""

    party: Party
    office: Office
    offered_only = True
    slot = Wording("DISMISS {office!u}")
    written = Wording("DISMISS {party} FROM {office!u}")
    phases = _SESSION

    def check(self, case: Case) -> None:
        government = case.state.governing()
        if government is None or case.seat != government.premier:
            now = f"the Premier is {government.premier}" if government else "there is no Government"
            case.refuse("E_ROLE", "Only the Premier may give DISMISS.", "12", now)
        _no_premier(case, self.office)
        holder = government.offices[self.office]
        message = f"{self.party} is not the {self.office} minister; {holder} is."
        case.refuse_if(holder != self.party, "E_OFFICE", message, "12")


class Appoint(Declared):
    """The Premier names a minister (12, R5)."""

    party: Party
    office: Office
    offered_only = True
    slot = Wording("APPOINT {office!u}")
    written = Wording("APPOINT {party} {office!u}")
    phases = _SESSION

    def check(self, case: Case) -> None:
        _no_premier(case, self.office)
        case.warn_if(not case.state.led_by(case.seat), _NOT_YET, "R4")


class Accept(Declared):
    """The minister accepts (12, R5)."""

    office: Office
    offered_only = True
    slot = written = Wording("ACCEPT {office!u}")
    phases = _SESSION

    def check(self, case: Case) -> None:
        _no_premier(case, self.office)


# --- bills (13 to 17) -----------------------------------------------------------------------------


def _put_forward(case: Case, order: Propose | Sign) -> None:
    """Paragraphs 13 to 15, 17, 19."""
    state = case.state
    last = "No bill can be proposed in the last period of a session."
    then = "it can be proposed when the next session has opened"
    case.refuse_if(state.last, "E_LAST", last, "19", then)
    others = listed((f"#{n}" for n in case.tables.bills if not state.has_passed(n)), "or")
    passed = f"Bill #{order.bill} has passed in this session already."
    note = f"name another: {others}" if others else "none is left in this session"
    case.refuse_if(state.has_passed(order.bill), "E_PASSED", passed, "17", note)
    government = state.governing()
    if isinstance(order, Propose):
        nobody = "There is no Government: this counts only if you become Premier in this period."
        case.warn_if(government is None, nobody, "R8")
        leads, counts = state.led_by(case.seat), "turn: this counts only if"
        yours = f"It is the opposition's {counts} the Government changes."
        case.warn_if(state.turn == "opposition" and leads, yours, "13")
        theirs = f"It is the Government's {counts} you become Premier."
        case.warn_if(state.turn == "government" and not leads, theirs, "13")
    inside = government is not None and case.seat in government.parties
    signed = {one.bill for one in case.of(Propose, Sign, besides=order.slot)}
    message = "An opposition party signs one bill at most: two or more void each other."
    case.warn_if(not inside and signed - {order.bill}, message, "15")


class Propose(Declared):
    """A bill, by the Premier or an opposition party (13)."""

    bill: Bill
    slot: ClassVar[str] = "PROPOSE BILL"
    written = Wording("PROPOSE BILL {bill}")
    phases = _SESSION

    def check(self, case: Case) -> None:
        _put_forward(case, self)


class Sign(Declared):
    """A minister's or opposition party's signature."""

    bill: Bill
    offered_only = True
    slot = written = Wording("SIGN BILL {bill}")
    phases = _SESSION

    def check(self, case: Case) -> None:
        _put_forward(case, self)


class Vote(Declared):
    """``vote``: yes, no or abstain."""

    bill: Bill
    vote: Ballots
    slot = Wording("VOTE {bill}")
    written = Wording("VOTE {vote!u} ON {bill}")
    phases = _SESSION

    def check(self, case: Case) -> None:
        state = case.state
        called = next((one for one in state.called if one.bill == self.bill), None)
        if called is None:
            put = ", ".join(f"#{one.bill}" for one in state.called) or "none is"
            message = f"Bill #{self.bill} is not put to the vote in this period ({put})."
            later = f"for when it is put: STANDING VOTE {self.bill} {self.vote.upper()}"
            case.refuse("E_BILL", message, "16", later)
        government = state.governing()
        if government is None or case.seat not in government.parties or "RESIGN" in case.standing:
            return
        forbidden = {"government": "no", "opposition": "yes"}.get(called.by)
        leads, bound = state.led_by(case.seat), called.government == government.number
        premier = (
            f"As Premier you cannot vote {forbidden} on this bill: it will count as an abstention."
        )
        case.warn_if(leads and bound and self.vote == forbidden, premier, "14")
        minister = (
            "You are a minister: this will count as the Premier's vote, unless you resign in this"
            " period."
        )
        case.warn_if(not leads and self.vote in ("no", forbidden), minister, "16")


class StandingVote(Declared):
    """A vote without ballot; ``none`` ends it."""

    bill: Bill
    vote: str
    slot = Wording("STANDING VOTE {bill}")
    written = Wording("STANDING VOTE {bill} {vote!u}")

    def check(self, case: Case) -> None:
        if self.vote != "NONE":
            ballot(case, self.vote)


class Call(Declared):
    """The Premier ends the session (18)."""

    offered_only = True
    slot: ClassVar[str] = "CALL ELECTION"
    written = Wording("CALL ELECTION")
    phases = _SESSION

    def check(self, case: Case) -> None:
        message = "The election has been called already: this is the session's last period."
        note = "what is due now is your list: CANDIDATES"
        case.refuse_if(case.state.last, "E_CALLED", message, "R13", note)
        case.warn_if(not case.state.led_by(case.seat), _NOT_YET, "R4")


# --- money (27, 28) -------------------------------------------------------------------------------


def _payee(case: Case, word: str) -> None:
    party(case, word)
    case.refuse_if(word == case.seat, "E_OWN", "You cannot pay yourself.", "27", _YOUR_OWN)


class Cheque(Declared):
    """A cheque in crowns (27)."""

    crowns: int
    payee: Annotated[str, _payee]
    offered_only = True
    slot = Wording("PAY {payee}")
    written = Wording("PAY {crowns} TO {payee}")


def _cheques(case: Case) -> None:
    message = "This game knows no cheques that are passed on."
    known = case.state.settings.cheques
    case.refuse_if(not known, "E_CHEQUE", message, "R22", "a party is paid with PAY")


class WriteCheque(Declared):
    """A cheque whose number its payer passes on (27, R23). 0: none."""

    crowns: int
    payee: Party
    offered_only = True
    slot = Wording("CHEQUE {payee}")
    written = Wording("CHEQUE {crowns} TO {payee}")

    def check(self, case: Case) -> None:
        _cheques(case)
        _payee(case, self.payee)


class Cash(Declared):
    """A cheque sent in by its payee, who never learns whether a number is a cheque's (27, R23)."""

    number: int
    offered_only = True
    slot = written = Wording("CASH {number}")

    def check(self, case: Case) -> None:
        _cheques(case)
        message = f"You can cash {MOST_CASHED} cheques in a period."
        others = case.of(Cash, besides=self.slot)
        case.refuse_if(len(others) >= MOST_CASHED, "E_CHEQUE", message, "R23")


class Local(Declared):
    """Crowns for the bloc of ``party`` in a district, "" for one's own."""

    crowns: int
    district: District
    party: Party = ""
    offered_only = True
    slot = Wording("PAY DISTRICT {district}")
    written = Wording("PAY {crowns} TO DISTRICT {district} {party}")

    def check(self, case: Case) -> Local:
        message = f"You can pay your own local parties only, not {self.party}'s."
        to_them = f"to pay that party send: PAY {self.crowns} TO {self.party}"
        case.refuse_if(self.party not in ("", case.seat), "E_BLOC", message, "28", to_them)
        return replace(self, party="")


def gathered(texts: Sequence[str]) -> list[str]:
    """Join equal payments to districts, with their sum."""
    paid = filter(None, map(_TO_DISTRICT.fullmatch, texts))
    alike = grouped((found[1], int(found[2])) for found in paid)
    listed = []
    for text in texts:
        found = _TO_DISTRICT.fullmatch(text)
        districts = alike.get(found[1], []) if found else []
        if found is None or len(districts) == 1:
            listed.append(text)
        elif int(found[2]) == districts[0]:
            places, crowns = spans(sorted(districts)), int(found[1]) * len(districts)
            listed.append(f"PAY {found[1]} TO DISTRICTS {places}: {crowns:,} in all")
    return listed


# --- elections (19, 24) ---------------------------------------------------------------------------


class Candidates(Declared):
    """The whole list, in numerical order."""

    offered_only = True
    districts: tuple[int, ...] = ()
    slot: ClassVar[str] = "CANDIDATES"
    phases = _SESSION

    def __str__(self) -> str:
        return f"CANDIDATES {spans(self.districts) or 'NONE'}"

    def check(self, case: Case) -> None:
        note = "Lists are due in the period after an election is called."
        message = "CANDIDATES is not possible before a session's last period."
        case.refuse_if(not case.state.last, "E_PHASE", message, "19", note)
        for number in self.districts:
            district(case, number)


class Bloc(Declared):
    """Where the own bloc votes; NONE stays at home."""

    district: District
    to: str
    slot = Wording("BLOC {district}")
    written = Wording("BLOC {district} FOR {to}")

    def check(self, case: Case) -> None:
        if self.to != "NONE":
            party(case, self.to)
        state = case.state
        on = state.ballots.get(str(self.district))
        if state.phase == "primary":
            on = Ballot(tuple(p for p in PARTIES if self.district in state.candidates.get(p, ())))
        if on:
            where = f"in district {self.district} on this ballot"
            nobody = f"{self.to} has no candidate {where}."
            case.warn_if(self.to not in ("NONE", *on.entrants), nobody, "24")
            own = case.seat in on.entrants and not on.free and self.to != case.seat
            case.warn_if(own, f"Your bloc votes for your own candidate {where}.", "24")


class Prefer(Declared):
    """Preferences; none: PREFER NONE."""

    parties: tuple[str, ...]
    slot: ClassVar[str] = "PREFER"

    def __str__(self) -> str:
        return f"PREFER {', '.join(self.parties) or 'NONE'}"

    def check(self, case: Case) -> None:
        for word in self.parties:
            party(case, word)


# --- amendments (35) ------------------------------------------------------------------------------


def _amendment(case: Case, number: int) -> state.Amendment:
    for amendment in case.state.amendments:
        if amendment.number == number:
            return amendment
    case.refuse("E_AMENDMENT", f"There is no amendment {number}.", "35")


class Amend(Declared):
    """An amendment (35)."""

    text: str
    slot: ClassVar[str] = "AMEND"
    written = Wording('AMEND "{text}"')

    def check(self, case: Case) -> Amend:
        text = safe(self.text)
        case.refuse_if(not text, "E_AMENDMENT", "The amendment has no text.", "35")
        return Amend(text)


class SignAmendment(Declared):
    """One of its 15 votes (35)."""

    number: int
    offered_only = True
    slot = written = Wording("SIGN AMENDMENT {number}")

    def check(self, case: Case) -> None:
        message = f"Amendment {self.number} needs no more signatures."
        signing = _amendment(case, self.number).stage == "signing"
        case.refuse_if(not signing, "E_AMENDMENT", message, "35")


class VoteAmendment(Declared):
    """``vote``: yes, no or abstain (35)."""

    number: int
    vote: str
    slot = Wording("VOTE AMENDMENT {number}")
    written = Wording("VOTE AMENDMENT {number} {vote!u}")
    phases = _SESSION

    def check(self, case: Case) -> None:
        one = _amendment(case, self.number)
        ballot(case, self.vote, "35")
        message = f"Amendment {one.number} is not put to the vote in this period."
        put = one.voted_in(case.state.session, case.state.period)
        case.refuse_if(not put, "E_AMENDMENT", message, "R12")


ORDERS = tuple(one for one in Declared.__subclasses__() if one.__module__ == __name__)
_IN_ELECTIONS = "possible now: PAY, BLOC, PREFER, STANDING VOTE, AMEND and SIGN AMENDMENT"


def check(state: State, seat: str, standing: Standing, order: Any, tables: Tables) -> Checked:
    """Say whether ``seat`` may file it beside what stands; words for the phase come first (R7)."""
    if isinstance(order, Pass):
        return Checked((order,))
    if order.phases and state.phase not in order.phases:
        words = str(order).split()
        word = " ".join(words[: 2 if words[0] == "CALL" or words[1:2] == ["AMENDMENT"] else 1])
        message = f"{word} is not possible in the {state.phase} period."
        return Checked.refused("E_PHASE", message, "R7", _IN_ELECTIONS)
    return declared.checked(order, Case(state, seat, standing, tables))


_BILL_NAME = re.compile(r"^BILL_NAME\b.*$", re.MULTILINE)


def _offices(*words: str) -> tuple[tuple[str, str], ...]:
    """Read (office, party) or (party, office), known offices first and in order."""
    rank = {office: at for at, office in enumerate(OFFICES)}
    pairs = [
        (one, other)
        if one in rank or (office := state.office(other)) not in rank
        else (office, state.party(one))
        for one, other in zip(words[::2], words[1::2], strict=True)
    ]
    return tuple(sorted(pairs, key=lambda pair: rank.get(pair[0], len(OFFICES))))


def _support(form: str, premier: str, offices: Any, bill: Any, instead: Any) -> Support:
    listed = offices or ()
    if premier and listed and "premier" not in dict(listed):
        listed = (("premier", premier), *listed)
    return Support(form, premier or dict(listed).get("premier", ""), listed, bill, instead)


def _parties(*named: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(named))
    return () if found == ("NONE",) else found


def _words(bills: dict[str, int]) -> dict[str, Callable[..., Any]]:
    return {
        "party": state.party,
        "office": state.office,
        "ballot": state.vote,
        "named": lambda name: bills[" ".join(name.casefold().split())],
        "offices": _offices,
        "parties": _parties,
        "government": partial(_support, "government", ""),
        "join": lambda premier, bill, instead: Support("join", premier, (), bill, instead),
        "endorse": partial(_support, "endorse"),
        "endorse_list": partial(_support, "endorse", ""),
        "withdraw": lambda instead: Support("withdraw", "", instead=instead),
        "resign": lambda what: Resign("NEW" if what == "NEW" else what or ""),
        "prefer": Prefer,
        "amend": lambda text: Amend(" ".join(text[1:-1].split())),
    }


def _named(grammar: str, bills: Iterable[str]) -> str:
    ranked = sorted(bills, key=lambda name: (-len(name), name)) or ["no bill has a name"]
    found = "|".join(" +".join(map(re.escape, name.split())) for name in ranked)
    terminal = f"BILL_NAME.3: /({found.replace('/', '[/]')})(?![\\w-])/i"
    return _BILL_NAME.sub(lambda _: terminal, grammar)


_LASTING = "a standing vote can be left on file, as in: STANDING VOTE 4 YES"
_LABELS = {
    "THOUSANDS": "a number",
    "_TOTAL": "",
    "BILL_NAME": "the name of a bill",
    **dict.fromkeys(("VOTE.WORD", "STANDING.WORD"), "YES, NO, ABSTAIN"),
    **dict.fromkeys(("ACCEPT.WORD", "RESIGN.WORD"), "an office"),
    **{f"{word}.WORD": "a party" for word in ("JOIN", "PAY", "CHEQUE", "BLOC", "PREFER")},
}


def language(book: Rulebook) -> Language:
    """Return the order language; the tables name the bills."""
    bills = state.bill_names(
        {int(n): row["name"] for n, row in book.tables["bills"].items() if row.get("name")}
    )
    return Language(
        _named(book.grammar, bills),
        book.terminals,
        partial(Reader, ORDERS, **_words(bills)),
        _LABELS,
        names=(*state.PARTY_NAMES, *state.OFFICE_NAMES, *bills, "NEW"),
        numbers=("INT", "THOUSANDS"),
        ifs=Ifs((), "16", f"by house rule 5 nothing is conditional; {_LASTING}"),
    )
