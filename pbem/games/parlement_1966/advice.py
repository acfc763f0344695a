"""What follows from standing orders and from silence, and a form of what can be sent now, owed ones
first. The account is told only with private_treasury_notices (34, R20)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbem.games.frame.events import Seat, Tell, grouped
from pbem.games.frame.ruleset import Offer
from pbem.games.parlement_1966 import orders
from pbem.games.parlement_1966.orders import Case
from pbem.games.parlement_1966.state import DISTRICTS, OFFICES, PARTIES, Instructions, State, Tables
from pbem.games.parlement_1966.steps import bills, cabinet, elections, finance
from pbem.games.parlement_1966.steps.bills import counts_as
from pbem.games.parlement_1966.steps.elections import directed, strength, to_be_held
from pbem.games.parlement_1966.steps.periods import LAST_BEFORE_CALL
from pbem.orders.order import Order
from pbem.text import spans


def advice(case: Case, tell: Tell) -> None:
    """Tell each order's notes, then the sums of money."""
    for order in case.standing.values():
        _order(case, order, tell)
    if case.of(orders.Bloc, orders.Prefer):
        if rows := bloc_rows(case, _filed(case)):
            tell("blocs_will_go", "24", rows=rows)
        _named_before(case, tell)
    _money(case, tell)
    at_once = (orders.Support.slot, str(orders.Resign("NEW")), "PASS")
    if case.state.unformed and any(slot not in at_once for slot in case.standing):
        tell("will_wait", "R1")


def _order(case: Case, order: Order, tell: Tell) -> None:
    match order:
        case orders.Vote():
            _vote(case, order, tell)
        case orders.Support():
            _support(case, order, tell)
        case orders.Propose():
            _bill(case, order, tell)
        case orders.Sign() if orders.Propose.slot not in case.standing:
            _bill(case, order, tell)
        case orders.Resign() if case.state.led_by(case.seat) and order.what in ("", "premier"):
            tell("will_fall", "12")
        case orders.Appoint():
            tell("will_appoint", "R5", party=order.party, office=order.office)
        case orders.Call():
            tell("will_call", "18", leads=case.state.led_by(case.seat))
        case orders.VoteAmendment() | orders.SignAmendment():
            _amendment(case, order, tell)
        case orders.Cash():
            tell("will_cash", "R23", number=order.number)
        case orders.WriteCheque() if order.crowns:
            tell("will_write", "R23", crowns=order.crowns, payee=order.payee)
        case orders.Candidates(districts=stands):
            weak = spans([d for d in stands if d in case.tables.missing[case.seat]])
            crowns = case.tables.fee * len(stands)
            tell("will_stand", "29", count=len(stands), crowns=crowns, weak=weak)


def _filed(case: Case) -> Instructions:
    told = elections.instructions(case.state, {case.seat: case.standing})
    return told.get(case.seat, Instructions())


def _leader(case: Case) -> str:
    government = case.state.governing()
    return government.leader_of(case.seat) if government else ""


def _vote(case: Case, order: orders.Vote, tell: Tell) -> None:
    """Paragraphs 14, 16, 22."""
    state, seat, bill = case.state, case.seat, case.tables.bills[order.bill]
    called = next((one for one in state.called if one.bill == order.bill), None)
    if called is None:
        return
    leader = _leader(case)
    if leader and orders.Resign().slot not in case.standing:
        tell("will_follow", "16", bill=order.bill, premier=leader)
        return
    government = None if case.of(orders.Resign) else state.governing()
    one = bills.counted(bill, called, government, {seat: order.vote}, state.seats)[seat]
    tell(
        "will_vote",
        "16",
        bill=order.bill,
        sent=order.vote,
        vote=one.vote,
        restrained=one.restrained,
        members=max(one.division.yes, one.division.no, 0),
        abstaining=one.division.abstain,
        worth=bill.worth(seat, one.vote, passed=False) if state.seats[seat] else {},
        passed=bill.worth(seat, one.vote, passed=True) if state.seats[seat] else {},
    )


