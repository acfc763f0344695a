"""Pay for decided bills, from the bank (§4.6, §4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.games.frame.events import Seat
from pbem.games.frame.treasury import BANK, Payment
from pbem.games.frame.treasury import pay as settle
from pbem.games.legislation.orders import AYE, NAY
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
    Public,
    State,
)


def pay(
    state: State, bill: Bill, sides: Mapping[str, list[Seat]], fate: str, clerk: Clerk
) -> State:
    """Pay for a bill ``passed``, ``failed`` or ``vetoed``; a held bonus goes to all paid."""
    if bill.yellow == TREASURY_MIXUP:
        clerk.minutes.public("mixup", "4.7", id=bill.id, held=state.mixup + 1)
        return replace(state, mixup=state.mixup + 1)
    choices = {seat: choice for choice in (AYE, NAY) for seat in sides[choice]}
    paid = {
        seat: why
        for seat in dict.fromkeys([*choices, bill.chair])
        if sum((why := grounds(state, bill, seat, choices.get(seat), fate, clerk.tables)).values())
    }
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


def grounds(
    state: Public, bill: Bill, seat: Seat, choice: str | None, fate: str, tables: Mapping[str, Any]
) -> dict[str, int]:
    """Return {reason: tokens} for a seat by its vote and the bill's fate; nothing for a Mix-up."""
    found: dict[str, int] = {}
    passed, vetoed = fate == PASSED, fate == VETOED
    if bill.yellow == TREASURY_MIXUP:
        return found
    if choice == AYE and (passed or vetoed):
        found["Aye"] = tables["pay"]
    if choice == NAY and (fate == FAILED or (vetoed and state.on("VETO_PAY", "BOTH"))):
        found["Nay"] = tables["pay"]
    if choice == AYE and passed and bill.yellow == THREAT_OF_VETO:
        found["Threat of Veto"] = tables["veto_bonus"]
    chair = seat == bill.chair and seat in state.alive
    if chair and passed and bill.yellow == CORPORATE_APPROVAL and not bill.removed:
        found["Corporate Approval"] = state.number("CORP_BONUS")
    if choice == NAY and not passed and bill.yellow == CORPORATE_DISAPPROVAL:
        found["Corporate Disapproval"] = tables["nay_bonus"]
    return found
