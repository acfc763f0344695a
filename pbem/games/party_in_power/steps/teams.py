"""Teams and the automatic Team (3.9)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.party_in_power.state import State


def split_team(
    state: State, cards: Sequence[str], seats: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split into Team and Helpers after ``seats`` Candidates (R9)."""
    candidates = tuple(id for id in cards if state.card(id).candidate)
    return candidates[:seats], candidates[seats:]


def disqualified(state: State, team: Sequence[str]) -> str:
    """Return why a Team is out; "" if not (4.6)."""
    place = state.place()
    if len(team) < place.seats:
        return "too few Candidates"
    if place.grc and not any(state.card(id).minority for id in team):
        return "no Minority Candidate"
    return ""


def automatic_team(state: State, issue: str) -> tuple[str, ...]:
    """Return the PIP's best Team, with a Minority card if any."""
    talents, ministers, place = state.talents(), _ministers(state), state.place()

    def votes(id: str) -> int:
        return state.votes_for(id, issue)

    team = sorted(talents, key=lambda id: (-votes(id), id))[: place.seats]
    team += sorted(ministers, key=lambda id: (votes(id), id))[: place.seats - len(team)]
    if not place.grc or not team or any(map(state.minority, team)):
        return tuple(team)
    spare = [id for id in talents if state.minority(id)] or [
        id for id in ministers if state.minority(id)
    ]
    if spare:
        team[-1] = min(spare, key=lambda id: (votes(id), id))
    return tuple(team)


def walkover_team(state: State) -> tuple[str, ...]:
    """Return the PIP's least popular Team, Ministers last."""

    def key(id: str) -> tuple[bool, int, str]:
        told = state.card(id)
        return told.minister, told.popularity, id

    return tuple(sorted(state.candidates(), key=key)[: state.place().seats])


def _ministers(state: State) -> tuple[str, ...]:
    return tuple(id for id in state.pool if state.card(id).minister)


def strongest_team(state: State, cards: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return the Team with most votes, in a GRC with a Minority Candidate if any."""

    def key(id: str) -> tuple[int, str]:
        return -state.votes_for(id, state.issue), id

    listed = sorted((id for id in cards if state.card(id).candidate), key=key)
    team, minority = listed[:seats], [id for id in listed if state.card(id).minority]
    if state.place().grc and team and minority and not any(state.card(id).minority for id in team):
        team[-1] = minority[0]
    return tuple(team)
