"""Check election orders (section 8)."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.checks.asked import Asked
from pbem.games.parlement_1968.names import note
from pbem.games.parlement_1968.steps.house import is_independent, own_factions
from pbem.games.parlement_1968.steps.lists import lawful_record
from pbem.games.parlement_1968.steps.tally import controls
from pbem.games.parlement_1968.tables import spans
from pbem.orders.order import Checked, Order, Problem
from pbem.orders.spelling import is_number


def candidates(asked: Asked, order: o.Candidates) -> Checked:
    found = []
    for word in order.districts:
        district = asked.names.find("district", word)
        if isinstance(district, Problem):
            return Checked((), (replace(district, rule="8.4"),))
        found.append(district)
    return Checked((o.Candidates(tuple(dict.fromkeys(found))),))


def announce(asked: Asked, order: o.Announce) -> Checked:
    district = asked.names.find("district", order.district)
    if isinstance(district, Problem):
        return Checked((), (replace(district, rule="8.5"),))
    if district in asked.state.announced.get(asked.seat, ()):
        return Checked.refused(
            "E_ANNOUNCED", f"You have announced a candidate in {district} already.", "8.5"
        )
    return Checked((o.Announce(district),))


def record(asked: Asked, order: o.Record) -> Checked:
    """Check a borrowed record (8.8, 8.12, R15)."""
    state, tables, seat = asked.state, asked.names.tables, asked.seat
    region, source = (
        asked.names.own_region(order.region, seat),
        asked.names.own_region(order.source, seat),
    )
    for found in (region, source):
        if isinstance(found, Problem):
            return Checked((), (replace(found, rule="8.8"),))
    assert isinstance(region, str) and isinstance(source, str)
    own = own_factions(state, tables, seat)
    if f"{seat}-{region}" in own:
        return Checked.refused(
            "E_RECORD", f"You have a faction in {region}: its record counts there.", "8.12"
        )
    if f"{seat}-{source}" not in own:
        return Checked.refused("E_FACTION", f"You have no faction {seat}-{source}.", "8.8")
    if not lawful_record(state, tables, seat, source):
        message = (
            f"{seat}-{source} has {own[f'{seat}-{source}']} of {sum(own.values())} members, less"
            " than a fifth."
        )
        return Checked.refused("E_FIFTH", message, "8.8")
    return Checked((o.Record(region.upper(), source.upper()),))


def _contested(asked: Asked, word: str, rule: str) -> str | Problem:
    district = asked.names.find("district", word)
    if isinstance(district, Problem):
        return replace(district, rule=rule)
    if asked.state.phase != "ballot" and district not in asked.state.runoffs:
        runoffs = spans(asked.state.runoffs, asked.names.tables)
        return Problem(
            "E_DISTRICT", f"No runoff is held in {district}.", "8.18", note(f"runoffs: {runoffs}")
        )
    return district


def _standing_there(asked: Asked, word: str, district: str, rule: str) -> str | Problem:
    candidate = asked.names.find_candidate(word)
    if isinstance(candidate, Problem):
        return candidate
    if candidate not in asked.state.candidates.get(district, {}):
        here = ", ".join(map(_written, asked.state.candidates.get(district, {}))) or "nobody"
        return Problem(
            "E_CANDIDATE",
            f"{candidate} has no candidate in {district}.",
            rule,
            note(f"in {district} there are: {here}"),
        )
    return candidate


def spend(asked: Asked, order: o.Spend) -> Checked:
    """Check crowns for a candidate (8.17)."""
    district = _contested(asked, order.district, "8.17")
    if isinstance(district, Problem):
        return Checked((), (district,))
    candidate = _standing_there(asked, order.candidate, district, "8.17")
    if isinstance(candidate, Problem):
        return Checked((), (candidate,))
    return Checked((o.Spend(order.amount, _written(candidate), district),))


def _written(candidate: str) -> str:
    """Spell a candidate; :meth:`Tables.candidate_named` reverses it."""
    return candidate.upper() if is_independent(candidate) else candidate


def bloc(asked: Asked, order: o.Bloc) -> Checked:
    """Check a bloc instruction (8.15). A region means its districts where the candidate stands."""
    state, names, tables = asked.state, asked.names, asked.names.tables
    key = names.find("bloc", order.bloc)
    if isinstance(key, Problem):
        return Checked((), (replace(key, rule="8.15"),))
    region = "" if any(is_number(c) for c in order.where) else names.find("region", order.where)
    if isinstance(region, Problem):
        return Checked((), (replace(region, rule="8.15"),))
    districts = list(tables.of_region(region)) if region else [order.where]
    held = controls(state, tables).get(key)
    if held is None or held.party != asked.seat:
        mine = [b for b, x in controls(state, tables).items() if x.party == asked.seat]
        return Checked.refused(
            "E_CONTROL",
            f"You do not control the {tables.blocs[key]}.",
            "8.15",
            *note(f"blocs you control: {', '.join(mine) or 'none'}"),
        )
    filed: list[Order] = []
    for word in districts:
        district = _contested(asked, word, "8.15")
        if isinstance(district, Problem):
            if region:
                continue
            return Checked((), (district,))
        if tables.region(district) not in held.regions:
            message = (
                f"You have no faction in {tables.region(district)} to instruct the"
                f" {tables.blocs[key]} there."
            )
            return Checked.refused("E_CONTROL", message, "8.15")
        candidate = _standing_there(asked, order.candidate, district, "8.15")
        if isinstance(candidate, Problem):
            if region and candidate.code == "E_CANDIDATE":
                continue
            return Checked((), (candidate,))
        filed.append(o.Bloc(key, district, _written(candidate)))
    if not filed:
        return Checked.refused(
            "E_CANDIDATE", f"{order.candidate} stands nowhere in {region}.", "8.15"
        )
    return Checked(tuple(filed))


def withdraw(asked: Asked, order: o.Withdraw) -> Checked:
    """Check a withdrawal from a runoff (8.19)."""
    district = _contested(asked, order.district, "8.19")
    if isinstance(district, Problem):
        return Checked((), (district,))
    if asked.seat not in asked.state.candidates.get(district, {}):
        own = [d for d in asked.state.runoffs if asked.seat in asked.state.candidates.get(d, {})]
        yours = spans(own, asked.names.tables) or "none"
        return Checked.refused(
            "E_CANDIDATE",
            f"You have no candidate in {district}.",
            "8.19",
            *note(f"your runoffs: {yours}"),
        )
    return Checked((o.Withdraw(district),))
