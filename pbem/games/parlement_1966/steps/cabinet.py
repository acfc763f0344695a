"""Governments, from resignations to appointments (4 to 12)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.games.frame.events import Minutes, Orders
from pbem.games.parlement_1966.orders import Appoint, Dismiss, Resign, Support
from pbem.games.parlement_1966.state import OFFICES, PARTIES, Government
from pbem.games.parlement_1966.steps import Period
from pbem.games.parlement_1966.steps.elections import strength

MAJORITY = 26


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed Government. ``outcome``: void, withdrawn, failed or installed. ``approvals``:
    bills on members' lists (ruling 5). ``conflict``: two bills were named. ``left_out``: endorsers
    who sent JOIN (ruling 2)."""

    premier: str
    offices: Mapping[str, str]
    bill: int | None
    endorsers: tuple[str, ...]
    approvals: Mapping[str, int]
    strength: int
    outcome: str
    conflict: bool = False
    left_out: tuple[str, ...] = ()


def left(at: Period) -> None:
    """Resign offices held at the opening, dismiss ministers (step 1, 12, ruling 5)."""
    government = at.state.governing()
    if government is None:
        return
    premier, offices = government.premier, dict(government.offices)
    for party in PARTIES:
        said = {order.what for _, order in at.sent([party], Resign) if order.what != "NEW"}
        resigned = [one for one in government.held_by(party) if {"", one} & said]
        offices.update(dict.fromkeys(resigned, premier))
        if premier == party and "premier" in resigned:
            at.minutes.public("fell", "12", premier=premier, why="resigned")
            at.state = replace(at.state, government=None)
            return
        if resigned and party != premier:
            at.minutes.public("resigned", "12", party=party, offices=list(resigned))
        elif resigned:
            at.void(party, "R5", "RESIGN", "a vacated office is the Premier's until filled")
    for _, order in at.sent([premier], Dismiss):
        if offices.get(order.office) == order.party != premier:
            offices[order.office] = premier
            at.minutes.public("dismissed", "12", party=order.party, office=order.office)
    at.state = replace(at.state, government=replace(government, offices=offices))


def supports(orders: Orders) -> dict[str, Support]:
    """Return each party's support; complete proposals keep members (7, ruling 3)."""
    final = {p: o for p in PARTIES if isinstance(o := orders.get(p, {}).get(Support.slot), Support)}
    chains = {
        party: (*order.chain(), replace(order, instead=None)) for party, order in final.items()
    }
    binding = {x for x in PARTIES if _complete(x, chains) and not _given_up(x, chains)}
    while True:
        held = {party: _held(party, chain, binding) for party, chain in chains.items()}
        loose = {x for x in binding if not _complete(x, _latest(held))}
        if not loose:  # who loses a member may leave another proposal incomplete
            return held
        binding -= loose


def _own(premier: str, chains: Mapping[str, tuple[Support, ...]]) -> Support | None:
    lists = [o for o in chains.get(premier, ()) if o.form == "government" and o.premier == premier]
    return lists[-1] if lists and premier in lists[-1].holders() else None


def _complete(premier: str, chains: Mapping[str, tuple[Support, ...]]) -> bool:
    proposed = _own(premier, chains)
    return proposed is not None and all(
        any(order.premier == premier and order.joins(party) for order in chains.get(party, ()))
        for party in proposed.holders()
    )


def _given_up(premier: str, chains: Mapping[str, tuple[Support, ...]]) -> bool:
    proposed = _own(premier, chains)
    return proposed is not None and all(
        chains[party][-1].form == "withdraw" for party in proposed.holders()
    )


def _held(party: str, chain: tuple[Support, ...], binding: set[str]) -> Support:
    """Return the first membership that binds, else the last order."""
    final = chain[-1]
    for order in chain[:-1]:
        if order.premier in binding and order.joins(party):
            same = final.premier == order.premier and final.joins(party)
            return final if same else order
    return final


def proposals(at: Period) -> tuple[Proposal, ...]:
    """Return fully assented Governments with outcomes (step 2, 6 to 11)."""
    held = supports(at.orders)
    for party, final in at.sent(held, Support):
        order = held[party]
        if replace(final, instead=None) != order:
            why = f"all members of {order.premier}'s proposal had signed"
            at.void(party, "7", replace(final, instead=None), why)
    return tuple(p for premier in PARTIES if (p := _proposal(at, premier, held)) is not None)


def _proposal(at: Period, premier: str, held: Mapping[str, Support]) -> Proposal | None:
    own = _own(premier, _latest(held))
    if own is None:
        return None
    rest = {party: o for party, o in held.items() if o.premier == premier and party != premier}
    lists = {party: o for party, o in rest.items() if party in o.holders()}
    joining = {party for party, o in rest.items() if o.form == "join"}
    joined = {premier, *lists, *joining}
    if not own.holders() <= joined:
        if at.state.settings.first_rulings:
            signed = joined | rest.keys() - own.holders()  # R22
            parties = [party for party in PARTIES if party in own.holders() | signed]
            told = [party for party in parties if party in signed]
            at.minutes.public("unsigned", "11", parties=parties, signed=told)
        return None
    void = any(order.offices != own.offices for order in lists.values())
    endorsers = tuple(
        p for p in PARTIES if p in rest and p not in own.holders() and _agrees(rest[p], own)
    )
    approvals = {
        party: o.bill for party, o in rest.items() if party in own.holders() and o.bill is not None
    }
    conflict = len({*approvals.values(), *(() if own.bill is None else (own.bill,))}) > 1
    backed = strength(at.state.seats, (*own.holders(), *endorsers))
    return Proposal(
        premier,
        dict(own.offices),
        None if conflict else own.bill,
        endorsers,
        approvals,
        backed,
        "void" if void else "installed" if backed >= MAJORITY else "failed",
        conflict,
        tuple(party for party in endorsers if party in joining),
    )


