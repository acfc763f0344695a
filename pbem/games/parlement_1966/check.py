"""Check whether an order may be filed.

Refuse what can never be legal; warn of what others decide (ruling 4). Ask for no money (ruling 20).
"""

from __future__ import annotations

from dataclasses import replace

from pbem.games.parlement_1966.checks.government import office, resign, support
from pbem.games.parlement_1966.checks.refusals import (
    RefusalError,
    answered,
    known_bill,
    known_districts,
    known_parties,
    known_vote,
    refuse_if,
)
from pbem.games.parlement_1966.names import PARTIES
from pbem.games.parlement_1966.orders import (
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
from pbem.games.parlement_1966.state import Ballot, State
from pbem.games.parlement_1966.tables import Tables
from pbem.orders.order import Checked, Order, Pass, Standing
from pbem.text import listed, safe

Game1966 = (
    Support
    | Resign
    | Dismiss
    | Appoint
    | Accept
    | Propose
    | Sign
    | Vote
    | StandingVote
    | Call
    | Cheque
    | WriteCheque
    | Cash
    | Local
    | Candidates
    | Bloc
    | Prefer
    | Amend
    | SignAmendment
    | VoteAmendment
    | Pass
)
_SESSION_ONLY = (
    Support,
    Resign,
    Dismiss,
    Appoint,
    Accept,
    Propose,
    Sign,
    Vote,
    Call,
    Candidates,
    VoteAmendment,
)
MOST_CASHED = 10
"""By a party in a period; more would be guesses."""
_IN_ELECTIONS = "possible now: PAY, BLOC, PREFER, STANDING VOTE, AMEND and SIGN AMENDMENT"
_YOUR_OWN = "your local party in district 21 is paid so: PAY 500 TO DISTRICT 21"
_WORDS = {
    StandingVote: "STANDING VOTE",
    Call: "CALL ELECTION",
    Cheque: "PAY",
    Local: "PAY",
    VoteAmendment: "VOTE AMENDMENT",
    SignAmendment: "SIGN AMENDMENT",
}


def check(state: State, seat: str, standing: Standing, order: Order, tables: Tables) -> Checked:
    try:
        return _checked(state, seat, standing, order, tables)
    except RefusalError as error:
        refusal: Checked = error.args[0]
        return refusal


def _checked(state: State, seat: str, standing: Standing, order: Order, tables: Tables) -> Checked:
    assert isinstance(order, Game1966)
    if state.phase != "session" and isinstance(order, _SESSION_ONLY):
        message = f"{_word(order)} is not possible in the {state.phase} period."
        refuse_if(True, "E_PHASE", message, "R7", _IN_ELECTIONS)
    match order:
        case Support():
            answer = support(state, seat, standing, order, tables)
        case Resign():
            answer = resign(state, seat, order)
        case Dismiss() | Appoint() | Accept():
            answer = office(state, seat, order)
        case Propose() | Sign():
            answer = _proposal(state, seat, standing, order, tables)
        case Vote() | StandingVote():
            answer = _vote(state, seat, standing, order, tables)
        case Call():
            answer = _call(state, seat, order)
        case WriteCheque() | Cash():
            answer = _cheque(state, seat, standing, order)
        case Cheque() | Local():
            answer = _payment(seat, order)
        case Candidates() | Bloc():
            answer = _districts(state, seat, order)
        case Amend() | SignAmendment() | VoteAmendment():
            answer = _amendment(state, order)
        case _:
            known_parties(order.parties if isinstance(order, Prefer) else ())
            answer = Checked((order,))
    return answer


def _word(order: Game1966) -> str:
    if isinstance(order, Support):
        return order.form.upper()
    return _WORDS.get(type(order)) or str(order).split(maxsplit=1)[0]


def _proposal(
    state: State, seat: str, standing: Standing, order: Propose | Sign, tables: Tables
) -> Checked:
    """Paragraphs 13 to 15, 17, 19."""
    known_bill(order.bill, tables)
    refuse_if(
        state.last,
        "E_LAST",
        "No bill can be proposed in the last period of a session.",
        "19",
        "it can be proposed when the next session has opened",
    )
    others = listed((f"#{n}" for n in tables.bills if not state.has_passed(n)), "or")
    refuse_if(
        state.has_passed(order.bill),
        "E_PASSED",
        f"Bill #{order.bill} has passed in this session already.",
        "17",
        f"name another: {others}" if others else "none is left in this session",
    )
    government, proposes = state.governing(), isinstance(order, Propose)
    premier = government.premier if government else None
    inside = government is not None and seat in government.parties
    signed = {
        o.bill
        for slot, o in standing.items()
        if isinstance(o, Propose | Sign) and slot != order.slot
    }
    return answered(
        order,
        (
            proposes and premier is None,
            "There is no Government: this counts only if you become Premier in this period.",
            "R8",
        ),
        (
            proposes and state.turn == "opposition" and seat == premier,
            "It is the opposition's turn: this counts only if the Government changes.",
            "13",
        ),
        (
            proposes and state.turn == "government" and seat != premier,
            "It is the Government's turn: this counts only if you become Premier.",
            "13",
        ),
        (
            not inside and bool(signed - {order.bill}),
            "An opposition party signs one bill at most: two or more void each other.",
            "15",
        ),
    )


def _vote(
    state: State, seat: str, standing: Standing, order: Vote | StandingVote, tables: Tables
) -> Checked:
    """Paragraph 16."""
    known_bill(order.bill, tables)
    if isinstance(order, StandingVote):
        if order.vote != "NONE":
            known_vote(order.vote, "16")
        return Checked((order,))
    known_vote(order.vote, "16")
    called = next((one for one in state.called if one.bill == order.bill), None)
    put = ", ".join(f"#{one.bill}" for one in state.called) or "none is"
    message = f"Bill #{order.bill} is not put to the vote in this period ({put})."
    if called is None:
        later = f"for when it is put: STANDING VOTE {order.bill} {order.vote.upper()}"
        raise RefusalError(Checked.refused("E_BILL", message, "16", later))
    government = state.governing()
    forbidden = {"government": "no", "opposition": "yes"}.get(called.by)
    leads = government is not None and seat == government.premier and "RESIGN" not in standing
    bound = government is not None and called.government == government.number
    message = (
        f"As Premier you cannot vote {forbidden} on this bill: it will count as an abstention."
    )
    serves = government is not None and seat in government.parties and seat != government.premier
    minister = (
        "You are a minister: this will count as the Premier's vote, unless you resign in this"
        " period."
    )
    return answered(
        order,
        (leads and bound and order.vote == forbidden, message, "14"),
        (serves and "RESIGN" not in standing and order.vote in ("no", forbidden), minister, "16"),
    )


def _call(state: State, seat: str, order: Call) -> Checked:
    """Paragraph 18, ruling 13."""
    message = "The election has been called already: this is the session's last period."
    refuse_if(state.last, "E_CALLED", message, "R13", "what is due now is your list: CANDIDATES")
    government = state.governing()
    message = "You are not the Premier: this counts only if you are when the period ends."
    return answered(order, (government is None or seat != government.premier, message, "R4"))


def _payment(seat: str, order: Cheque | Local) -> Checked:
    """Paragraphs 27, 28."""
    if isinstance(order, Cheque):
        known_parties((order.payee,))
        refuse_if(order.payee == seat, "E_OWN", "You cannot pay yourself.", "27", _YOUR_OWN)
        return Checked((order,))
    known_parties((order.party,) if order.party else ())
    known_districts((order.district,))
    message = f"You can pay your own local parties only, not {order.party}'s."
    to_them = f"to pay that party send: PAY {order.crowns} TO {order.party}"
    refuse_if(order.party not in ("", seat), "E_BLOC", message, "28", to_them)
    return Checked((replace(order, party=""),) if order.party else (order,))


def _cheque(state: State, seat: str, standing: Standing, order: WriteCheque | Cash) -> Checked:
    """Ruling 23. The sender never learns whether a number is a cheque's."""
    to = order.payee if isinstance(order, WriteCheque) else seat
    known_parties((to,))
    message = "This game knows no cheques that are passed on."
    refuse_if(not state.settings.cheques, "E_CHEQUE", message, "R22", "a party is paid with PAY")
    if isinstance(order, WriteCheque):
        refuse_if(to == seat, "E_OWN", "You cannot pay yourself.", "27", _YOUR_OWN)
        return Checked((order,))
    others = [one for slot, one in standing.items() if isinstance(one, Cash) and slot != order.slot]
    message = f"You can cash {MOST_CASHED} cheques in a period."
    refuse_if(len(others) >= MOST_CASHED, "E_CHEQUE", message, "R23")
    return Checked((order,))


def _districts(state: State, seat: str, order: Candidates | Bloc) -> Checked:
    """Paragraphs 19, 24."""
    if isinstance(order, Candidates):
        note = "Lists are due in the period after an election is called."
        refuse_if(
            not state.last,
            "E_PHASE",
            "CANDIDATES is not possible before a session's last period.",
            "19",
            note,
        )
        known_districts(order.districts)
        return Checked((order,))
    known_parties(() if order.to == "NONE" else (order.to,))
    known_districts((order.district,))
    ballot = state.ballots.get(str(order.district))
    if state.phase == "primary":
        ballot = Ballot(tuple(p for p in PARTIES if order.district in state.candidates.get(p, ())))
    if ballot is None:
        return Checked((order,))
    where = f"in district {order.district} on this ballot"
    return answered(
        order,
        (order.to not in ("NONE", *ballot.entrants), f"{order.to} has no candidate {where}.", "24"),
        (
            seat in ballot.entrants and not ballot.free and order.to != seat,
            f"Your bloc votes for your own candidate {where}.",
            "24",
        ),
    )


def _amendment(state: State, order: Amend | SignAmendment | VoteAmendment) -> Checked:
    """Paragraph 35."""
    if isinstance(order, Amend):
        text = safe(order.text)
        refuse_if(not text, "E_AMENDMENT", "The amendment has no text.", "35")
        return Checked((Amend(text),))
    one = next((a for a in state.amendments if a.number == order.number), None)
    if one is None:
        raise RefusalError(
            Checked.refused("E_AMENDMENT", f"There is no amendment {order.number}.", "35")
        )
    if isinstance(order, SignAmendment):
        message = f"Amendment {one.number} needs no more signatures."
        refuse_if(one.stage != "signing", "E_AMENDMENT", message, "35")
        return Checked((order,))
    known_vote(order.vote, "35")
    put = one.voted_in(state.session, state.period)
    refuse_if(
        not put,
        "E_AMENDMENT",
        f"Amendment {one.number} is not put to the vote in this period.",
        "R12",
    )
    return Checked((order,))
