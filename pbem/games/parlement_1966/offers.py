"""A seat's form: orders it could send now, owed ones first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Offer
from pbem.games.parlement_1966.names import OFFICES, PARTIES
from pbem.games.parlement_1966.state import DISTRICTS, Government, Instructions, State
from pbem.games.parlement_1966.steps.bills import counts_as
from pbem.games.parlement_1966.steps.elections import directed, to_be_held
from pbem.games.parlement_1966.steps.periods import LAST_BEFORE_CALL
from pbem.games.parlement_1966.tables import Tables
from pbem.text import spans

_MINISTRIES = tuple(office.upper() for office in OFFICES[1:])
_BALLOTS = ("YES", "NO", "ABSTAIN")
_MOST_BLOCS = 10
"""More different ballots share a line."""
_WIDEST = 44
"""Columns of a line's districts."""


def offers(state: State, seat: Seat, tables: Tables) -> tuple[Offer, ...]:
    if state.winners is not None:
        return ()
    return tuple(_all(state, seat, tables))


def _all(state: State, seat: Seat, tables: Tables) -> Iterator[Offer]:
    government = state.governing()
    yield from _owed(state, seat, tables)
    yield from _blocs(state, seat, tables)
    if state.phase == "session":
        if government is None:
            yield from _support(state, seat, tables)
        yield from _bills(state, seat, government, tables)
        yield from _cabinet(state, seat, government)
        if government is not None:
            yield from _support(state, seat, tables)
    yield from _money(state, seat)
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
        lists = dict.fromkeys((_likely_list(state, seat, tables), "NONE"))
        yield Offer("candidates", (tuple(lists),), {"fee": tables.fee})


def _likely_list(state: State, seat: Seat, tables: Tables) -> str:
    mine = [d for d in range(1, DISTRICTS + 1) if state.holders[d - 1] == seat]
    strong = [d for d in range(1, DISTRICTS + 1) if d not in tables.missing[seat]]
    return spans(mine or strong[:10])


def _support(state: State, seat: Seat, tables: Tables) -> Iterator[Offer]:
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


def _bills(
    state: State, seat: Seat, government: Government | None, tables: Tables
) -> Iterator[Offer]:
    """Paragraphs 13 to 15."""
    bills = _open_bills(state, tables)
    if state.last or government is None or not bills:
        return
    signing = [
        n
        for n in bills
        if (minister := tables.bills[n].minister)
        and government.offices[minister] == seat != government.premier
    ]
    if state.turn == "government" and seat == government.premier:
        needed: dict[str, list[int]] = {}
        for number in bills:
            minister = tables.bills[number].minister
            if minister and government.offices[minister] != seat:
                needed.setdefault(government.offices[minister], []).append(number)
        yield Offer("propose", (_numbers(bills),), {"signed": needed})
    elif state.turn == "government" and signing:
        yield Offer("approve", (_numbers(signing),), {"bills": signing}, few=True)
    elif state.turn == "opposition" and seat not in government.parties and state.seats[seat]:
        yield Offer("oppose", (_numbers(bills),), {"members": state.seats[seat]}, few=True)


def _cabinet(state: State, seat: Seat, government: Government | None) -> Iterator[Offer]:
    """Paragraphs 12, 18."""
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


def _money(state: State, seat: Seat) -> Iterator[Offer]:
    none = any(votes < 0 for votes in state.local[seat])
    yield Offer("pay", (("1000", "250"), _others(seat)), {})
    yield Offer(f"pay_districts{_early(state)}", (("40", "500"), ("21-50", "7")), {"none": none})


def _prefers(seat: Seat) -> tuple[str, ...]:
    others = _others(seat)
    return (", ".join(others[:3]), others[-1], "NONE")


def _blocs(state: State, seat: Seat, tables: Tables) -> Iterator[Offer]:
    """Paragraphs 24, 25. Like districts share a line."""
    filed = state.instructions.get(seat, Instructions())
    alike: dict[tuple[tuple[str, ...], str | None], list[int]] = {}
    for district, ballot, to in directed(state, seat, filed, tables):
        alike.setdefault((ballot.entrants, to), []).append(district)
    lines = [
        (entrants, to, part)
        for (entrants, to), districts in alike.items()
        for part in _parts(districts)
    ]
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
