"""What silence means for a party."""

from __future__ import annotations

from pbem.games.coalition import figures
from pbem.games.coalition.orders import Special
from pbem.games.coalition.state import State
from pbem.games.frame.events import Event, Minutes, Seat
from pbem.orders.order import Standing


def silence(state: State, seat: Seat, standing: Standing) -> tuple[Event, ...]:
    party, minutes = state.parties[seat], Minutes()
    tell = minutes.to(seat)
    if state.outcome or not party.playing or "RESIGN" in standing:
        return ()
    if state.floor:
        vote, how = figures.vote(state, seat, standing)
        rule = {"if": "3.9", "standing": "3.5"}.get(how, "4.2")
        known = {"id": state.floor.id, "vote": vote, "how": how, "mps": party.seats}
        tell("silent_vote", rule, slot="VOTE", **known, **figures.acted(state, seat, standing))
    if state.period == state.options["SPECIAL_LOCK"]:
        order = standing.get("SPECIAL")
        specials = order.chosen if isinstance(order, Special) else party.specials
        tell("silent_specials", "4.1", specials=list(specials))
    if party.draft and "DRAFT" not in standing:
        last = state.period >= state.last_period
        tell("silent_draft", "4.5", last=last)
    return tuple(minutes.events)
