"""A seat's form: orders it could send now, from what it knows.

Asked ones first, then its offices', then anybody's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.games.frame.ruleset import Offer
from pbem.games.parlement_1968.state import ELECTION, SESSION, State, members
from pbem.games.parlement_1968.steps.hopes import dead, named
from pbem.games.parlement_1968.steps.house import (
    controls,
    is_independent,
    lawful_record,
    ministry,
    offices_for,
    own_factions,
    party_of,
)
from pbem.games.parlement_1968.tables import Tables, spans

_CROWNS = ("1000", "500")
_CHOICES = ("YES", "NO", "ABSTAIN")
_LEVELS = ("H", "L", "ABSTAIN")


def offers(state: State, tables: Tables, seat: str) -> tuple[Offer, ...]:
    """Return the offers; none after the game."""
    if state.over:
        return ()
    own = own_factions(state, tables, seat)
    regions = [unit.partition("-")[2].upper() for unit in own]
    asked = {
        "formation": _formation,
        "program": _program,
        "budget": _budget,
        "bill": _bill,
        "candidates": _lists,
        "ballot": _money_and_blocs,
        "withdrawals": _withdrawals,
        "runoff": _money_and_blocs,
    }[state.phase]
    return (
        *asked(state, tables, seat, regions),
        *_offices(state, tables, seat),
        *_party(state, tables, seat, regions),
    )


def _offer(kind: str, *fills: Iterable[str], **data: Any) -> Offer:
    return Offer(kind, tuple(tuple(words) for words in fills), data)


def _members_of(state: State, tables: Tables, first: str) -> list[str]:
    """Return a member of each party as orders name him, ``first``'s first."""
    found: dict[str, str] = {}
    for district, holder in members(state, tables.districts).items():
        if not is_independent(holder):
            found.setdefault(holder, f"{holder} {district}")
    return [found[party] for party in sorted(found, key=lambda party: (party != first, party))]


def _formation(state: State, tables: Tables, seat: str, regions: Sequence[str]) -> Iterator[Offer]:
    """R1."""
    if not regions:
        return
    known = [p for p in state.proposals if any(party_of(u) == seat for u in named(p, tables))]
    later = [str(state.proposed + n) for n in (1, 2, 3)]
    alive = [p for p in known if not dead(state, tables, p)]
    numbers = [str(p.number) for p in alive] or later
    own = [
        region
        for region in regions
        if not alive or f"{seat}-{tables.region_named(region)}" in named(alive[0], tables)
    ]
    if alive or not known:
        yield replace(_offer("sign", numbers, known=bool(known)), few=bool(known))
        if len(own) > 1:
            yield _offer("sign_one", numbers[:1], own)
        yield replace(_offer("back_out", numbers), few=bool(known))
    people = _members_of(state, tables, seat)
    endorsers = [f"{seat}-{tables.region_named(region)}" for region in regions]
    offices = [key.upper() for key in tables.offices]
    yield _offer("government", *[people for _ in offices], endorsers, offices=offices)


def _program(state: State, tables: Tables, seat: str, regions: Sequence[str]) -> Iterator[Offer]:
    open_bills = [bill for bill in tables.bills if not _passed(state, bill)]
    premier = ministry(state, tables.premier)
    if premier == seat:
        several = [", ".join(open_bills[:2])] if len(open_bills) > 1 else []
        words = [*several, *open_bills[:1], "NONE"]
        if state.budget_passed:
            yield _offer("program_bills", words)
        else:
            items = [item.upper() for item in tables.items]
            yield _offer("program", *[("H", "L") for _ in items], words, items=items)
        return
    bills = [
        bill
        for bill in open_bills
        if any(ministry(state, office) == seat for office in offices_for(tables, bill=bill))
    ]
    if bills:
        yield _offer("approve_bill", bills, bills=bills)
    if not state.budget_passed:
        yield from _approve_items(state, tables, seat)


def _passed(state: State, bill: str) -> bool:
    return bill in state.bills and state.bills[bill].passed


def _approve_items(state: State, tables: Tables, seat: str) -> Iterator[Offer]:
    own = [
        item.upper()
        for item in tables.items
        if any(ministry(state, office) == seat for office in offices_for(tables, item=item))
    ]
    if own:
        yield _offer("approve_item", own, items=own)


def _budget(state: State, tables: Tables, seat: str, regions: Sequence[str]) -> Iterator[Offer]:
    """5.3, 5.7."""
    items = [item.upper() for item in tables.items]
    levels = [_LEVELS for _ in items]
    if regions:
        yield _offer("vote_budget", *levels, items=items)
    if len(regions) > 1:
        yield _offer("vote_budget_one", regions, *levels, items=items)
    if state.program and state.program.again and state.government:
        if ministry(state, tables.premier) == seat:
            yield _offer("change_budget", *[("H", "L") for _ in items], items=items)
        else:
            yield from _approve_items(state, tables, seat)


