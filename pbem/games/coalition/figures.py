"""A motion's figures for conditional votes. No ministry is doubled, as specials are secret
(3.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.games.coalition.orders import VOTE_IF, Case, StandingVote, Vote, not_off
from pbem.games.coalition.state import ABSTAIN, Motion, State
from pbem.games.coalition.steps.scoring import adjusted_points, worth
from pbem.games.frame import conditions
from pbem.games.frame.conditions import Figure, WhatIf
from pbem.games.frame.events import Seat
from pbem.orders.order import Checked, Standing


def known(state: State) -> dict[str, Figure]:
    everything = sum(ministry.value for ministry in state.ministries)
    numbers: Mapping[str, tuple[int, int]] = {
        "POINTS": (0, everything),
        "RANK": (1, len(state.living)),
        "MINISTRIES": (0, len(state.ministries)),
        "MEMBERS": (0, state.mps(state.letters)),
        "PARTIES": (1, len(state.letters)),
        "LEFT": (1, state.last_period),
    }
    flags = [ministry.code for ministry in state.ministries]
    flags += [f"NAMES {letter}" for letter in state.letters]
    if state.chosen("SPONSOR", "PUBLIC"):
        flags += [f"SPONSOR {letter}" for letter in state.letters]
    found = {name: Figure(low, high, flag=False) for name, (low, high) in numbers.items()}
    return {**found, **{name: Figure() for name in flags}}


def figures(state: State, seat: Seat, motion: Motion) -> dict[str, int]:
    """Return a motion's figures for ``seat``.

    POINTS, MINISTRIES: its own. RANK: its score's place among parties with players. MEMBERS,
    PARTIES: of the named. LEFT: periods, with this one. Flags: own ministries, named parties, the
    sponsor.
    """
    scores = {
        letter: adjusted_points(state, letter, worth(state, motion.slate, letter, ()))
        for letter in state.living
    }
    held = {
        ministry.code: int(motion.slate.get(ministry.code) == seat) for ministry in state.ministries
    }
    found: dict[str, int] = {
        "POINTS": worth(state, motion.slate, seat, ()),
        "RANK": 1 + sum(score > scores.get(seat, Fraction(0)) for score in scores.values()),
        "MINISTRIES": sum(held.values()),
        "MEMBERS": state.mps(motion.named),
        "PARTIES": len(motion.named),
        "LEFT": state.last_period - state.period + 1,
        **held,
        **{f"NAMES {letter}": int(letter in motion.named) for letter in state.letters},
    }
    if state.chosen("SPONSOR", "PUBLIC"):
        found.update({f"SPONSOR {one}": int(one == motion.sponsor) for one in state.letters})
    return found


def check(order: WhatIf, case: Case) -> WhatIf | Checked:
    """Refuse what IF cannot read (3.9, 3.10). A period's orders form one list."""
    not_off(case, "IF")
    before = case.standing.get(order.slot)
    return conditions.checked(order, before, known(case.state), "3.10")


def kept(state: State, seat: Seat, standing: Standing) -> WhatIf | None:
    return conditions.on_file(state.ifs.get(seat), standing.get(VOTE_IF))


def chosen(state: State, seat: Seat, standing: Standing) -> conditions.Case | None:
    order = kept(state, seat, standing)
    if order is None or state.floor is None:
        return None
    return conditions.first(order.cases, figures(state, seat, state.floor))


def vote(state: State, seat: Seat, standing: Standing) -> tuple[str, str]:
    """Return the vote and its source (4.2): "sent", "if", "standing" or "silent" (abstention)."""
    order, stance = standing.get("VOTE"), standing.get("STANDING")
    if isinstance(order, Vote):
        return order.ballot, "sent"
    if case := chosen(state, seat, standing):
        return case.choice, "if"
    lasting = stance.vote if isinstance(stance, StandingVote) else state.parties[seat].standing
    return (lasting, "standing") if lasting else (ABSTAIN, "silent")


def acted(state: State, seat: Seat, standing: Standing) -> dict[str, Any]:
    """Return what is told of conditional votes: the ``order`` that holds, or None, and
    ``figures``; {} without any."""
    order = kept(state, seat, standing)
    if order is None or state.floor is None:
        return {}
    case = chosen(state, seat, standing)
    read = [case] if case and case.condition else order.cases
    now = conditions.figures_now(read, figures(state, seat, state.floor))
    return {"order": order.said(case) if case else None, "figures": now}


def filed(state: State, seat: Seat, order: WhatIf) -> State:
    """Return the position with new conditional votes; none end them."""
    others = {letter: one for letter, one in state.ifs.items() if letter != seat}
    return replace(state, ifs={**others, seat: order} if order.cases else others)
