"""Orders kept across periods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import State
from pbem.games.parlement_1968.steps.voting import standing_key
from pbem.games.parlement_1968.tables import Tables
from pbem.orders.order import Order, Standing


def keep_on_file(state: State, tables: Tables, orders: Mapping[str, Standing]) -> State:
    """File standing votes (house rule 9) and early lists (R20)."""
    votes = {seat: dict(on_file) for seat, on_file in state.standing.items()}
    sealed, designated = dict(state.sealed), {seat: dict(r) for seat, r in state.designated.items()}
    for seat, standing in orders.items():
        for order in standing.values():
            match order:
                case o.Vote(standing=True) | o.VoteBudget(standing=True):
                    _file(votes.setdefault(seat, {}), tables, order)
                case o.Candidates() if state.phase != "candidates":
                    sealed[seat] = order.districts
                case o.Record() if state.phase != "candidates":
                    designated.setdefault(seat, {})[tables.region_named(order.region)] = (
                        tables.region_named(order.source)
                    )
    kept = {seat: on_file for seat, on_file in votes.items() if on_file}
    return replace(state, standing=kept, sealed=sealed, designated=designated)


def on_file(state: State, tables: Tables, seat: str) -> list[str]:
    """Return what is on file, as orders."""
    levels, found = dict[str, list[tuple[str, str]]](), list[Order]()
    for key, choice in state.standing.get(seat, {}).items():
        item, _, region = key.partition("/")
        if item in tables.items:
            levels.setdefault(region.upper(), []).append((item, choice))
        else:
            found.append(o.Vote(item, ((region.upper(), choice),), standing=True))
    found += (o.VoteBudget(((one, tuple(at)),), standing=True) for one, at in levels.items())
    if seat in state.sealed:
        found.append(o.Candidates(state.sealed[seat]))
    borrowed = state.designated.get(seat, {})
    found += (o.Record(one.upper(), source.upper()) for one, source in borrowed.items())
    return list(map(str, found))


def _file(on_file: dict[str, str], tables: Tables, order: o.Vote | o.VoteBudget) -> None:
    """NONE ends a standing vote."""
    if isinstance(order, o.Vote):
        word, choice = order.choices[0]
        given = {order.bill: "" if choice == "NONE" else choice}
    else:
        word, levels = order.groups[0]
        given = {item: dict(levels).get(item, "") for item in tables.items}
    for item, choice in given.items():
        key = standing_key(item, tables.region_named(word))
        on_file.pop(key, None)
        if choice:
            on_file[key] = choice
