"""For the secrecy test: another state that differs only in what ``seat`` may not know."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.show_of_hands.state import State

from pbem.games.frame.dice import Stream


def twin(state: State, seat: str, chance: Stream) -> State:
    return replace(
        state,
        lucky={
            s: h if s == seat else chance.choice(("LEFT", "RIGHT")) for s, h in state.lucky.items()
        },
    )
