"""What silence means for a seat (3.2 to 3.9)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from pbem.games.frame.events import Event
from pbem.games.party_in_power.cards import PIP
from pbem.games.party_in_power.orders import possible
from pbem.games.party_in_power.state import OVER, State
from pbem.games.party_in_power.steps.teams import automatic_team, walkover_team


def silence(state: State, seat: str, given: Collection[str] = ()) -> tuple[Event, ...]:
    if seat in state.out or state.phase == OVER:
        return ()
    told = _of_the_pip(state) if seat == PIP else _of_the_opposition(state)
    return tuple(
        Event(f"silent_{slot.lower()}", rule, frozenset([seat]), {**data, "slot": slot})
        for slot, rule, data in told
        if slot not in given
    )


def _of_the_pip(state: State) -> Iterator[tuple[str, str, dict[str, Any]]]:
    place = f"{state.con} {state.place().name}"
    if possible(state, "FIELD"):
        team = [state.named(id) for id in automatic_team(state, state.issue)]
        fast = state.settings.fast
        yield "FIELD", "3.9", {"place": place, "team": team, "fast": fast}
    if possible(state, "WALKOVER"):
        team = [state.named(id) for id in walkover_team(state)]
        yield "WALKOVER", "3.9", {"place": place, "team": team}
    if possible(state, "DRAW"):
        yield "DRAW", "3.3", {"k": state.k, "most": state.settings.most_talents}
        yield "OVERRIDE", "3.2", {}


def _of_the_opposition(state: State) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if possible(state, "CONTEST"):
        yield "CONTEST", "3.6", {"place": f"{state.con} {state.place().name}"}
    if possible(state, "DRAFT"):
        yield "DRAFT", "3.4", {"passes": state.settings.drafts}
        yield "OVERRIDE", "3.2", {}
