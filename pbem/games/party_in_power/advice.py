"""What a receipt says of a CONTEST, from what its seat may know (3.6)."""

from __future__ import annotations

from pbem.games.party_in_power.orders import Contest
from pbem.games.party_in_power.state import State
from pbem.games.party_in_power.steps.count import entry
from pbem.games.party_in_power.steps.teams import disqualified, split_team
from pbem.orders.order import Standing


def advice(state: State, seat: str, standing: Standing) -> tuple[str, ...]:
    """Lines on the seat's standing CONTEST: Team, votes card by card at the present issue, Helpers,
    Minority."""
    order = standing.get("CONTEST")
    if not isinstance(order, Contest):
        return ()
    place = state.place()
    cards = [item.card for item in order.items]
    team, helpers = split_team(state, cards, place.seats)
    lines = [
        f"Team for {place.id} {place.name} ({place.seats} to be elected), issue"
        f" {state.issue.capitalize()}:"
    ]
    entries = [entry(state, id, seat, state.issue) for id in team]
    for one in entries:
        parts = (
            f"{one.popularity}"
            + ("+1 issue" if one.issue else "")
            + ("+1 Leader" if one.leader else "")
        )
        lines.append(f"  {state.spelt(one.card)}: {parts} = {one.votes}")
    lines.append(f"  together {sum(one.votes for one in entries)} votes before cards")
    lines.append(f"Helpers: {', '.join(state.spelt(id) for id in helpers) or 'none'}")
    reactions = [str(item) for item in order.items if not state.card(item.card).candidate]
    lines.append(f"Reactions: {', '.join(reactions) or 'none'}")
    minority = any(state.card(id).minority for id in team)
    lines.append(
        f"Minority Candidate in the Team: {'yes' if minority else 'no'}"
        + ("" if place.grc else " (not needed)")
    )
    reason = disqualified(state, team)
    if reason:
        lines.append(f"W_DISQ This Team will be disqualified: {reason}.")
    return tuple(lines)
