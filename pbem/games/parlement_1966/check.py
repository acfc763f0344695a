"""May an order be put on file? Strict on what can never be legal, generous about what others decide
in the same period.

Who is Premier, minister or opposition is judged at the deadline (ruling 4), so most orders that
need an office are taken, with a warning where the sender holds none now; money is never asked for
(ruling 20).
"""

from __future__ import annotations

from dataclasses import replace

from pbem.games.parlement_1966.names import OFFICE_NAMES, PARTIES, PARTY_NAMES
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
    Prefer,
    Propose,
    Resign,
    Sign,
    SignAmendment,
    StandingVote,
    Support,
    Vote,
    VoteAmendment,
)
from pbem.games.parlement_1966.state import DISTRICTS, Ballot, State
from pbem.games.parlement_1966.tables import Tables
from pbem.orders.language import resolve
from pbem.orders.order import Checked, Order, Pass, Problem, Standing
from pbem.text import safe

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
_WORDS = {
    StandingVote: "STANDING VOTE",
    Call: "CALL ELECTION",
    Cheque: "PAY",
    Local: "PAY",
    VoteAmendment: "VOTE AMENDMENT",
    SignAmendment: "SIGN AMENDMENT",
}


class _RefusalError(Exception):
    """Ends the check of an order; its argument is the refusal."""


def check(state: State, seat: str, standing: Standing, order: Order, tables: Tables) -> Checked:
    """The answer to one order of ``seat`` on top of what stands for it."""
    try:
        return _checked(state, seat, standing, order, tables)
    except _RefusalError as error:
        refusal: Checked = error.args[0]
        return refusal


def _refuse_if(wrong: bool, code: str, message: str, rule: str = "", *notes: str) -> None:
    if wrong:
        raise _RefusalError(Checked.refused(code, message, rule, *notes))


def _answer(order: Order, *warnings: tuple[bool, str, str]) -> Checked:
    """The order taken, with the first warning (condition, message, paragraph) that applies."""
    for applies, message, rule in warnings:
        if applies:
            return Checked((order,), (Problem("W_NOTE", message, rule, warning=True),))
    return Checked((order,))


def _checked(state: State, seat: str, standing: Standing, order: Order, tables: Tables) -> Checked:
    assert isinstance(order, Game1966)
    if state.phase != "session" and isinstance(order, _SESSION_ONLY):
        _refuse_if(
            True, "E_PHASE", f"{_word(order)} is not possible in the {state.phase} period.", "R7"
        )
    match order:
        case Support():
            answer = _support(state, seat, standing, order, tables)
        case Resign():
            answer = _resign(state, seat, order)
        case Dismiss() | Appoint() | Accept():
            answer = _office(state, seat, order)
        case Propose() | Sign():
            answer = _proposal(state, seat, standing, order, tables)
        case Vote() | StandingVote():
            answer = _vote(state, seat, standing, order, tables)
        case Call():
            answer = _call(state, seat, order)
        case Cheque() | Local():
            answer = _payment(seat, order)
        case Candidates() | Bloc():
            answer = _districts(state, seat, order)
        case Prefer():
            _known_parties(order.parties)
            answer = Checked((order,))
        case Amend() | SignAmendment() | VoteAmendment():
            answer = _amendment(state, order)
        case _:
            answer = Checked((order,))
    return answer


def _word(order: Game1966) -> str:
    if isinstance(order, Support):
        return order.form.upper()
    return _WORDS.get(type(order)) or str(order).split(maxsplit=1)[0]


def _known_parties(words: tuple[str, ...]) -> None:
    """Refuses the first word that is no party."""
    for word in words:
        if word not in PARTIES:
            found = resolve(word, PARTY_NAMES)
            if isinstance(found, Problem):
                raise _RefusalError(Checked((), (found,)))
            _refuse_if(True, "E_PLAYER", f'There is no player "{word}" in this game.')


def _known_offices(words: tuple[str, ...]) -> None:
    for word in words:
        if word not in OFFICES:
            found = resolve(word, OFFICE_NAMES)
            if isinstance(found, Problem):
                raise _RefusalError(Checked((), (found,)))
            listed = "PREMIER, FOREIGN, DEFENSE and FINANCE"
            _refuse_if(
                True, "E_OFFICE", f'There is no office "{word}": the offices are {listed}.', "5"
            )


