"""Receipt notes on standing orders.

The account is told only with private_treasury_notices (34, R20).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.games.frame.ballots import strength
from pbem.games.frame.events import Event, Minutes, Seat
from pbem.games.parlement_1966.orders import (
    Appoint,
    Bloc,
    Call,
    Candidates,
    Cash,
    Cheque,
    Local,
    Prefer,
    Propose,
    Resign,
    Sign,
    SignAmendment,
    Support,
    Vote,
    VoteAmendment,
    WriteCheque,
)
from pbem.games.parlement_1966.silence import bloc_rows
from pbem.games.parlement_1966.state import Instructions, State
from pbem.games.parlement_1966.steps import amendments, bills, cabinet, elections, finance
from pbem.games.parlement_1966.tables import Tables
from pbem.orders.order import Standing
from pbem.text import spans


def advice(state: State, seat: Seat, standing: Standing, tables: Tables) -> tuple[Event, ...]:
    """Return each order's notes, then the sums of money."""
    minutes = Minutes()
    for order in standing.values():
        match order:
            case Vote():
                _vote(state, seat, standing, order, tables, minutes)
            case Support():
                _support(state, seat, order, minutes)
            case Propose():
                _bill(state, seat, order, tables, minutes)
            case Sign() if Propose.slot not in standing:
                _bill(state, seat, order, tables, minutes)
            case Resign() | Appoint() | Call():
                _office(state, seat, order, minutes)
            case VoteAmendment() | SignAmendment():
                _amendment(state, seat, order, minutes)
            case WriteCheque() | Cash():
                _cheque(seat, order, minutes)
            case Candidates():
                _list(seat, order, tables, minutes)
    if any(isinstance(order, Bloc | Prefer) for order in standing.values()):
        filed = elections.instructions(state, {seat: standing}).get(seat, Instructions())
        if rows := bloc_rows(state, seat, filed, tables):
            minutes.private("blocs_will_go", "24", [seat], rows=rows)
        _named_before(state, seat, standing, tables, minutes)
    _money(state, seat, standing, tables, minutes)
    at_once = (Support.slot, str(Resign("NEW")), "PASS")
    if state.unformed and any(slot not in at_once for slot in standing):
        minutes.private("will_wait", "R1", [seat])
    return tuple(minutes.events)


def _vote(
    state: State,
    seat: Seat,
    standing: Standing,
    order: Vote,
    tables: Tables,
    minutes: Minutes,
) -> None:
    """Paragraphs 14, 16, 22."""
    called = next((one for one in state.called if one.bill == order.bill), None)
    if called is None:
        return
    government, bill = state.governing(), tables.bills[order.bill]
    serves = government is not None and seat in government.parties - {government.premier}
    if serves and Resign().slot not in standing:
        assert government is not None
        minutes.private("will_follow", "16", [seat], bill=order.bill, premier=government.premier)
        return
    leaves = any(isinstance(one, Resign) for one in standing.values())
    one = bills.counted(
        bill, called, None if leaves else government, {seat: order.vote}, state.seats
    )[seat]
    minutes.private(
        "will_vote",
        "16",
        [seat],
        bill=order.bill,
        sent=order.vote,
        vote=one.vote,
        restrained=one.restrained,
        members=max(one.division.yes, one.division.no, 0),
        abstaining=one.division.abstain,
        worth=bill.worth(seat, one.vote, passed=False) if state.seats[seat] else {},
        passed=bill.worth(seat, one.vote, passed=True) if state.seats[seat] else {},
    )


def _support(state: State, seat: Seat, order: Support, minutes: Minutes) -> None:
    """Paragraphs 6 to 9, by this order alone."""
    needed = cabinet.MAJORITY
    if order.form == "join":
        minutes.private("will_join", "R2", [seat], premier=order.premier)
    elif order.form == "withdraw":
        minutes.private("will_withdraw", "7", [seat])
    elif order.offices and seat in order.holders():
        others = [p for p in state.seats if p in order.holders() - {seat}]
        held = strength(state.seats, order.holders())
        minutes.private(
            "will_propose",
            "9",
            [seat],
            premier=order.premier,
            lead=order.premier == seat,
            others=others,
            held=held,
            lacking=max(0, needed - held),
            bill=order.bill,
        )
    else:
        minutes.private(
            "will_endorse", "8", [seat], premier=order.premier, members=state.seats[seat]
        )


def _bill(
    state: State, seat: Seat, order: Propose | Sign, tables: Tables, minutes: Minutes
) -> None:
    """Report signatures that lack (13, 14)."""
    government, number = state.governing(), order.bill
    minister = tables.bills[number].minister
    inside = government is not None and seat in government.parties
    if government is None or inside != (state.turn == "government"):
        if isinstance(order, Sign):
            minutes.private(
                "sign_counts_later",
                "14" if minister or inside else "13",
                [seat],
                bill=number,
                office=minister or "",
                inside=inside,
            )
    elif inside:
        holder = government.offices[minister] if minister else seat
        minutes.private(
            "bill_by_government",
            "14",
            [seat],
            bill=number,
            leads=seat == government.premier,
            office=minister or "",
            holder=holder if holder != government.premier else "",
        )
    else:
        lacking = max(0, bills.TO_PROPOSE - state.seats[seat])
        minutes.private("bill_by_opposition", "13", [seat], bill=number, lacking=lacking)


def _office(state: State, seat: Seat, order: Resign | Appoint | Call, minutes: Minutes) -> None:
    government = state.governing()
    leads = government is not None and seat == government.premier
    if isinstance(order, Appoint):
        minutes.private("will_appoint", "R5", [seat], party=order.party, office=order.office)
    elif isinstance(order, Call):
        minutes.private("will_call", "18", [seat], leads=leads)
    elif leads and order.what in ("", "premier"):
        minutes.private("will_fall", "12", [seat])


