"""Figures for conditional bids, from the period's opening (3.10)."""

from __future__ import annotations

from pbem.games.frame.conditions import Figure, Figures
from pbem.games.politics_1935.state import State
from pbem.games.politics_1935.steps import board


def known(state: State) -> dict[str, Figure]:
    """Return figures with bounds; cash only if public."""
    atlas = state.atlas
    dollars = {} if state.choices.secret_holdings else {"CASH": atlas.campaign_fund}
    most = {
        **dollars,
        "EMPTY": len(atlas.states),
        "ROUND": state.choices.max_rounds,
        "VOTES": sum(row.votes for row in atlas.states.values()),
    }
    numbers = {name: Figure(int(name == "ROUND"), n, flag=False) for name, n in most.items()}
    return {**numbers, "CLOSED": Figure()}


def values(state: State, seat: str) -> Figures:
    empty = len(board.pinless(state.pins, state.atlas))
    found = {
        "CASH": state.cash(seat),
        "EMPTY": empty,
        "ROUND": state.round,
        "VOTES": board.votes(state.pins, state.atlas, state.seats)[seat],
        "CLOSED": int(not empty),
    }
    return {name: found[name] for name in known(state)}