def _support(case: Case, order: orders.Support, tell: Tell) -> None:
    """Paragraphs 6 to 9, by this order alone."""
    seats, seat, premier = case.state.seats, case.seat, order.premier
    if order.form == "join":
        tell("will_join", "R2", premier=premier)
    elif order.form == "withdraw":
        tell("will_withdraw", "7")
    elif order.offices and seat in order.holders():
        held = strength(seats, order.holders())
        tell(
            "will_propose",
            "9",
            premier=premier,
            lead=premier == seat,
            others=[p for p in seats if p in order.holders() - {seat}],
            held=held,
            lacking=max(0, cabinet.MAJORITY - held),
            bill=order.bill,
        )
    else:
        tell("will_endorse", "8", premier=premier, members=seats[seat])


def _bill(case: Case, order: orders.Propose | orders.Sign, tell: Tell) -> None:
    """Report signatures that lack (13, 14)."""
    state, seat, number = case.state, case.seat, order.bill
    government, minister = state.governing(), case.tables.bills[number].minister
    inside = government is not None and seat in government.parties
    told = {"bill": number, "office": minister or ""}
    if government is None or inside != (state.turn == "government"):
        if isinstance(order, orders.Sign):
            rule = "14" if minister or inside else "13"
            tell("sign_counts_later", rule, **told, inside=inside)
    elif inside:
        holder = government.offices[minister] if minister else seat
        signs, leads = holder if holder != government.premier else "", state.led_by(seat)
        tell("bill_by_government", "14", **told, leads=leads, holder=signs)
    elif sum(isinstance(one, orders.Sign) for one in case.standing.values()) < 2:  # else void
        lacking = max(0, bills.TO_PROPOSE - state.seats[seat])
        tell("bill_by_opposition", "13", bill=number, lacking=lacking)


def _amendment(case: Case, order: orders.VoteAmendment | orders.SignAmendment, tell: Tell) -> None:
    one = next((a for a in case.state.amendments if a.number == order.number), None)
    if one is None:
        return
    data, seats = {"number": one.number, "text": one.text}, case.state.seats
    if isinstance(order, orders.VoteAmendment):
        members = seats[case.seat]
        tell("will_vote_amendment", "35", vote=order.vote, members=members, **data)
        return
    lacking = bills.TO_PUT - strength(seats, {*one.signers, case.seat})
    tell("will_sign_amendment", "35", lacking=max(0, lacking), **data)


def _named_before(case: Case, tell: Tell) -> None:
    """Report districts of a PREFER that an earlier BLOC names (R14)."""
    filed = case.state.instructions.get(case.seat, Instructions())
    again = {str(order.district) for order in case.of(orders.Bloc)}
    named = sorted(int(district) for district in filed.blocs if district not in again)
    if elections.to_be_held(case.state):
        sent = {one for one, *_ in directed(case.state, case.seat, filed, case.tables)}
        named = [district for district in named if district in sent]
    if case.of(orders.Prefer) and named:
        tell("prefer_not_in", "R14", districts=spans(named), count=len(named))


def _votes_bought(case: Case, places: Sequence[int], tell: Tell) -> None:
    """Report votes paid for that go to no own candidate (24, 28)."""
    state, seat = case.state, case.seat
    going: dict[str, list[int]] = {}
    if state.phase == "session":
        for listed in case.of(orders.Candidates):
            going["unlisted"] = [d for d in places if d not in listed.districts]
    else:
        count = elections.Count(state.local, state.records, {seat: _filed(case)}, case.tables)
        polled = elections.to_be_held(state)
        for district in places:
            ballot = polled.get(str(district))
            if ballot is None or not ballot.entrants:
                going.setdefault("later", []).append(district)
            elif (to := count.sent(seat, str(district), ballot)) != seat:
                going.setdefault(to or "nobody", []).append(district)
    for to, districts in going.items():
        if districts:
            tell("votes_go", "28", to=to, districts=spans(districts), count=len(districts))


