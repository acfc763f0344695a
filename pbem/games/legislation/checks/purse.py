"""Check SPEND, VOID and GIVE: target, amount, purse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.games.frame.events import Seat
from pbem.games.legislation.checks.gate import gate, known, player
from pbem.games.legislation.orders import ME, Give, Spend, Void
from pbem.games.legislation.state import CAMPAIGN, State
from pbem.orders.order import Checked, Order, Standing


def cost(order: Order, tables: Mapping[str, Any]) -> int:
    if isinstance(order, Spend | Give):
        return order.tokens
    return int(tables["void_cost"]) if isinstance(order, Void) else 0


def tokens(
    state: State,
    seat: Seat,
    standing: Standing,
    order: Spend | Void | Give,
    tables: Mapping[str, Any],
) -> Checked:
    """Check SPEND, VOID and GIVE against the purse; oneself becomes ME."""
    word = str(order).split()[0]
    if isinstance(order, Give):
        allowed = state.options["TRANSFERS"]
        option = "" if state.transfers else f"TRANSFERS={allowed}"
        refused = gate(state, word, (state.phase,), option=option if allowed == "OFF" else "")
        if option and not refused:
            message = f"GIVE is not possible in the {state.phase} period ({option})."
            refused = Checked.refused("E_PHASE", message, "3.8")
    else:
        refused = gate(state, word, (CAMPAIGN,))
    if isinstance(order, Void) and order.target in state.issues and order.issue in state.alive:
        order = replace(order, target=order.issue, issue=order.target)
    target = player(state, seat, order.target)
    if refused or isinstance(target, Checked):
        return refused or target  # type: ignore[return-value]
    own = target == seat
    order = replace(order, target=ME if own else target)
    refused = (known(state, [f"{order.issue}+"]) if isinstance(order, Void) else None) or _amount(
        order, own, tables
    )
    if refused:
        return refused
    purse, need = (
        state.tokens(seat),
        sum(cost(o, tables) for o in {**standing, order.slot: order}.values()),
    )
    if need > purse:
        stand = [str(o) for o in standing.values() if cost(o, tables) and o.slot != order.slot]
        notes = [f"on file besides: {' and '.join(stand)}"] if stand else []
        message = f"You have {purse} tokens; these orders need {need}."
        return Checked.refused("E_TOKENS", message, "4.9.3", *notes)
    return Checked((order,))


def _amount(order: Spend | Void | Give, own: bool, tables: Mapping[str, Any]) -> Checked | None:
    match order:
        case Spend(tokens=tokens) if tokens <= 0 or tokens % tables["point_cost"]:
            point = int(tables["point_cost"])
            note = f"{point} tokens are one point, {2 * point} are two"
            return Checked.refused("E_UNITS", f"Points cost {point} tokens each.", "4.9.3", note)
        case Give(tokens=0):
            return Checked.refused("E_GIVE", "Give at least one token.", "3.8")
        case Spend(against=False) if not own:
            n, other = order.tokens, order.target
            note = f"is it SPEND {n} ON ME, GIVE {n} TO {other} or SPEND {n} AGAINST {other}?"
            return Checked.refused("E_SELF", "You can buy points only for yourself.", "4.9.3", note)
        case Spend(against=True) | Void() if own:
            note = "name another player; points of your own are bought with SPEND and ON ME"
            return Checked.refused("E_SELF", "You cannot campaign against yourself.", "4.9.3", note)
        case Give() if own:
            return Checked.refused("E_SELF", "You cannot give tokens to yourself.", "3.8")
    return None
