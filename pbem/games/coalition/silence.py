"""Tell a party in advance what happens if it sends nothing."""

from __future__ import annotations

from pbem.games.coalition import figures
from pbem.games.coalition.state import State
from pbem.games.frame.events import Event, Minutes, Seat


def silence(state: State, seat: Seat) -> tuple[Event, ...]:
    """Return what happens if the party sends nothing this period."""
    party, minutes = state.parties[seat], Minutes()
    if state.outcome or not party.playing:
        return ()
    if state.floor:
        vote, how = figures.vote(state, seat, {})
        rule = {"if": "3.9", "standing": "3.5", "silent": "4.2"}[how]
        known = {"id": state.floor.id, "vote": vote, "how": how, "mps": party.seats}
        minutes.private(
            "silent_vote", rule, [seat], slot="VOTE", **known, **figures.acted(state, seat, {})
        )
    if state.period == state.options["SPECIAL_LOCK"]:
        minutes.private("silent_specials", "4.1", [seat], specials=list(party.specials))
    if party.draft:
        last = state.period >= state.last_period
        minutes.private("silent_draft", "4.5", [seat], last=last)
    return tuple(minutes.events)