def _known_bill(number: int, tables: Tables) -> None:
    _refuse_if(
        number not in tables.bills,
        "E_BILL",
        f"There is no bill #{number}: the bills are #1 to #7.",
        "13",
    )


def _known_districts(districts: tuple[int, ...]) -> None:
    for district in districts:
        message = f"There is no district {district}: they are numbered 1 to {DISTRICTS}."
        _refuse_if(not 1 <= district <= DISTRICTS, "E_DISTRICT", message, "21")


def _known_vote(vote: str, rule: str) -> None:
    message = f'"{vote}" is not a vote: YES, NO or ABSTAIN.'
    _refuse_if(vote not in ("yes", "no", "abstain"), "E_VOTE", message, rule)


def _support(
    state: State, seat: str, standing: Standing, order: Support, tables: Tables
) -> Checked:
    """Paragraphs 6 to 8; the membership that a new order would give up is kept with it (ruling
    3)."""
    offices = tuple(office for office, _ in order.offices)
    _known_parties((order.premier,) if order.form in ("join", "endorse") and order.premier else ())
    _known_parties(tuple(holder for _, holder in order.offices))
    _known_offices(offices)
    if order.offices:
        lacking = ", ".join(office.upper() for office in OFFICES if office not in offices)
        _refuse_if(
            bool(lacking), "E_LIST", f"No office may be left vacant: {lacking} is missing.", "6"
        )
        _refuse_if(offices != OFFICES, "E_LIST", "The list names an office twice.", "6")
    if order.form in ("join", "endorse"):
        message = (
            f"You cannot {order.form} your own Government: send its list, GOVERNMENT PREMIER"
            f" {seat}, ..."
        )
        _refuse_if(order.premier == seat, "E_OWN", message, "R2")
        other = dict(order.offices).get("premier", order.premier) != order.premier
        _refuse_if(other, "E_LIST", f"The list names another Premier than {order.premier}.", "6")
    bill = order.bill
    if bill is not None:
        _known_bill(bill, tables)
    message = f"Bill #{bill} has passed in this session: the proposal will carry no bill."
    return _answer(
        _remembering(seat, standing.get(Support.slot), order),
        (state.has_passed(bill), message, "17"),
    )


def _remembering(seat: str, before: Order | None, order: Support) -> Support:
    """The order with the memberships it would give up; one that returns to such a membership
    forgets it."""
    if not isinstance(before, Support) or order.instead:
        return order
    given_up = [*before.chain(), *([replace(before, instead=None)] if before.joins(seat) else [])]
    chain: Support | None = None
    for earlier in given_up:
        if not (order.joins(seat) and order.premier == earlier.premier):
            chain = replace(earlier, instead=chain)
    return replace(order, instead=chain)


def _resign(state: State, seat: str, order: Resign) -> Checked:
    """Paragraph 12, ruling 3."""
    government = state.governing()
    if order.what != "NEW":
        _known_offices((order.what,) if order.what else ())
        held = government.held_by(seat) if government else ()
        what = f"the office {order.what.upper()}" if order.what else "any office"
        message = f"You do not hold {what}; RESIGN NEW leaves a Government just formed."
        _refuse_if(not held or (order.what not in ("", *held)), "E_OFFICE", message, "R3")
    return Checked((order,))


def _office(state: State, seat: str, order: Dismiss | Appoint | Accept) -> Checked:
    """Paragraph 12."""
    government = state.governing()
    premier = government.premier if government else None
    _refuse_if(
        isinstance(order, Dismiss) and seat != premier,
        "E_ROLE",
        "Only the Premier may give DISMISS.",
        "12",
    )
    if not isinstance(order, Accept):
        _known_parties((order.party,))
    _known_offices((order.office,))
    message = "The Premier is neither appointed nor dismissed: a proposed Government names him."
    _refuse_if(order.office == "premier", "E_OFFICE", message, "12")
    if isinstance(order, Dismiss):
        holder = government.offices[order.office] if government else ""
        message = f"{order.party} is not the {order.office} minister; {holder} is."
        _refuse_if(holder != order.party, "E_OFFICE", message, "12")
    message = "You are not the Premier: this counts only if you are when the period ends."
    return _answer(order, (isinstance(order, Appoint) and seat != premier, message, "R4"))