def _bill(state: State, tables: Tables, seat: str, regions: Sequence[str]) -> Iterator[Offer]:
    if regions and state.program and state.program.agenda:
        bill = state.program.agenda[0]
        yield _offer("vote", _CHOICES, bill=bill)
        if len(regions) > 1:
            yield _offer("vote_one", regions, _CHOICES, bill=bill)


def _lists(state: State, tables: Tables, seat: str, regions: Sequence[str]) -> Iterator[Offer]:
    yield from _bill(state, tables, seat, regions)
    yield from _list(state, tables, seat, kind="candidates")


def _list(state: State, tables: Tables, seat: str, kind: str) -> Iterator[Offer]:
    held = [d for d in tables.districts if state.holders.get(d) == seat]
    words = [spans(held, tables)] if held else []
    yield _offer(kind, [*words, tables.districts[0], "NONE"])
    own = own_factions(state, tables, seat)
    elsewhere = [r.upper() for r in tables.regions if f"{seat}-{r}" not in own]
    lending = [r.upper() for r in tables.regions if lawful_record(state, tables, seat, r)]
    if elsewhere and len(lending) > 1:
        yield _offer("record", elsewhere, lending)


def _contested(state: State, tables: Tables) -> list[str]:
    return list(tables.districts if state.phase == "ballot" else state.runoffs)


def _written(candidate: str) -> str:
    return candidate.upper() if is_independent(candidate) else candidate


def _money_and_blocs(
    state: State, tables: Tables, seat: str, regions: Sequence[str]
) -> Iterator[Offer]:
    """8.15, 8.17."""
    held = {d: list(state.candidates.get(d, {})) for d in _contested(state, tables)}
    if found := _candidate_and_place(held, seat):
        own = spans((d for d, who in held.items() if seat in who), tables)
        yield _offer("spend", _CROWNS, *found, own=own)
    for bloc, control in controls(state, tables).items():
        reached = {d: who for d, who in held.items() if tables.region(d) in control.regions}
        if control.party == seat and (found := _candidate_and_place(reached, seat)):
            yield _offer("bloc", found[1], found[0], bloc=bloc)


def _candidate_and_place(
    held: Mapping[str, Sequence[str]], seat: str
) -> tuple[list[str], list[str]] | None:
    first = next((d for d, who in held.items() if seat in who), next(iter(held), None))
    if first is None or not held[first]:
        return None
    who = sorted(held[first], key=lambda name: name != seat)
    places = [d for d, standing in held.items() if who[0] in standing and d != first]
    return [_written(name) for name in who], [first, *places]


def _withdrawals(
    state: State, tables: Tables, seat: str, regions: Sequence[str]
) -> Iterator[Offer]:
    own = [d for d in state.runoffs if seat in state.candidates.get(d, {})]
    if own:
        yield _offer("withdraw", own, districts=spans(own, tables))


def _offices(state: State, tables: Tables, seat: str) -> Iterator[Offer]:
    if state.government is None:
        return
    mine = [office for office in tables.offices if ministry(state, office) == seat]
    premier = ministry(state, tables.premier) == seat
    if state.phase in SESSION:
        posts = [office.upper() for office in tables.offices if office != tables.premier]
        own = [d for d in tables.districts if state.holders.get(d) == seat]
        if premier and posts:
            yield _offer("reshuffle", posts, _members_of(state, tables, seat))
        elif own and posts:
            yield _offer("consent", posts, [f"{seat} {own[0]}"])
    if premier and state.phase in ("program", "budget", "bill") and not state.call_year:
        yield _offer("call", ["ELECTION"])
    if mine and state.phase in (*SESSION, *ELECTION):
        yield _offer("resign", [office.upper() for office in mine], premier=premier)


def _party(state: State, tables: Tables, seat: str, regions: Sequence[str]) -> Iterator[Offer]:
    others = [party for party in tables.parties if party != seat]
    yield _offer("pay", _CROWNS, others)
    if regions and state.phase in ("formation", *SESSION[:-1]):
        before = state.program.agenda[:1] if state.program else ()
        bills = [b for b in tables.bills if not _passed(state, b) and b not in before]
        if bills:
            yield _offer("standing", bills, (*_CHOICES, "NONE"))
        if not state.budget_passed:
            items = [item.upper() for item in tables.items]
            yield _offer("standing_budget", *[_LEVELS for _ in items], items=items)
    if state.phase in ("formation", "program", "budget", "bill"):
        yield from _list(state, tables, seat, kind="sealed")
        announced = state.announced.get(seat, ())
        free = [d for d in tables.districts if d not in announced]
        free.sort(key=lambda district: state.holders.get(district) != seat)
        if free:
            yield _offer("announce", free[:5])
    if regions:
        yield _offer("expel", regions)
