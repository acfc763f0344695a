"""Pay for decided bills, from the bank (§4.6, §4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.events import Seat
from pbem.games.frame.treasury import BANK, Payment
from pbem.games.frame.treasury import pay as settle
from pbem.games.legislation.state import (
    CORPORATE_APPROVAL,
    CORPORATE_DISAPPROVAL,
    FAILED,
    PASSED,
    THREAT_OF_VETO,
    TREASURY_MIXUP,
    VETOED,
    Bill,
    Clerk,
    State,
)

Grounds = dict[Seat, dict[str, int]]
"""{seat: {reason: tokens}}."""


def pay(
    state: State, bill: Bill, sides: Mapping[str, list[Seat]], fate: str, clerk: Clerk
) -> State:
    """Pay for a bill ``passed``, ``failed`` or ``vetoed``; a held bonus goes to all paid."""
    if bill.yellow == TREASURY_MIXUP:
        clerk.minutes.public("mixup", "4.7", id=bill.id, held=state.mixup + 1)
        return replace(state, mixup=state.mixup + 1)
    grounds = _grounds(state, bill, sides, fate, clerk)
    paid = {seat: why for seat, why in grounds.items() if sum(why.values())}
    if not paid:
        return state
    if state.mixup:
        paid = {
            seat: {**why, "held since a Treasury Mix-up": state.mixup} for seat, why in paid.items()
        }
        state = replace(state, mixup=0)
    told = {seat: {"tokens": sum(why.values()), "why": why} for seat, why in paid.items()}
    if state.secret:
        clerk.minutes.public(
            "paid_total", "4.6", id=bill.id, tokens=sum(sum(why.values()) for why in paid.values())
        )
        for seat, one in told.items():
            clerk.minutes.private("paid", "4.6", [seat], id=bill.id, paid={seat: one})
    else:
        clerk.minutes.public("paid", "4.6", id=bill.id, paid=told)
    entries = [
        Payment(state.period, BANK, seat, sum(why.values()), f"pay for {bill.id}")
        for seat, why in paid.items()
    ]
    return replace(state, accounts=settle(state.accounts, entries))


def _grounds(
    state: State, bill: Bill, sides: Mapping[str, list[Seat]], fate: str, clerk: Clerk
) -> Grounds:
    """Pay both sides of a veto."""
    tables, grounds = clerk.tables, Grounds()

    def add(seats: list[Seat], tokens: int, why: str) -> None:
        for seat in seats:
            grounds.setdefault(seat, {})[why] = tokens

    if fate in (PASSED, VETOED):
        add(sides["AYE"], tables["pay"], "Aye")
    if fate == FAILED or (fate == VETOED and state.on("VETO_PAY", "BOTH")):
        add(sides["NAY"], tables["pay"], "Nay")
    if fate == PASSED and bill.yellow == THREAT_OF_VETO:
        add(sides["AYE"], tables["veto_bonus"], "Threat of Veto")
    if (
        fate == PASSED
        and bill.yellow == CORPORATE_APPROVAL
        and not bill.removed
        and bill.chair in state.alive
    ):
        add([bill.chair], state.number("CORP_BONUS"), "Corporate Approval")
    if fate != PASSED and bill.yellow == CORPORATE_DISAPPROVAL:
        add(sides["NAY"], tables["nay_bonus"], "Corporate Disapproval")
    return grounds
