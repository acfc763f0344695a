"""Choose and score the Government (4, steps 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from pbem.games.coalition.state import (
    CARETAKER,
    DRAW,
    LAST,
    MAJORITY,
    MINORITY,
    NAY,
    NOBODY,
    Division,
    Reckoning,
    Slate,
    State,
    in_order,
)
from pbem.games.frame.events import Minutes


def scored(state: State, minutes: Minutes) -> State:
    """Score the Government, name winners, publish specials (steps 6, 7)."""
    outcome = reckoned(state)
    chosen = government(state)
    specials = {letter: list(state.parties[letter].specials) for letter in state.letters}
    if chosen is None:
        minutes.public("draw", "4.6", winners=list(outcome.winners), specials=specials)
    else:
        slate = chosen[1].motion.slate
        minutes.public(
            "scored",
            "4.7",
            government=outcome.kind,
            id=outcome.motion,
            slate=in_order(state, slate),
            seats={letter: state.parties[letter].seats for letter in state.letters},
            raw=dict(outcome.raw),
            scores={letter: str(points) for letter, points in outcome.adjusted.items()},
            winners=list(outcome.winners),
            specials=specials,
        )
    return replace(state, floor=None, outcome=outcome)


def only_players_left(state: State, minutes: Minutes) -> State:
    """Let the last player win; nobody if all resigned at once (3.7)."""
    kind = LAST if state.living else NOBODY
    minutes.public("last_left", "3.7", winners=state.living)
    return replace(
        state, floor=None, outcome=_reckoning(state, kind, None, {}, tuple(state.living))
    )


def reckoned(state: State) -> Reckoning:
    chosen = government(state)
    if chosen is None:
        return _reckoning(state, DRAW, None, {}, tuple(state.living))
    kind, division = chosen
    raw = {letter: points(state, division.motion.slate, letter) for letter in state.letters}
    if state.chosen("NAYSAYERS", "ZERO"):
        raw = {
            letter: 0 if division.votes.get(letter) == NAY else earned
            for letter, earned in raw.items()
        }
    adjusted = {letter: adjusted_points(state, letter, raw[letter]) for letter in state.letters}
    best = max((adjusted[letter] for letter in state.living), default=Fraction(0))
    winners = tuple(letter for letter in state.living if adjusted[letter] == best)
    return _reckoning(state, kind, division.motion.id, raw, winners)


def government(state: State) -> tuple[str, Division] | None:
    """Return the Majority, else the latest Minority, else the Caretaker: most Ayes (at least
    one), fewest Nays, latest (step 6). None: a draw."""
    by_kind: Mapping[str, list[Division]] = {
        kind: [division for division in state.history if division.verdict == kind]
        for kind in (MAJORITY, MINORITY)
    }
    for kind, divisions in by_kind.items():
        if divisions:
            return kind, max(divisions, key=lambda division: division.motion.number)
    wanted = [division for division in state.history if division.aye > 0]
    if wanted:
        return CARETAKER, max(wanted, key=lambda d: (d.aye, -d.nay, d.motion.number))
    return None


def points(state: State, slate: Slate, letter: str) -> int:
    """Return raw points, own specials doubled (step 7)."""
    specials = state.parties[letter].specials
    return worth(state, slate, letter, specials)


def worth(state: State, slate: Slate, letter: str, specials: tuple[str, ...]) -> int:
    mine = [ministry for ministry in state.ministries if slate.get(ministry.code) == letter]
    return sum(ministry.value * (2 if ministry.code in specials else 1) for ministry in mine)


def adjusted_points(state: State, letter: str, raw: int) -> Fraction:
    """Return raw points over a tenth of the seats (step 7)."""
    return Fraction(raw * 10, state.parties[letter].seats)


def _reckoning(
    state: State, kind: str, motion: str | None, raw: Mapping[str, int], winners: tuple[str, ...]
) -> Reckoning:
    full = {letter: raw.get(letter, 0) for letter in state.letters}
    adjusted = {letter: adjusted_points(state, letter, earned) for letter, earned in full.items()}
    return Reckoning(kind, motion, full, adjusted, winners)