def _agrees(endorsement: Support, own: Support) -> bool:
    """Paragraph 8, ruling 2."""
    return endorsement.offices in ((), own.offices) and endorsement.bill in (None, own.bill)


def publish(made: tuple[Proposal, ...], minutes: Minutes) -> None:
    """Tell proposals with members and endorsers (11)."""
    for one in made:
        minutes.public(
            "proposal",
            "6" if one.outcome == "void" else "11",
            premier=one.premier,
            offices=dict(one.offices),
            bill=one.bill,
            endorsers=list(one.endorsers),
            strength=one.strength,
            outcome=one.outcome,
            **({"left_out": list(one.left_out)} if one.left_out else {}),
        )


def fates(at: Period, made: tuple[Proposal, ...]) -> None:
    """Tell each party of its support. Only its maker learns who is missing from an unsigned list
    (6, 11), by the first rulings supporters too."""
    held, first = supports(at.orders), at.state.settings.first_rulings
    proposed = {one.premier: one for one in made}
    for party, order in held.items():
        if order.form == "withdraw":
            continue
        fate, rule = _fate(party, order.premier, held, proposed.get(order.premier))
        role = "lead" if party == order.premier else "support"
        told: dict[str, Any] = {"premier": order.premier, "role": role}
        if not first and fate == "unsigned" and role == "lead":
            told["missing"] = _missing(order, held)
        elif not first and fate in ("unsigned", "no list"):
            fate, rule = "no proposal", "6"
        at.minutes.private("backed", rule, [party], **told, fate=fate)


def _missing(own: Support, held: Mapping[str, Support]) -> list[str]:
    return [
        party
        for party in PARTIES
        if party in own.holders() - {own.premier}
        and not ((o := held.get(party)) and o.premier == own.premier and o.joins(party))
    ]


def _fate(
    party: str, premier: str, held: Mapping[str, Support], proposal: Proposal | None
) -> tuple[str, str]:
    if proposal is None:
        return ("unsigned", "6") if _own(premier, _latest(held)) else ("no list", "R2")
    if party not in proposal.endorsers and party not in proposal.offices.values():
        return "other details", "R2"
    return proposal.outcome, "6" if proposal.outcome == "void" else "9"


def _latest(held: Mapping[str, Support]) -> dict[str, tuple[Support, ...]]:
    return {party: (order,) for party, order in held.items()}


def installed(at: Period, won: Proposal) -> None:
    """Install the majority's Government (9)."""
    if sitting := at.state.governing():
        at.minutes.public("fell", "9", premier=sitting.premier, why="replaced")
    told = {"offices": dict(won.offices), "strength": won.strength}
    at.minutes.public("installed", "9", **told, endorsers=list(won.endorsers))
    number = at.state.installed + 1
    government = Government(number, dict(won.offices))
    at.state = replace(at.state, government=government, installed=number)


def left_at_once(at: Period) -> None:
    """Let RESIGN NEW leave a Government just installed (7, ruling 3)."""
    government = at.state.government
    assert government
    offices, premier = dict(government.offices), government.premier
    for party in PARTIES:
        if "RESIGN NEW" in at.orders.get(party, {}) and party in government.parties:
            if party == premier:
                at.minutes.public("fell", "12", premier=premier, why="resigned")
                at.state = replace(at.state, government=None)
                return
            held = government.held_by(party)
            at.minutes.public("resigned", "12", party=party, offices=list(held))
            offices.update(dict.fromkeys(held, premier))
    at.state = replace(at.state, government=replace(government, offices=offices))


def appointed(at: Period) -> None:
    """Fill offices whose ministers accepted (step 3, 12, ruling 5)."""
    government = at.state.governing()
    if government is None:
        return
    premier, offices = government.premier, dict(government.offices)
    for office in OFFICES[1:]:
        order = at.orders.get(premier, {}).get(f"APPOINT {office.upper()}")
        if not isinstance(order, Appoint) or order.party == offices[office]:
            continue
        accepts = f"ACCEPT {office.upper()}" in at.orders.get(order.party, {})
        if not accepts and order.party != premier:
            at.void(premier, "R5", order, f"{order.party} did not accept")
            continue
        if offices[office] != premier:
            at.minutes.public("dismissed", "12", party=offices[office], office=office)
        offices[office] = order.party
        at.minutes.public("appointed", "12", party=order.party, office=office)
    at.state = replace(at.state, government=replace(government, offices=offices))
