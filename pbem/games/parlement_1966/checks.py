"""May an order be put on file? Strict on what can never be legal, generous about what others decide in the same period.

Who is Premier, minister or opposition is judged at the deadline (ruling 4), so most orders that need an office are taken, with a
warning where the sender holds none now; money is never asked for (ruling 20).
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from pbem.games.parlement_1966.orders import (
    OFFICES, Accept, Amend, Appoint, Bloc, Call, Candidates, Cheque, Dismiss, Local, Prefer, Propose, Resign, Sign,
    SignAmendment, StandingVote, Support, Vote, VoteAmendment,
)  # fmt: skip
from pbem.games.parlement_1966.reader import OFFICE_NAMES, PARTIES, PARTY_NAMES
from pbem.games.parlement_1966.state import DISTRICTS, State, Tables
from pbem.orders import Checked, Order, Pass, Problem, Standing, resolve
from pbem.typeset import safe

Game1966 = (
    Support | Resign | Dismiss | Appoint | Accept | Propose | Sign | Vote | StandingVote | Call | Cheque | Local
    | Candidates | Bloc | Prefer | Amend | SignAmendment | VoteAmendment | Pass
)  # fmt: skip
_SESSION_ONLY = (
    Support, Resign, Dismiss, Appoint, Accept, Propose, Sign, Vote, Call, Candidates, VoteAmendment,
)  # fmt: skip
_WORDS = {
    StandingVote: "STANDING VOTE", Call: "CALL ELECTION", Cheque: "PAY", Local: "PAY", VoteAmendment: "VOTE AMENDMENT",
    SignAmendment: "SIGN AMENDMENT",
}  # fmt: skip


def check(state: State, seat: str, standing: Standing, order: Order, tables: Tables) -> Checked:
    """The answer to one order of ``seat`` on top of what stands for it."""
    assert isinstance(order, Game1966)
    if isinstance(order, _SESSION_ONLY) and state.phase != "session":
        return Checked.refused("E_PHASE", f"{_word(order)} is not possible in the {state.phase} period.", "R7")
    match order:
        case Support():
            return _support(state, seat, standing, order)
        case Resign() | Dismiss() | Appoint() | Accept():
            return _office(state, seat, order)
        case Propose() | Sign():
            return _proposal(state, seat, standing, order, tables)
        case Vote() | StandingVote():
            return _vote(state, seat, order, tables)
        case Call():
            return _call(state, seat, order)
        case Cheque() | Local():
            return _payment(seat, order)
        case Candidates() | Bloc():
            return _districts(state, seat, order)
        case Prefer():
            return _unknown_party(order.parties) or Checked((order,))
        case Amend() | SignAmendment() | VoteAmendment():
            return _amendment(state, order)
        case Pass():
            return Checked((order,))
        case _:
            assert_never(order)


def _word(order: Game1966) -> str:
    if isinstance(order, Support):
        return order.form.upper()
    return _WORDS.get(type(order)) or str(order).split(maxsplit=1)[0]


def _warned(order: Order, message: str, rule: str) -> Checked:
    return Checked((order,), (Problem("W_NOTE", message, rule, warning=True),))


def _unknown_party(words: tuple[str, ...]) -> Checked | None:
    """The refusal of the first word that is no party."""
    for word in words:
        if word not in PARTIES:
            found = resolve(word, PARTY_NAMES)
            if isinstance(found, Problem):
                return Checked((), (found,))
            return Checked.refused("E_PLAYER", f'There is no player "{word}" in this game.')
    return None


def _unknown_office(words: tuple[str, ...]) -> Checked | None:
    for word in words:
        if word not in OFFICES:
            found = resolve(word, OFFICE_NAMES)
            if isinstance(found, Problem):
                return Checked((), (found,))
            listed = "PREMIER, FOREIGN, DEFENSE and FINANCE"
            return Checked.refused("E_OFFICE", f'There is no office "{word}": the offices are {listed}.', "5")
    return None


def _support(state: State, seat: str, standing: Standing, order: Support) -> Checked:
    """Paragraphs 6 to 8; the membership that a new order would give up is kept with it (ruling 3)."""
    offices = tuple(office for office, _ in order.offices)
    named = tuple(holder for _, holder in order.offices)
    refusal = _unknown_office(offices) or _unknown_party(named)
    if refusal is None and order.form in ("join", "endorse"):
        refusal = _unknown_party((order.premier,))
    if refusal is None and order.offices and offices != OFFICES:
        refusal = _incomplete(offices)
    if refusal:
        return refusal
    if order.form in ("join", "endorse") and order.premier == seat:
        return Checked.refused(
            "E_OWN", f"You cannot {order.form} your own Government: send its list, GOVERNMENT PREMIER {seat}, ...", "R2"
        )
    if order.offices and dict(order.offices)["premier"] != order.premier:
        return Checked.refused("E_LIST", f"The list names another Premier than {order.premier}.", "6")
    if order.bill is not None and order.bill not in range(1, 8):
        return _no_bill(order.bill)
    kept = _remembering(seat, standing.get(Support.slot), order)
    if order.bill is not None and _has_passed(state, order.bill):
        return _warned(kept, f"Bill #{order.bill} has passed in this session: the proposal will carry no bill.", "17")
    return Checked((kept,))


def _incomplete(offices: tuple[str, ...]) -> Checked:
    lacking = [office.upper() for office in OFFICES if office not in offices]
    if lacking:
        return Checked.refused("E_LIST", f"No office may be left vacant: {', '.join(lacking)} is missing.", "6")
    return Checked.refused("E_LIST", "The list names an office twice.", "6")


def _remembering(seat: str, before: Order | None, order: Support) -> Support:
    """The order with the memberships it would give up; one that returns to such a membership forgets it."""
    if not isinstance(before, Support) or order.instead:
        return order
    given_up = [*before.chain(), *([replace(before, instead=None)] if before.joins(seat) else [])]
    chain: Support | None = None
    for earlier in given_up:
        if not (order.joins(seat) and order.premier == earlier.premier):
            chain = replace(earlier, instead=chain)
    return replace(order, instead=chain)


def _office(state: State, seat: str, order: Resign | Dismiss | Appoint | Accept) -> Checked:
    """Paragraph 12."""
    government = state.governing()
    if isinstance(order, Resign):
        held = government.held_by(seat) if government else ()
        if order.what == "NEW":
            return Checked((order,))
        refusal = _unknown_office((order.what,)) if order.what else None
        if refusal:
            return refusal
        if not held or (order.what and order.what not in held):
            what = f"the office of {order.what} minister" if order.what not in ("", "premier") else "that office"
            message = (
                f"You do not hold {what if order.what else 'any office'}; RESIGN NEW leaves a Government just formed."
            )
            return Checked.refused("E_OFFICE", message, "R3")
        return Checked((order,))
    refusal = _unknown_office((order.office,)) or (
        None if isinstance(order, Accept) else _unknown_party((order.party,))
    )
    if refusal:
        return refusal
    if order.office == "premier":
        return Checked.refused(
            "E_OFFICE", "The Premier is neither dismissed nor appointed; a proposed Government names him.", "12"
        )
    premier = government.premier if government else None
    if isinstance(order, Dismiss):
        if seat != premier:
            return Checked.refused("E_ROLE", "Only the Premier may give DISMISS.", "12")
        if government is None or government.offices[order.office] != order.party:
            holder = government.offices[order.office] if government else "nobody"
            return Checked.refused("E_OFFICE", f"{order.party} is not the {order.office} minister; {holder} is.", "12")
    if isinstance(order, Appoint) and seat != premier:
        return _warned(order, "You are not the Premier: this counts only if you are when the period ends.", "R4")
    return Checked((order,))


def _no_bill(number: int) -> Checked:
    return Checked.refused("E_BILL", f"There is no bill #{number}: the bills are #1 to #7.", "13")


def _has_passed(state: State, number: int) -> bool:
    vote = state.bills.get(str(number))
    return vote is not None and vote.passed


def _proposal(state: State, seat: str, standing: Standing, order: Propose | Sign, tables: Tables) -> Checked:
    """Paragraphs 13 to 15, 17 and 19."""
    if order.bill not in tables.bills:
        return _no_bill(order.bill)
    if state.last:
        return Checked.refused("E_LAST", "No bill can be proposed in the last period of a session.", "19")
    if _has_passed(state, order.bill):
        return Checked.refused("E_PASSED", f"Bill #{order.bill} has passed in this session.", "17")
    government = state.governing()
    inside = government is not None and seat in government.parties
    others = {o.bill for slot, o in standing.items() if isinstance(o, Propose | Sign) and slot != order.slot}
    if government is None and isinstance(order, Propose):
        return _warned(order, "There is no Government: this counts only if you become Premier in this period.", "R8")
    if isinstance(order, Propose) and government is not None:
        if state.turn == "opposition" and seat == government.premier:
            return _warned(order, "It is the opposition's turn: this counts only if the Government changes.", "13")
        if state.turn == "government" and seat != government.premier:
            return _warned(order, "It is the Government's turn: this counts only if you become Premier.", "13")
    if not inside and others - {order.bill}:
        return _warned(order, "An opposition party signs one bill at most: two or more void each other.", "15")
    return Checked((order,))


def _vote(state: State, seat: str, order: Vote | StandingVote, tables: Tables) -> Checked:
    """Paragraph 16."""
    if order.bill not in tables.bills:
        return _no_bill(order.bill)
    if order.vote not in ("yes", "no", "abstain") and not (order.vote == "NONE" and isinstance(order, StandingVote)):
        return Checked.refused("E_VOTE", f'"{order.vote}" is not a vote: YES, NO or ABSTAIN.', "16")
    if isinstance(order, StandingVote):
        return Checked((order,))
    called = next((one for one in state.called if one.bill == order.bill), None)
    if called is None:
        put = ", ".join(f"#{one.bill}" for one in state.called) or "none is"
        return Checked.refused("E_BILL", f"Bill #{order.bill} is not put to the vote in this period ({put}).", "16")
    government = state.governing()
    if government is not None and seat in government.parties - {government.premier}:
        return _warned(order, "As a minister you vote as the Premier votes, unless you resign in this period.", "16")
    forbidden = {"government": "no", "opposition": "yes"}.get(called.by)
    if government is not None and seat == government.premier and order.vote == forbidden:
        if called.government == government.number:
            message = f"As Premier you cannot vote {forbidden} on this bill: it will count as an abstention."
            return _warned(order, message, "14")
    return Checked((order,))


def _call(state: State, seat: str, order: Call) -> Checked:
    """Paragraph 18, ruling 13."""
    if state.last:
        return Checked.refused(
            "E_CALLED", "The election has been called already: this is the session's last period.", "R13"
        )
    government = state.governing()
    if government is None or seat != government.premier:
        return _warned(order, "You are not the Premier: this counts only if you are when the period ends.", "R4")
    return Checked((order,))


def _payment(seat: str, order: Cheque | Local) -> Checked:
    """Paragraphs 27 and 28; never refused for want of money."""
    if isinstance(order, Cheque):
        refusal = _unknown_party((order.payee,))
        if refusal is None and order.payee == seat:
            refusal = Checked.refused("E_OWN", "You cannot pay yourself.", "27")
        return refusal or Checked((order,))
    refusal = _unknown_party((order.party,)) if order.party else None
    if refusal is None and order.party not in ("", seat):
        refusal = Checked.refused("E_BLOC", f"You can pay your own local parties only, not {order.party}'s.", "28")
    return refusal or _no_district((order.district,)) or Checked((replace(order, party=""),))


def _no_district(districts: tuple[int, ...]) -> Checked | None:
    wrong = next((d for d in districts if not 1 <= d <= DISTRICTS), None)
    if wrong is None:
        return None
    return Checked.refused("E_DISTRICT", f"There is no district {wrong}: they are numbered 1 to {DISTRICTS}.", "21")


def _districts(state: State, seat: str, order: Candidates | Bloc) -> Checked:
    """Paragraphs 19 and 24."""
    if isinstance(order, Candidates):
        if not state.last:
            note = "Lists are due in the period after an election is called."
            message = "CANDIDATES is not possible in the session period."
            return Checked.refused("E_PHASE", message, "19", note)
        return _no_district(order.districts) or Checked((order,))
    refusal = _no_district((order.district,)) or (None if order.to == "NONE" else _unknown_party((order.to,)))
    if refusal:
        return refusal
    ballot = state.ballots.get(str(order.district))
    if state.phase == "primary":
        standing = [party for party in PARTIES if order.district in state.candidates.get(party, ())]
        own, free = seat in standing, False
    elif ballot is not None:
        standing, own, free = list(ballot.entrants), seat in ballot.entrants, ballot.free
    else:
        return Checked((order,))
    if order.to != "NONE" and order.to not in standing:
        return _warned(order, f"{order.to} has no candidate in district {order.district} on this ballot.", "24")
    if own and not free and order.to != seat:
        return _warned(
            order, f"Your bloc votes for your own candidate in district {order.district} on this ballot.", "24"
        )
    return Checked((order,))


def _amendment(state: State, order: Amend | SignAmendment | VoteAmendment) -> Checked:
    """Paragraph 35."""
    if isinstance(order, Amend):
        text = safe(order.text)
        if not text:
            return Checked.refused("E_AMENDMENT", "The amendment has no text.", "35")
        return Checked((Amend(text),))
    one = next((a for a in state.amendments if a.number == order.number), None)
    if one is None:
        return Checked.refused("E_AMENDMENT", f"There is no amendment {order.number}.", "35")
    if isinstance(order, SignAmendment):
        if one.stage != "signing":
            return Checked.refused("E_AMENDMENT", f"Amendment {one.number} needs no more signatures.", "35")
        return Checked((order,))
    if order.vote not in ("yes", "no", "abstain"):
        return Checked.refused("E_VOTE", f'"{order.vote}" is not a vote: YES, NO or ABSTAIN.', "35")
    if not one.voted_in(state.session, state.period):
        message = f"Amendment {one.number} is not put to the vote in this period."
        return Checked.refused("E_AMENDMENT", message, "R12")
    return Checked((order,))
