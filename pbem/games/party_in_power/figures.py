"""A constituency's figures for conditions, from the period's opening (3.14)."""

from __future__ import annotations

from pbem.games.frame.conditions import Figure, Figures
from pbem.games.party_in_power.cards import ISSUES
from pbem.games.party_in_power.state import State
from pbem.orders.order import Order


def known(state: State) -> dict[str, Figure]:
    most = max(state.place(id).seats for id in state.cards if id[0] == "K")
    numbers = {
        "SEATS": Figure(1, most, flag=False),
        "POINTS": Figure(-99, 999, flag=False),
        "LEFT": Figure(1, state.settings.constituencies, flag=False),
    }
    flags = ("GRC", "MOMENTUM", *ISSUES.values(), *sorted(id for id in state.cards if id[0] == "K"))
    return {**numbers, **dict.fromkeys(flags, Figure())}


def values(state: State, seat: str, order: Order) -> Figures:
    ahead = state.next if order.slot != "CONTEST" and state.next else None
    place = state.place(ahead)
    issue = place.issue if ahead else state.issue
    decided = sum(map(len, state.won.values())) + len(state.vacancies)
    return {
        **dict.fromkeys(known(state), 0),
        "SEATS": place.seats,
        "POINTS": state.points(seat),
        "LEFT": state.settings.constituencies - decided - bool(ahead),
        "GRC": int(place.grc),
        "MOMENTUM": int(state.momentum == seat),
        issue: 1,
        place.id: 1,
    }