def _money(case: Case, tell: Tell) -> None:
    state, seat, tables = case.state, case.seat, case.tables
    plan = finance.plans({seat: case.standing}, state.last)[seat]
    paid = plan.cost(tables.fee)
    if not case.of(orders.Cheque, orders.Local, orders.Candidates):
        return
    if plan.cheques:
        back = tuple(f" TO {payee}" for payee, crowns in plan.cheques.items() if not crowns)
        waited = any(text.endswith(back) for text in state.waiting.get(seat, ()))
        cheques = dict(sorted(plan.cheques.items()))
        tell("will_pay", "27", cheques=cheques, waited=waited)
    if crowns := sum(plan.local.values()):
        local = state.local[seat]
        rows = local_rows(plan.local.items(), local)
        tell("will_pay_districts", "28", rows=rows, crowns=crowns, loss=tables.loss)
        places = [d for d, n in sorted(plan.local.items()) if n and local[d - 1] + n > 0]
        _votes_bought(case, places, tell)
    own = (entry for entry in finance.income(state, tables) if entry.payee == seat)
    due = {entry.purpose: entry.amount for entry in own}
    if not state.settings.notices:
        tell("costs", "34", crowns=paid, due=due)
        return
    balance = state.accounts.balance(seat)
    left = balance + sum(due.values()) - paid
    tell("leaves", "R20", crowns=paid, due=due, balance=balance, left=left)


def local_rows(paid: Iterable[tuple[int, int]], blocs: Sequence[int]) -> list[dict[str, object]]:
    """Group payments (district, crowns) by the votes they buy; a debt is made up first (28, R16).
    ``blocs``: votes by district."""
    alike = grouped(
        ((crowns, max(0, blocs[d - 1] + crowns) - max(0, blocs[d - 1])), d)
        for d, crowns in sorted(paid)
        if crowns
    )
    return [
        {"crowns": crowns, "votes": votes, "districts": spans(districts), "count": len(districts)}
        for (crowns, votes), districts in alike.items()
    ]


def silence(case: Case, tell: Tell) -> None:
    """Tell consequences, owed orders first; this period's lasting orders are on file."""
    orders_sent = {case.seat: case.standing}
    case.state = state = replace(
        case.state,
        standing_votes=bills.standing_votes(case.state, orders_sent),
        instructions=elections.instructions(case.state, orders_sent),
    )
    if state.phase == "session":
        _votes(case, tell)
        _session(state, case.seat, tell)
    filed = state.instructions.get(case.seat, Instructions())
    if rows := bloc_rows(case, filed):
        told = bool(filed.blocs or filed.prefer)
        tell("blocs_go", "24" if told else "R14", rows=rows, told=told)
    settings, owes = state.settings, bool(state.called) or state.last
    if settings.first_rulings and settings.house_rules and owes and state.missed.get(case.seat):
        tell("missed_before", "R21", times=state.missed[case.seat] + 1)


def _votes(case: Case, tell: Tell) -> None:
    """R10. A party that resigns now is free."""
    state, seat = case.state, case.seat
    if not state.seats[seat]:
        return
    resigns = orders.Resign().slot in case.standing
    government, leader = None if resigns else state.governing(), "" if resigns else _leader(case)
    for called in state.called:
        bill, vote = called.bill, state.standing_votes.get(seat, {}).get(str(called.bill), "")
        slot = orders.Vote(bill, "").slot
        if leader:
            tell("votes_as_premier", "16", bill=bill, premier=leader, slot=slot)
        elif vote and counts_as(called, government, seat, vote) == vote:
            tell("votes_as_filed", "R21", bill=bill, vote=vote, slot=slot)
        else:
            leads = government is not None and seat == government.premier
            rule = "R10" if leads else "16"
            tell("abstains", rule, bill=bill, leads=leads, slot=slot)
    for one in state.amendments:
        if one.voted_in(state.session, state.period):
            slot = orders.VoteAmendment(one.number, "").slot
            data = {"number": one.number, "text": one.text, "slot": slot}
            tell("abstains_amendment", "35", **data)


def _session(state: State, seat: Seat, tell: Tell) -> None:
    government = state.governing()
    if state.last:
        tell("no_list", "R21", slot=orders.Candidates.slot)
    if government is None:
        if members := state.seats[seat]:
            tell("backs_nobody", "9", members=members, slot=orders.Support.slot)
    elif not state.last and state.turn == "government" and seat == government.premier:
        tell("right_lapses", "14", slot=orders.Propose.slot)