def _cheque(seat: Seat, order: WriteCheque | Cash, minutes: Minutes) -> None:
    """R23."""
    if isinstance(order, Cash):
        minutes.private("will_cash", "R23", [seat], number=order.number)
    elif order.crowns:
        data = {"crowns": order.crowns, "payee": order.payee}
        minutes.private("will_write", "R23", [seat], **data)


def _amendment(
    state: State, seat: Seat, order: VoteAmendment | SignAmendment, minutes: Minutes
) -> None:
    """Paragraph 35."""
    one = next((a for a in state.amendments if a.number == order.number), None)
    if one is None:
        return
    data = {"number": one.number, "text": one.text}
    if isinstance(order, VoteAmendment):
        members = state.seats[seat]
        minutes.private(
            "will_vote_amendment", "35", [seat], vote=order.vote, members=members, **data
        )
        return
    lacking = amendments.TO_PUT - strength(state.seats, {*one.signers, seat})
    minutes.private("will_sign_amendment", "35", [seat], lacking=max(0, lacking), **data)


def _list(seat: Seat, order: Candidates, tables: Tables, minutes: Minutes) -> None:
    weak = [d for d in order.districts if d in tables.missing[seat]]
    minutes.private(
        "will_stand",
        "29",
        [seat],
        count=len(order.districts),
        crowns=tables.fee * len(order.districts),
        weak=spans(weak),
    )


def _named_before(
    state: State, seat: Seat, standing: Standing, tables: Tables, minutes: Minutes
) -> None:
    """Report districts of a PREFER that an earlier BLOC names (R14)."""
    filed = state.instructions.get(seat, Instructions())
    again = {str(order.district) for order in standing.values() if isinstance(order, Bloc)}
    named = sorted(int(district) for district in filed.blocs if district not in again)
    if elections.to_be_held(state):
        sent = {district for district, *_ in elections.directed(state, seat, filed, tables)}
        named = [district for district in named if district in sent]
    if Prefer.slot in standing and named:
        minutes.private("prefer_not_in", "R14", [seat], districts=spans(named), count=len(named))


def _votes_bought(
    state: State,
    seat: Seat,
    standing: Standing,
    places: Sequence[int],
    tables: Tables,
    minutes: Minutes,
) -> None:
    """Report votes paid for that go to no own candidate (24, 28)."""
    going: dict[str, list[int]] = {}
    listed = standing.get(Candidates.slot)
    if state.phase == "session":
        if isinstance(listed, Candidates):
            going["unlisted"] = [d for d in places if d not in listed.districts]
    else:
        told = {seat: elections.instructions(state, {seat: standing}).get(seat, Instructions())}
        count = elections.Count(state.local, state.records, told, tables)
        polled = elections.to_be_held(state)
        for district in places:
            ballot = polled.get(str(district))
            if ballot is None or not ballot.entrants:
                going.setdefault("later", []).append(district)
            elif (to := count.sent(seat, str(district), ballot)) != seat:
                going.setdefault(to or "nobody", []).append(district)
    for to, districts in going.items():
        if districts:
            minutes.private(
                "votes_go", "28", [seat], to=to, districts=spans(districts), count=len(districts)
            )


def _money(state: State, seat: Seat, standing: Standing, tables: Tables, minutes: Minutes) -> None:
    plan = finance.plans({seat: standing}, state.last)[seat]
    paid = plan.cost(tables.fee)
    if not any(isinstance(one, Cheque | Local | Candidates) for one in standing.values()):
        return
    if plan.cheques:
        back = tuple(f" TO {payee}" for payee, crowns in plan.cheques.items() if not crowns)
        waited = any(text.endswith(back) for text in state.waiting.get(seat, ()))
        cheques = dict(sorted(plan.cheques.items()))
        minutes.private("will_pay", "27", [seat], cheques=cheques, waited=waited)
    if any(plan.local.values()):
        minutes.private(
            "will_pay_districts",
            "28",
            [seat],
            rows=local_rows(plan.local.items(), state.local[seat]),
            crowns=sum(plan.local.values()),
            loss=tables.loss,
        )
        places = sorted(
            district
            for district, crowns in plan.local.items()
            if crowns and state.local[seat][district - 1] + crowns > 0
        )
        _votes_bought(state, seat, standing, places, tables, minutes)
    due = {
        entry.purpose: entry.amount
        for entry in finance.income(state, state.governing(), tables)
        if entry.payee == seat
    }
    if not state.settings.notices:
        minutes.private("costs", "34", [seat], crowns=paid, due=due)
        return
    balance = state.accounts.balance(seat)
    left = balance + sum(due.values()) - paid
    minutes.private("leaves", "R20", [seat], crowns=paid, due=due, balance=balance, left=left)


def local_rows(paid: Iterable[tuple[int, int]], blocs: Sequence[int]) -> list[dict[str, object]]:
    """Group payments (district, crowns) by the votes they buy; a debt is made up first (28, R16).
    ``blocs``: votes by district."""
    alike: dict[tuple[int, int], list[int]] = {}
    for district, crowns in sorted(paid):
        if crowns:
            had = blocs[district - 1]
            votes = max(0, had + crowns) - max(0, had)
            alike.setdefault((crowns, votes), []).append(district)
    return [
        {"crowns": crowns, "votes": votes, "districts": spans(districts), "count": len(districts)}
        for (crowns, votes), districts in alike.items()
    ]
