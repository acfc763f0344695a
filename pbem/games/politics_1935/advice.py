"""What a receipt says of a CAMPAIGN (3.1): the cost of each item, points left, the levels reached,
states blocked now.

Reckoned on the board as it stands, from what the seat may know: its own throw, its own list, the
public pins.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.politics_1935.orders import Campaign, Item, StandingList
from pbem.games.politics_1935.state import State
from pbem.games.politics_1935.steps import board
from pbem.games.politics_1935.tables import Atlas
from pbem.orders.order import Standing


def advice(state: State, seat: str, standing: Standing) -> tuple[str, ...]:
    """The lines of the receipt; () for a seat that is not to throw in this period."""
    to_throw = seat == state.turn if state.choices.turns else seat in state.alive
    if state.winners is not None or not to_throw:
        return ()
    points = state.total(seat)
    lines = [f"Your throw: {'-'.join(map(str, state.throws[seat]))}, {points} points."]
    if "TAKE" in standing and seat in state.shown:
        return (*lines, f"You take card {state.shown[seat]}; the points are forfeited.")
    campaign, listed = standing.get("CAMPAIGN"), standing.get("STANDING")
    kept = listed.items if isinstance(listed, StandingList) else state.lists[seat]
    pins = state.pins
    if isinstance(campaign, Campaign):
        told, pins, points = _items(pins, state.atlas, seat, campaign.items, points)
        lines += ["On the board as it stands, your play:", *told] if told else []
    if kept:
        told, pins, points = _items(pins, state.atlas, seat, kept, points)
        lines += ["Then your list on file:", *told]
    elif state.choices.auto and not isinstance(campaign, Campaign):
        lines.append("A missed move goes to the cheapest states without pins (NMR=AUTO).")
    lines.append(f"Points left: {points}.")
    return tuple(lines)


def _items(
    pins: board.Pins, atlas: Atlas, seat: str, items: Iterable[Item], points: int
) -> tuple[list[str], board.Pins, int]:
    """A line for each item, and the board and the points after them."""
    lines = []
    for item in items:
        row = atlas.states[item.state]
        full = item.count * row.cost
        done = board.play(pins, atlas, seat, (item,), points)
        got, reached = (
            sum(count for _, count in done.taken),
            board.level(done.pins, item.state, seat),
        )
        where = "the capital" if reached == row.capital else f"county {reached} of {row.lines}"
        lines.append(
            f"  {item.state} {item.count}: {full} point{'s' * (full != 1)}, "
            + (f"{got} captured for {got * row.cost}, to {where}" if got else "nothing captured")
            + ("; blocked now: the capital is taken" if done.stopped else "")
            + f"; {done.left} left"
        )
        pins, points = done.pins, done.left
    return lines, pins, points
