"""8.4-8.12: lists of candidates, filing fees, refused incumbents and the independents nobody
sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.games.frame.events import Minutes
from pbem.games.frame.treasury import BANK, Entry, pay
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import Candidacy, State, members
from pbem.games.parlement_1968.steps.house import (
    better,
    is_independent,
    made_independent,
    own_factions,
    points,
)
from pbem.games.parlement_1968.tables import Tables
from pbem.orders.order import Standing


def announce(
    state: State, tables: Tables, orders: Mapping[str, Standing], minutes: Minutes
) -> State:
    """8.5, R20: early candidacies, public, final and paid for at once; those beyond the money fail
    in the order of 8.4."""
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
    """8.4: candidates that can be paid for, and those withdrawn: non-incumbents in numerical order,
    then incumbents."""
    fee, means = tables.figures["filing_fee"], max(0, state.accounts.balance(seat))
    room = min(len(wanted), means // fee) if fee else len(wanted)
    leaving = sorted(wanted, key=lambda d: (state.holders.get(d) == seat, tables.rank[d]))
    cut = leaving[: len(wanted) - room]
    return sorted((d for d in wanted if d not in cut), key=tables.rank.__getitem__), cut


def _fees(state: State, tables: Tables, account: str, candidates: int) -> Entry:
    """7.5: the fees for so many candidates."""
    amount = candidates * tables.figures["filing_fee"]
    return Entry(state.period, account, BANK, amount, f"filing fees, {candidates} (7.5)")


def default_list(state: State, tables: Tables, seat: str) -> tuple[str, ...]:
    """R28: who sends no list renominates his incumbents (those he can pay for)."""
    return tuple(d for d in tables.districts if state.holders.get(d) == seat)


def source(
    state: State,
    tables: Tables,
    seat: str,
    region: str,
    asked: str = "",
    own: Mapping[str, int] | None = None,
) -> str:
    """The unit on whose record a party's candidates in a region run: its faction there (8.12), else
    the faction it designates if that has a fifth of its members (8.8), else its largest; without
    seats its line of Table 2 (R15)."""
    own = own_factions(state, tables, seat) if own is None else own
    if f"{seat}-{region}" in own:
        return f"{seat}-{region}"
    if not own:
        return seat
    if asked and lawful_record(state, tables, seat, asked):
        return f"{seat}-{asked}"
    places = list(tables.regions)
    return min(own, key=lambda unit: (-own[unit], places.index(unit.partition("-")[2])))


def lawful_record(state: State, tables: Tables, seat: str, region: str) -> bool:
    """8.8: the designated faction has at least a fifth of the party's members."""
    own = own_factions(state, tables, seat)
    return 5 * own.get(f"{seat}-{region}", 0) >= sum(own.values()) > 0 and f"{seat}-{region}" in own


def close_lists(
    state: State, tables: Tables, orders: Mapping[str, Standing], minutes: Minutes
) -> State:
    """The lists are opened: 8.4 cuts them, 8.6 and 8.11 add the independents of the sitting
    Parlement, 8.7 the others."""
    standing = {district: dict[str, Candidacy]() for district in tables.districts}
    told, fees = dict[str, list[str]](), list[Entry]()
    for seat in state.seats:
        sent, announced = orders.get(seat, {}), state.announced.get(seat, ())
        listed = _list_sent(state, seat, sent)
        missed = listed is None
        wanted = default_list(state, tables, seat) if listed is None else listed
        wanted = _without_expelled(state, tables, seat, sent, wanted)
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
    """The list of this period, else the one sealed before (R20); None where there is neither."""
    order = sent.get("CANDIDATES")
    return order.districts if isinstance(order, o.Candidates) else state.sealed.get(seat)


def _running_on(state: State, tables: Tables, seat: str, sent: Standing) -> dict[str, Candidacy]:
    """By region, the candidacy of whom the party puts up there: on whose record he runs (8.8,
    R15)."""
    records = [order for order in sent.values() if isinstance(order, o.Record)]
    asked = dict(state.designated.get(seat, {}))
    asked |= {
        tables.region_named(order.region): tables.region_named(order.source) for order in records
    }
    own = own_factions(state, tables, seat)
    return {
        r: Candidacy(source(state, tables, seat, r, asked.get(r, ""), own), "party")
        for r in tables.regions
    }


def _without_expelled(
    state: State, tables: Tables, seat: str, sent: Standing, wanted: Sequence[str]
) -> tuple[str, ...]:
    """R16: an expulsion in this period is a refusal of all incumbents there (8.11)."""
    out = {
        tables.region_named(order.faction) for order in sent.values() if isinstance(order, o.Expel)
    }
    return tuple(d for d in wanted if tables.region(d) not in out or state.holders.get(d) != seat)


def _borrowed(standing: Mapping[str, Mapping[str, Candidacy]], tables: Tables) -> dict[str, str]:
    """Candidates that run on another record than that of their own region: {"Rad in Nor":
    "Rad-Wes"} (8.8)."""
    found = {}
    for district, candidates in standing.items():
        for party, candidacy in candidates.items():
            if candidacy.unit != f"{party}-{tables.region(district)}":
                found[f"{party} in {tables.region(district)}"] = candidacy.unit
    return found


def _incumbents(state: State, tables: Tables, minutes: Minutes) -> State:
    """8.6: independents stand again, and pay; 8.11, R17: incumbents their party does not put up run
    on their own."""
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
    """8.7, R19: where no candidate is better than 25% with a bloc that has votes there, its
    independent files."""
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