def _proposal(
    state: State, seat: str, standing: Standing, order: Propose | Sign, tables: Tables
) -> Checked:
    """Paragraphs 13 to 15, 17 and 19."""
    _known_bill(order.bill, tables)
    _refuse_if(
        state.last, "E_LAST", "No bill can be proposed in the last period of a session.", "19"
    )
    _refuse_if(
        state.has_passed(order.bill),
        "E_PASSED",
        f"Bill #{order.bill} has passed in this session already.",
        "17",
    )
    government, proposes = state.governing(), isinstance(order, Propose)
    premier = government.premier if government else None
    inside = government is not None and seat in government.parties
    others = {
        o.bill
        for slot, o in standing.items()
        if isinstance(o, Propose | Sign) and slot != order.slot
    }
    return _answer(
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
            not inside and bool(others - {order.bill}),
            "An opposition party signs one bill at most: two or more void each other.",
            "15",
        ),
    )


def _vote(
    state: State, seat: str, standing: Standing, order: Vote | StandingVote, tables: Tables
) -> Checked:
    """Paragraph 16."""
    _known_bill(order.bill, tables)
    if isinstance(order, StandingVote):
        if order.vote != "NONE":
            _known_vote(order.vote, "16")
        return Checked((order,))
    _known_vote(order.vote, "16")
    called = next((one for one in state.called if one.bill == order.bill), None)
    put = ", ".join(f"#{one.bill}" for one in state.called) or "none is"
    message = f"Bill #{order.bill} is not put to the vote in this period ({put})."
    if called is None:
        raise _RefusalError(Checked.refused("E_BILL", message, "16"))
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
    return _answer(
        order,
        (leads and bound and order.vote == forbidden, message, "14"),
        (serves and "RESIGN" not in standing and order.vote in ("no", forbidden), minister, "16"),
    )


def _call(state: State, seat: str, order: Call) -> Checked:
    """Paragraph 18, ruling 13."""
    message = "The election has been called already: this is the session's last period."
    _refuse_if(state.last, "E_CALLED", message, "R13")
    government = state.governing()
    message = "You are not the Premier: this counts only if you are when the period ends."
    return _answer(order, (government is None or seat != government.premier, message, "R4"))


def _payment(seat: str, order: Cheque | Local) -> Checked:
    """Paragraphs 27 and 28; never refused for want of money."""
    if isinstance(order, Cheque):
        _known_parties((order.payee,))
        _refuse_if(order.payee == seat, "E_OWN", "You cannot pay yourself.", "27")
        return Checked((order,))
    _known_parties((order.party,) if order.party else ())
    _known_districts((order.district,))
    message = f"You can pay your own local parties only, not {order.party}'s."
    _refuse_if(order.party not in ("", seat), "E_BLOC", message, "28")
    return Checked((replace(order, party=""),) if order.party else (order,))


def _districts(state: State, seat: str, order: Candidates | Bloc) -> Checked:
    """Paragraphs 19 and 24."""
    if isinstance(order, Candidates):
        note = "Lists are due in the period after an election is called."
        _refuse_if(
            not state.last,
            "E_PHASE",
            "CANDIDATES is not possible in the session period.",
            "19",
            note,
        )
        _known_districts(order.districts)
        return Checked((order,))
    _known_parties(() if order.to == "NONE" else (order.to,))
    _known_districts((order.district,))
    ballot = state.ballots.get(str(order.district))
    if state.phase == "primary":
        ballot = Ballot(tuple(p for p in PARTIES if order.district in state.candidates.get(p, ())))
    if ballot is None:
        return Checked((order,))
    where = f"in district {order.district} on this ballot"
    return _answer(
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
        _refuse_if(not text, "E_AMENDMENT", "The amendment has no text.", "35")
        return Checked((Amend(text),))
    one = next((a for a in state.amendments if a.number == order.number), None)
    if one is None:
        raise _RefusalError(
            Checked.refused("E_AMENDMENT", f"There is no amendment {order.number}.", "35")
        )
    if isinstance(order, SignAmendment):
        message = f"Amendment {one.number} needs no more signatures."
        _refuse_if(one.stage != "signing", "E_AMENDMENT", message, "35")
        return Checked((order,))
    _known_vote(order.vote, "35")
    put = one.voted_in(state.session, state.period)
    _refuse_if(
        not put,
        "E_AMENDMENT",
        f"Amendment {one.number} is not put to the vote in this period.",
        "R12",
    )
    return Checked((order,))
