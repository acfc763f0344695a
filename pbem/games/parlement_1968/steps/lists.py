"""Lists, fees, and independents who stand (8.4-8.12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pbem.games.frame.events import Minutes
from pbem.games.frame.treasury import BANK, Payment, pay
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import Candidacy, State, members
from pbem.games.parlement_1968.steps.house import (
    better,
    is_independent,
    lawful_record,
    made_independent,
    own_factions,
    points,
)
from pbem.games.parlement_1968.tables import Tables
from pbem.orders.order import Standing


def announce(
    state: State, tables: Tables, orders: Mapping[str, Standing], minutes: Minutes
) -> State:
    """Announce candidacies, paid at once; short money cuts them by 8.4 (8.5, R20)."""
    for seat in state.seats:
        listed = [
            order.district
            for order in orders.get(seat, {}).values()
            if isinstance(order, o.Announce)
        ]
        if not listed:
            continue
        wanted = [district for district in listed if district not in state.announced.get(seat, ())]
        kept, cut = _affordable(state, tables, seat, wanted)
        if kept or cut:
            state = replace(
                state, accounts=pay(state.accounts, [_fees(state, tables, seat, len(kept))])
            )
            minutes.public("announced", "8.5", party=seat, districts=kept)
            together = sorted((*state.announced.get(seat, ()), *kept), key=tables.rank.__getitem__)
            state = replace(state, announced={**state.announced, seat: tuple(together)})
        if cut:
            minutes.public("fees_short", "8.4", party=seat, districts=cut)
    return state


def _affordable(
    state: State, tables: Tables, seat: str, wanted: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Return affordable and withdrawn ones; non-incumbents go first, in numerical order (8.4)."""
    fee, means = tables.figures["filing_fee"], max(0, state.accounts.balance(seat))
    room = min(len(wanted), means // fee) if fee else len(wanted)
    leaving = sorted(wanted, key=lambda d: (state.holders.get(d) == seat, tables.rank[d]))
    cut = leaving[: len(wanted) - room]
    return sorted((d for d in wanted if d not in cut), key=tables.rank.__getitem__), cut


def _fees(state: State, tables: Tables, account: str, candidates: int) -> Payment:
    amount = candidates * tables.figures["filing_fee"]
    return Payment(state.period, account, BANK, amount, f"filing fees, {candidates} (7.5)")


def default_list(state: State, tables: Tables, seat: str) -> tuple[str, ...]:
    """Return the incumbents that can be paid for (R28)."""
    return tuple(d for d in tables.districts if state.holders.get(d) == seat)


def source(
    state: State,
    tables: Tables,
    seat: str,
    region: str,
    asked: str | None = None,
    own: Mapping[str, int] | None = None,
) -> str:
    """Return the unit whose record counts: the faction there (8.12), else the designated (8.8) or
    largest one, or Table 2's line (R15)."""
    own = own_factions(state, tables, seat) if own is None else own
    if f"{seat}-{region}" in own:
        return f"{seat}-{region}"
    if not own:
        return seat
    if asked and lawful_record(state, tables, seat, asked):
        return f"{seat}-{asked}"
    places = list(tables.regions)
    return min(own, key=lambda unit: (-own[unit], places.index(unit.partition("-")[2])))


def close_lists(
    state: State, tables: Tables, orders: Mapping[str, Standing], minutes: Minutes
) -> State:
    """Open the lists: cut by 8.4, then independents by 8.6, 8.11 and 8.7."""
    standing = {district: dict[str, Candidacy]() for district in tables.districts}
    told, fees = dict[str, list[str]](), list[Payment]()
    for seat in state.seats:
        sent, announced = orders.get(seat, {}), state.announced.get(seat, ())
        listed = _list_sent(state, seat, sent)
        missed = listed is None
        wanted = default_list(state, tables, seat) if listed is None else listed
        wanted = without_expelled(state, tables, seat, sent.values(), wanted)
        kept, cut = _affordable(state, tables, seat, [d for d in wanted if d not in announced])
        fees.append(_fees(state, tables, seat, len(kept)))
        if cut:
            minutes.public("fees_short", "8.4", party=seat, districts=cut)
        if missed and kept:
            minutes.public("renominated", "R28", party=seat, districts=kept)
        told[seat] = sorted({*kept, *announced}, key=tables.rank.__getitem__)
        running = _running_on(state, tables, seat, sent)
        for district in told[seat]:
            standing[district][seat] = running[tables.region(district)]
    minutes.public("lists", "8.4", lists=told, records=_borrowed(standing, tables))
    accounts = pay(state.accounts, fees)
    state = replace(
        state,
        phase="ballot",
        candidates=standing,
        accounts=accounts,
        sealed={},
        designated={},
        announced={},
    )
    return unsent(_incumbents(state, tables, minutes), tables, minutes)


def _list_sent(state: State, seat: str, sent: Standing) -> tuple[str, ...] | None:
    """Return this period's list or the sealed one (R20)."""
    order = sent.get("CANDIDATES")
    return order.districts if isinstance(order, o.Candidates) else state.sealed.get(seat)


def _running_on(state: State, tables: Tables, seat: str, sent: Standing) -> dict[str, Candidacy]:
    """8.8, R15."""
    records = [order for order in sent.values() if isinstance(order, o.Record)]
    asked = dict(state.designated.get(seat, {}))
    asked |= {
        tables.region_named(order.region): tables.region_named(order.source) for order in records
    }
    own = own_factions(state, tables, seat)
    return {
        r: Candidacy(source(state, tables, seat, r, asked.get(r), own), "party")
        for r in tables.regions
    }


def without_expelled(
    state: State, tables: Tables, seat: str, sent: Iterable[object], wanted: Sequence[str]
) -> tuple[str, ...]:
    """R16, 8.11."""
    out = {tables.region_named(order.faction) for order in sent if isinstance(order, o.Expel)}
    return tuple(d for d in wanted if tables.region(d) not in out or state.holders.get(d) != seat)


def _borrowed(standing: Mapping[str, Mapping[str, Candidacy]], tables: Tables) -> dict[str, str]:
    """Return {"Rad in Nor": "Rad-Wes"} (8.8)."""
    found = {}
    for district, candidates in standing.items():
        for party, candidacy in candidates.items():
            if candidacy.unit != f"{party}-{tables.region(district)}":
                found[f"{party} in {tables.region(district)}"] = candidacy.unit
    return found


def _incumbents(state: State, tables: Tables, minutes: Minutes) -> State:
    """8.6, 8.11, R17."""
    held = members(state, tables.districts)
    refused = [
        d
        for d, holder in held.items()
        if not is_independent(holder) and holder not in state.candidates[d]
    ]
    sitting = {d: holder for d, holder in held.items() if is_independent(holder)}
    if not refused and not sitting:
        return state
    fees = [_fees(state, tables, f"{holder} {district}", 1) for district, holder in sitting.items()]
    state = replace(state, accounts=pay(state.accounts, fees))
    state, became = made_independent(state, tables, sorted(refused, key=tables.rank.__getitem__))
    if became:
        minutes.public("refused", "8.11", became={d: [held[d], became[d]] for d in became})
    if sitting:
        minutes.public("sitting", "8.6", members=sitting)
    candidates = dict(state.candidates)
    for origin, group in (("8.6", sitting), ("8.11", became)):
        for district, name in group.items():
            candidates[district] = {
                **candidates[district],
                name: Candidacy(f"{name} {district}", origin),
            }
    return replace(state, candidates=candidates)


def unsent(
    state: State, tables: Tables, minutes: Minutes | None = None, only: Sequence[str] | None = None
) -> State:
    """Add an independent if no candidate is better than 25% with his bloc (8.7, R19)."""
    present = {r: {b for b, votes in tables.votes.items() if votes[r]} for r in tables.regions}
    content: dict[str, set[str]] = {"": set()}  # by unit, the blocs it is better than 25% with
    filed: dict[str, list[str]] = {}
    for district in tables.districts if only is None else only:
        here = state.candidates.get(district, {})
        wanting = set(present[tables.region_of[district]])
        for candidacy in here.values():
            if candidacy.unit not in content:
                record = points(state, tables, candidacy.unit)
                content[candidacy.unit] = {
                    bloc for bloc, n in record.items() if better(n, state.counted)
                }
            wanting -= content[candidacy.unit]
        names = [
            f"Ind-{bloc}" for bloc in tables.blocs if bloc in wanting and f"Ind-{bloc}" not in here
        ]
        if names:
            filed[district] = names
    if not filed:
        return state
    if minutes is not None:
        minutes.public("independents", "8.7", filed=filed)
    added = {
        d: {**state.candidates.get(d, {}), **{n: Candidacy("", "8.7") for n in names}}
        for d, names in filed.items()
    }
    return replace(state, candidates={**state.candidates, **added})
