"""Check Governments and Programs (sections 3 and 4, 8.1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.checks.asked import Asked
from pbem.games.parlement_1968.names import note
from pbem.games.parlement_1968.state import Seen, members
from pbem.games.parlement_1968.steps.hopes import dead, named
from pbem.games.parlement_1968.steps.house import (
    faction_of,
    factions,
    is_independent,
    ministry,
    officer,
    own_factions,
    party_of,
)
from pbem.games.parlement_1968.steps.program import offices_for
from pbem.orders.order import Checked, Order, Problem
from pbem.text import listed


def government(asked: Asked, order: o.Government) -> Checked:
    """Check a proposal (3.3-3.6)."""
    tables = asked.names.tables
    if order.loose:
        words = order.loose.strip(", ")
        return Checked.refused(
            "E_GOVERNMENT",
            f'"{words}" names no officer: write office, party, district.',
            "3.3",
            *note(f"the offices: {', '.join(x.name for x in tables.offices.values())}"),
        )
    officers = _officers(asked, order)
    if isinstance(officers, Checked):
        return officers
    empty = [office.name for key, office in tables.offices.items() if key not in officers]
    if empty:
        return Checked.refused(
            "E_GOVERNMENT", f"Every office must be filled; empty: {', '.join(empty)}.", "3.4"
        )
    inside = {faction_of(tables, party, district) for _, party, district in officers.values()}
    endorsers = _endorsers(asked, order, inside)
    if isinstance(endorsers, Checked):
        return endorsers
    proposed = o.Government(tuple(officers[office] for office in tables.offices), endorsers)
    own = own_factions(asked.state, tables, asked.seat)
    signed = [
        o.Sign(0, unit.partition("-")[2].upper())
        for unit in own
        if unit in inside or unit in endorsers
    ]
    return Checked((proposed, *signed))


def _officers(asked: Asked, order: o.Government) -> dict[str, tuple[str, str, str]] | Checked:
    """Return {office: (office, party, district)}, or refuse the first invalid one (3.4, 3.6)."""
    names, held = asked.names, members(asked.state)
    officers: dict[str, tuple[str, str, str]] = {}
    for office, party, district in order.officers:
        place, seat_of = names.find("office", office), names.find("district", district)
        if isinstance(place, Problem):
            return Checked((), (replace(place, rule="3.1"),))
        if isinstance(seat_of, Problem):
            return Checked((), (replace(seat_of, rule="3.3"),))
        who = names.find("party", party) if party else held.get(seat_of, "")
        if isinstance(who, Problem):
            return Checked((), (who,))
        if refusal := _no_member(asked, who, seat_of):
            return refusal
        officers[place] = (place, who, seat_of)
    return officers


def _endorsers(
    asked: Asked, order: o.Government, inside: Collection[str]
) -> tuple[str, ...] | Checked:
    """3.3."""
    endorsers: list[str] = []
    for word in order.endorsers:
        faction = asked.names.full_faction(word)
        if isinstance(faction, Problem):
            return Checked((), (faction,))
        if faction not in factions(asked.state, asked.names.tables):
            known = [f for f in factions(asked.state, asked.names.tables) if not is_independent(f)]
            return Checked.refused(
                "E_FACTION",
                f"There is no faction {faction}.",
                "3.3",
                *note(f"there are: {', '.join(known)}"),
            )
        if faction not in inside and faction not in endorsers:
            endorsers.append(faction)
    return tuple(endorsers)


def _no_member(asked: Asked, party: str, district: str) -> Checked | None:
    """3.4, 3.6."""
    holder = members(asked.state).get(district)
    if holder == party and party in asked.names.tables.parties:
        return None
    if holder and is_independent(holder):
        return Checked.refused(
            "E_MEMBER", f"The member for {district} is independent and joins no Government.", "3.6"
        )
    return Checked.refused(
        "E_MEMBER",
        f"{party or 'Nobody'} does not hold {district}; {holder or 'nobody'} does.",
        "3.4",
    )


def sign(asked: Asked, order: o.Sign) -> Checked:
    """Check a signature or withdrawal (R1).

    A folder may name a proposal of its own period; a letter only what its writer knows.
    """
    tables, own = (
        asked.names.tables,
        list(own_factions(asked.state, asked.names.tables, asked.seat)),
    )
    if order.faction:
        region = asked.names.own_region(order.faction, asked.seat)
        if isinstance(region, Problem):
            return Checked((), (region,))
        if f"{asked.seat}-{region}" not in own:
            return Checked.refused(
                "E_FACTION", f"You have no faction {asked.seat}-{region}.", "1.4"
            )
        own = [f"{asked.seat}-{region}"]
    known = next((p for p in asked.state.proposals if p.number == order.number), None)
    if known is not None or (order.number and isinstance(asked.state, Seen)):
        fit = [unit for unit in own if known and unit in named(known, tables)]
        if not fit:
            who = own[0] if order.faction else asked.seat
            numbers = [
                str(p.number)
                for p in asked.state.proposals
                if any(party_of(unit) == asked.seat for unit in named(p, tables))
            ]
            return Checked.refused(
                "E_PROPOSAL",
                f"Proposal {order.number} does not name {who}.",
                "R1",
                *note(f"you are named in: {listed(numbers) or 'none so far'}"),
            )
        if known and not order.withdraw and (why := dead(asked.state, tables, known)):
            message = f"Proposal {known.number} can never take office: {why}."
            return Checked.refused("E_DEAD", message, "R33")
        own = fit
    if not own:
        return Checked.refused("E_FACTION", "You have no faction that could sign.", "3.3")
    return Checked(tuple(replace(order, faction=unit.partition("-")[2].upper()) for unit in own))


def program(asked: Asked, order: o.Propose) -> Checked:
    """Check a Program (4.1-4.4, 5.7). A new Budget vote changes only levels (R8)."""
    state, names = asked.state, asked.names
    if state.phase == "budget" and not (state.program and state.program.again):
        return Checked.refused("E_PHASE", "PROGRAM is not possible in the budget period.", "4.4")
    if ministry(state, names.tables.premier) != asked.seat:
        return _not_premier(asked, "PROGRAM", "4.1")
    if state.phase == "budget" and order.bills:
        return Checked.refused(
            "E_BILLS", "No bills may be added or subtracted during the year.", "4.4"
        )
    if state.budget_passed and order.levels:
        return Checked.refused(
            "E_BUDGET", "This year's Budget has passed; propose bills only.", "4.5"
        )
    levels: dict[str, str] = {}
    for item, level in order.levels:
        found = names.find("item", item)
        if isinstance(found, Problem):
            return Checked((), (replace(found, rule="4.3"),))
        if level not in ("H", "L"):
            return Checked.refused("E_LEVEL", f"A budget item is H or L, not {level}.", "4.3")
        levels[found] = level
    for bill in order.bills:
        if bill not in names.tables.bills:
            return Checked.refused("E_BILL", f"There is no bill {bill}.", "4.2")
    listed_levels = tuple((item, levels[item]) for item in names.tables.items if item in levels)
    return Checked((o.Propose(listed_levels, order.bills),))


def _not_premier(asked: Asked, word: str, rule: str) -> Checked:
    member = (asked.state.government or {}).get(asked.names.tables.premier, "")
    who = f"the Premier is {member}" if member else "there is no Premier now"
    return Checked.refused("E_ROLE", f"Only the Premier may give {word}.", rule, who)


def approve(asked: Asked, order: o.Approve) -> Checked:
    """Check an approval (4.2), also by a minister about to come in."""
    state, names = asked.state, asked.names
    if state.phase == "budget" and not (state.program and state.program.again):
        return Checked.refused("E_PHASE", "APPROVE is not possible in the budget period.", "4.4")
    if order.bill:
        if order.bill not in names.tables.bills:
            return Checked.refused("E_BILL", f"There is no bill {order.bill}.", "4.2")
        if state.phase == "budget":
            return Checked.refused(
                "E_BILLS", "No bills may be added or subtracted during the year.", "4.4"
            )
        needed, approved = offices_for(names.tables, bill=order.bill), order
    else:
        item = names.find("item", order.item)
        if isinstance(item, Problem):
            return Checked((), (replace(item, rule="4.3"),))
        if order.level == "ABSTAIN":
            return Checked.refused("E_LEVEL", "A budget item is H or L, not ABSTAIN.", "4.3")
        needed, approved = offices_for(names.tables, item=item), o.Approve("", item, order.level)
    entering = {
        x.office
        for x in asked.standing.values()
        if isinstance(x, o.Reshuffle) and x.party == asked.seat
    }
    if any(ministry(state, office) == asked.seat or office in entering for office in needed):
        return Checked((approved,))
    if not needed:
        return Checked.refused(
            "E_ROLE", f"{approved.slot} is nobody's to give: no office controls it.", "4.2"
        )
    ministers = listed(
        [f"the {names.tables.offices[office].name} minister" for office in needed], "or"
    )
    held = (asked.state.government or {}).items()
    own = [
        names.tables.offices[office].name
        for office, member in held
        if officer(member)[0] == asked.seat
    ]
    return Checked.refused(
        "E_ROLE",
        f"Only {ministers} may give {approved.slot}.",
        "4.2",
        *note(f"your offices: {', '.join(own) or 'none'}"),
    )


def resign(asked: Asked, order: o.Resign) -> Checked:
    """Check a resignation (3.7, R4). RESIGN alone: the Premiership, else all own offices."""
    state, tables = asked.state, asked.names.tables
    if not order.office:
        own = [office for office in tables.offices if ministry(state, office) == asked.seat]
        if not own:
            return Checked.refused(
                "E_ROLE", "Only a member of the Government may give RESIGN.", "3.7"
            )
        leaving = own[:1] if own[0] == tables.premier else own
        return Checked(tuple(o.Resign(office) for office in leaving))
    office = asked.names.find("office", order.office)
    if isinstance(office, Problem):
        return Checked((), (replace(office, rule="3.1"),))
    if ministry(state, office) != asked.seat:
        title = tables.offices[office].name
        who = f"the {title}" if office == tables.premier else f"the {title} minister"
        return Checked.refused("E_ROLE", f"Only {who} may give RESIGN {office.upper()}.", "3.7")
    return Checked((o.Resign(office),))


def reshuffle(asked: Asked, order: o.Reshuffle) -> Checked:
    """Check a reshuffle or the consent to it (3.8, R3)."""
    state, names = asked.state, asked.names
    office, party = names.find("office", order.office), names.find("party", order.party)
    district = names.find("district", order.district)
    for found in (office, party, district):
        if isinstance(found, Problem):
            return Checked((), (replace(found, rule=found.rule or "3.8"),))
    assert isinstance(office, str) and isinstance(party, str) and isinstance(district, str)
    word = "CONSENT" if order.consent else "RESHUFFLE"
    if state.government is None:
        return _not_premier(asked, word, "3.8")
    if not order.consent and ministry(state, names.tables.premier) != asked.seat:
        return _not_premier(asked, "RESHUFFLE", "3.8")
    if order.consent and asked.seat not in (party, ministry(state, office)):
        message = "Only the parties of the outgoing and the incoming minister may give CONSENT."
        return Checked.refused("E_ROLE", message, "3.8")
    if office == names.tables.premier:
        message = "The Premier is not reshuffled: when he resigns the Government falls."
        return Checked.refused("E_OFFICE", message, "3.7")
    refusal = _no_member(asked, party, district)
    return refusal or Checked((o.Reshuffle(office, party, district, order.consent),))


def call(asked: Asked, order: Order) -> Checked:
    """Check the call of an election (8.1)."""
    if ministry(asked.state, asked.names.tables.premier) != asked.seat:
        return _not_premier(asked, "CALL ELECTION", "8.1")
    if asked.state.call_year:
        return Checked.refused("E_CALLED", "An election has been called already.", "8.1")
    return Checked((order,))