def bloc_rows(case: Case, filed: Instructions) -> list[dict[str, str | None]]:
    """Return where unbound blocs go now (24)."""
    sent = directed(case.state, case.seat, filed, case.tables)
    ranked = sorted(grouped((to, d) for d, _, to in sent).items(), key=lambda row: row[1])
    return [{"to": to, "districts": spans(districts)} for to, districts in ranked]


_MINISTRIES = tuple(office.upper() for office in OFFICES[1:])
_BALLOTS = ("YES", "NO", "ABSTAIN")
_MOST_BLOCS = 10  # more different ballots share a line
_WIDEST = 44  # columns of a line's districts


def offers(state: State, seat: Seat, tables: Tables) -> Iterator[Offer]:
    yield from _owed(state, seat, tables)
    yield from _blocs(state, seat, tables)
    if state.phase == "session":
        yield from _bills(state, seat, tables)
        yield from _cabinet(state, seat)
        yield from _form_support(state, seat, tables)
    none = any(votes < 0 for votes in state.local[seat])
    yield Offer("pay", (("1000", "250"), _others(seat)), {})
    yield Offer(f"pay_districts{_early(state)}", (("40", "500"), ("21-50", "7")), {"none": none})
    if state.settings.cheques:
        yield Offer("cheque", (("1000", "250"), _others(seat)), {})
        yield Offer("cash", (("123456",),), {})
    yield Offer(f"prefer{_early(state)}", (_prefers(seat),), {"example": _prefers(seat)[0]})
    if not to_be_held(state):
        own = [d for d in range(1, DISTRICTS + 1) if d not in tables.missing[seat]]
        yield Offer("any_bloc", ((spans(own[:3]),), (*_others(seat), "NONE")), {})
    yield Offer("standing_vote", (_numbers(tables.bills), (*_BALLOTS, "NONE")), {})
    yield from _amendments(state, seat)


def _early(state: State) -> str:
    """Return the end of kinds that notices leave out before an election is near."""
    return "_early" if state.phase == "session" and not state.last else ""


def _others(seat: Seat) -> tuple[str, ...]:
    return tuple(party for party in PARTIES if party != seat)


def _numbers(numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(str, numbers))


def _owed(state: State, seat: Seat, tables: Tables) -> Iterator[Offer]:
    """Paragraphs 16, 19, 35."""
    if state.phase != "session":
        return
    government = state.governing()
    for called in state.called if state.seats[seat] else ():
        bill = tables.bills[called.bill]
        leader = government.leader_of(seat) if government else ""
        role = "minister" if leader else "premier" if state.led_by(seat) else ""
        barred = [v for v in ("yes", "no") if counts_as(called, government, seat, v) != v]
        yield Offer(
            "vote",
            (_BALLOTS,),
            {
                "bill": bill.number,
                "votes": {
                    vote: {
                        "restrained": bill.restrains(seat, vote),
                        "worth": bill.worth(seat, vote, passed=False),
                        "passed": bill.worth(seat, vote, passed=True),
                    }
                    for vote in ("yes", "no")
                },
                "role": role,
                "forbidden": "".join(barred).upper(),
            },
        )
    for one in state.amendments if state.seats[seat] else ():
        if one.voted_in(state.session, state.period):
            data = {"number": one.number, "text": one.text}
            yield Offer("vote_amendment", (_BALLOTS,), data)
    if state.last:
        mine = [d for d in range(1, DISTRICTS + 1) if state.holders[d - 1] == seat]
        strong = [d for d in range(1, DISTRICTS + 1) if d not in tables.missing[seat]]
        lists = dict.fromkeys((spans(mine or strong[:10]), "NONE"))
        yield Offer("candidates", (tuple(lists),), {"fee": tables.fee})


