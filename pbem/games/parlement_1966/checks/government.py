"""Check Governments and offices (6 to 8, 12)."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.parlement_1966.checks.refusals import (
    answered,
    known_bill,
    known_offices,
    known_parties,
    refuse_if,
)
from pbem.games.parlement_1966.orders import OFFICES, Accept, Appoint, Dismiss, Resign, Support
from pbem.games.parlement_1966.state import State
from pbem.games.parlement_1966.tables import Tables
from pbem.orders.order import Checked, Order, Standing


def support(state: State, seat: str, standing: Standing, order: Support, tables: Tables) -> Checked:
    """Check support (6 to 8), with the membership it gives up (ruling 3)."""
    offices = tuple(office for office, _ in order.offices)
    known_parties((order.premier,) if order.form in ("join", "endorse") and order.premier else ())
    known_parties(tuple(holder for _, holder in order.offices))
    known_offices(offices)
    if order.offices:
        lacking = ", ".join(office.upper() for office in OFFICES if office not in offices)
        message = f"No office may be left vacant: {lacking} is missing."
        whole = "the whole list: GOVERNMENT PREMIER ..., FOREIGN ..., DEFENSE ..., FINANCE ..."
        refuse_if(bool(lacking), "E_LIST", message, "6", whole)
        refuse_if(offices != OFFICES, "E_LIST", "The list names an office twice.", "6")
    if order.form in ("join", "endorse"):
        message = (
            f"You cannot {order.form} your own Government: send its list, GOVERNMENT PREMIER"
            f" {seat}, ..."
        )
        refuse_if(order.premier == seat, "E_OWN", message, "R2")
        other = dict(order.offices).get("premier", order.premier) != order.premier
        refuse_if(other, "E_LIST", f"The list names another Premier than {order.premier}.", "6")
    bill = order.bill
    if bill is not None:
        known_bill(bill, tables)
    message = f"Bill #{bill} has passed in this session: the proposal will carry no bill."
    return answered(
        _remembering(seat, standing.get(Support.slot), order),
        (state.has_passed(bill), message, "17"),
        (
            bill is not None and state.last,
            "This is the session's last period: the proposal will carry no bill.",
            "19",
        ),
    )


def _remembering(seat: str, before: Order | None, order: Support) -> Support:
    if not isinstance(before, Support) or order.instead:
        return order
    given_up = [*before.chain(), *([replace(before, instead=None)] if before.joins(seat) else [])]
    chain: Support | None = None
    for earlier in given_up:
        if not (order.joins(seat) and order.premier == earlier.premier):
            chain = replace(earlier, instead=chain)
    return replace(order, instead=chain)


def resign(state: State, seat: str, order: Resign) -> Checked:
    """Check RESIGN (12, ruling 3)."""
    government = state.governing()
    if order.what != "NEW":
        known_offices((order.what,) if order.what else ())
        held = government.held_by(seat) if government else ()
        what = f"the office {order.what.upper()}" if order.what else "any office"
        message = f"You do not hold {what}; RESIGN NEW leaves a Government just formed."
        refuse_if(not held or (order.what not in ("", *held)), "E_OFFICE", message, "R3")
    return Checked((order,))


def office(state: State, seat: str, order: Dismiss | Appoint | Accept) -> Checked:
    government = state.governing()
    premier = government.premier if government else None
    refuse_if(
        isinstance(order, Dismiss) and seat != premier,
        "E_ROLE",
        "Only the Premier may give DISMISS.",
        "12",
        f"the Premier is {premier}" if premier else "there is no Government",
    )
    if not isinstance(order, Accept):
        known_parties((order.party,))
    known_offices((order.office,))
    message = "The Premier is neither appointed nor dismissed: a proposed Government names him."
    refuse_if(order.office == "premier", "E_OFFICE", message, "12")
    if isinstance(order, Dismiss):
        holder = government.offices[order.office] if government else ""
        message = f"{order.party} is not the {order.office} minister; {holder} is."
        refuse_if(holder != order.party, "E_OFFICE", message, "12")
    message = "You are not the Premier: this counts only if you are when the period ends."
    return answered(order, (isinstance(order, Appoint) and seat != premier, message, "R4"))