def _form_support(state: State, seat: Seat, tables: Tables) -> Iterator[Offer]:
    """Paragraphs 6 to 9."""
    replaces = state.governing() is not None
    brings = not state.last and bool(_open_bills(state, tables))
    data = {"members": state.seats[seat], "seat": seat, "replaces": replaces, "brings": brings}
    like = "_instead" if replaces else ""
    yield Offer(f"government{like}", (tuple(PARTIES),) * 3, data)
    yield Offer(f"join{like}", (_others(seat),), data)
    if state.seats[seat]:
        yield Offer(f"endorse{like}", (_others(seat),), data)


def _open_bills(state: State, tables: Tables) -> list[int]:
    called = {one.bill for one in state.called}
    return [n for n in tables.bills if not state.has_passed(n) and n not in called]


def _bills(state: State, seat: Seat, tables: Tables) -> Iterator[Offer]:
    """Paragraphs 13 to 15."""
    government, bills = state.governing(), _open_bills(state, tables)
    if state.last or government is None or not bills:
        return
    signing = [
        n
        for n in bills
        if (minister := tables.bills[n].minister)
        and government.offices[minister] == seat != government.premier
    ]
    if state.turn == "government" and seat == government.premier:
        offices = government.offices
        signers = [(offices[office], n) for n in bills if (office := tables.bills[n].minister)]
        needed = grouped((party, n) for party, n in signers if party != seat)
        yield Offer("propose", (_numbers(bills),), {"signed": needed})
    elif state.turn == "government" and signing:
        yield Offer("approve", (_numbers(signing),), {"bills": signing}, few=True)
    elif state.turn == "opposition" and seat not in government.parties and state.seats[seat]:
        yield Offer("oppose", (_numbers(bills),), {"members": state.seats[seat]}, few=True)


def _cabinet(state: State, seat: Seat) -> Iterator[Offer]:
    """Paragraphs 12, 18."""
    government = state.governing()
    if government is None:
        return
    if seat != government.premier:
        if held := government.held_by(seat):
            yield Offer("resign", (tuple(office.upper() for office in held),), {})
        yield Offer("accept", (_MINISTRIES,), {})
        return
    if not state.last and state.period < LAST_BEFORE_CALL:
        yield Offer("call", (("ELECTION",),), {})
    for party in sorted(government.parties - {seat}, key=list(PARTIES).index):
        held = tuple(office.upper() for office in government.held_by(party))
        yield Offer("dismiss", (held,), {"party": party})
    yield Offer("appoint", (_others(seat), _MINISTRIES), {})
    yield Offer("resign_premier", (("PREMIER",),), {})


def _prefers(seat: Seat) -> tuple[str, ...]:
    others = _others(seat)
    return (", ".join(others[:3]), others[-1], "NONE")


def _blocs(state: State, seat: Seat, tables: Tables) -> Iterator[Offer]:
    """Paragraphs 24, 25. Like districts share a line."""
    filed = state.instructions.get(seat, Instructions())
    sent = directed(state, seat, filed, tables)
    alike = grouped(((ballot.entrants, to), district) for district, ballot, to in sent)
    lines = [(who, to, part) for (who, to), where in alike.items() for part in _parts(where)]
    if len(lines) > _MOST_BLOCS:
        yield Offer("any_bloc", ((spans(lines[0][2]),), (*PARTIES, "NONE")), {})
        return
    for entrants, to, part in lines:
        data = {"districts": spans(part), "entrants": list(entrants), "now": to}
        yield Offer("bloc", ((*entrants, "NONE"),), data)


def _parts(districts: Sequence[int]) -> Iterator[list[int]]:
    part: list[int] = []
    for district in districts:
        if part and len(spans([*part, district])) > _WIDEST:
            yield part
            part = []
        part.append(district)
    if part:
        yield part


def _amendments(state: State, seat: Seat) -> Iterator[Offer]:
    """Paragraph 35."""
    unsigned = {
        one.number: one.text
        for one in state.amendments
        if one.stage == "signing" and seat not in one.signers
    }
    if unsigned:
        yield Offer("sign_amendment", (_numbers(unsigned),), {"texts": unsigned}, few=True)
    yield Offer("amend", (('"Bulletins are printed on blue paper"',),), {})
