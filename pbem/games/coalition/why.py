"""Answers to WHY, from public facts and the asker's file; sponsors and votes may stay secret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.coalition.advice import places, smallest
from pbem.games.coalition.names import party_named
from pbem.games.coalition.state import (
    ABSTAIN,
    AYE,
    JUNIOR,
    LAST,
    MINORITY,
    MOST_SPECIALS,
    NAY,
    NOBODY,
    Division,
    Motion,
    State,
    in_order,
)
from pbem.games.coalition.steps.deadline import shown_sponsor
from pbem.games.coalition.steps.scoring import adjusted_points, government, worth
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.ruleset import ToldEvent

_FILLERS = frozenset(["VOTE", "VOTES", "MOTION", "ON", "THE", "OF", "PARTY", "DID", "IS", "FOR"])
_SCORES = frozenset(["SCORE", "SCORES", "POINTS", "RESULT", "GOVERNMENT"])


class _Steps:
    def __init__(self, seat: Seat | None) -> None:
        self.audience = frozenset([seat]) if seat else PUBLIC
        self.found: list[Event] = []

    def add(self, kind: str, rule: str, /, **data: object) -> None:
        self.found.append(Event(kind, rule, self.audience, data))


def questions(state: State, seat: Seat | None) -> tuple[str, ...]:
    motions = [division.motion.id for division in state.history]
    motions += [state.floor.id] if state.floor else []
    parties = state.letters
    found = [*dict.fromkeys([*motions[:1], *motions[-1:]])]
    found += [f"SCORE {parties[0]}", f"SCORE {parties[-1]}", "MAJORITY"]
    if seat and state.parties[seat].draft and not state.outcome:
        found.append("DRAFT")
    return tuple(found)


def why(
    state: State, seat: Seat | None, told: Sequence[ToldEvent], words: str
) -> tuple[Event, ...]:
    """Explain V3, SCORE B, MAJORITY or the own DRAFT; () if unknown."""
    said = [word for word in words.upper().replace(",", " ").split() if word not in _FILLERS]
    steps = _Steps(seat)
    if said == ["MAJORITY"]:
        _majority(state, steps)
    elif said in (["DRAFT"], ["QUEUE"], ["MY", "DRAFT"]) and seat:
        _draft(state, seat, steps)
    elif not said and state.floor:
        _motion(state, seat, told, state.floor.id, steps)
    elif len(said) == 1 and (found := _id(state, said[0])):
        _motion(state, seat, told, found, steps)
    elif party := _party(state, seat, words, said):
        _score(state, seat, party, steps)
    return tuple(steps.found)


def _id(state: State, word: str) -> str | None:
    number = word.removeprefix("V")
    motions = [division.motion.id for division in state.history]
    motions += [state.floor.id] if state.floor else []
    return next((one for one in motions if one == f"V{number}"), None)


def _party(state: State, seat: Seat | None, words: str, said: Sequence[str]) -> str | None:
    """Return the party meant; SCORE alone is one's own, or the winner's."""
    if said and set(said) <= _SCORES | {"MY"}:
        winners = state.outcome.winners if state.outcome else ()
        return seat or next(iter(winners), state.letters[0])
    plain = [word for word in words.split() if word.upper() not in _SCORES | _FILLERS]
    named = party_named(state, " ".join(plain))
    return named if isinstance(named, str) else None


def _majority(state: State, steps: _Steps) -> None:
    """paragraph 4.3."""
    steps.add(
        "why_majority",
        "4.3",
        needed=state.needed,
        held=state.mps(state.living),
        everybody=state.mps(state.parties),
        of_held=state.chosen("MAJORITY_OF", "HELD"),
        majority=state.options["MAJORITY"],
        consent=state.chosen("CONSENT", "ON"),
    )
    if not state.outcome:
        steps.add("why_smallest", "1.1", smallest=smallest(state, state.needed))


def _draft(state: State, seat: Seat, steps: _Steps) -> None:
    """paragraph 4.5."""
    draft = state.parties[seat].draft
    if draft is None or state.outcome:
        return
    best, worst = places(state, seat, draft.filed)
    steps.add(
        "why_draft",
        "4.5",
        filed=draft.filed,
        best=best,
        worst=worst,
        tabling=state.options["TABLING"],
        tabled=state.parties[seat].tabled,
        mps=state.parties[seat].seats,
        last=state.last_period,
    )


def _motion(
    state: State, seat: Seat | None, told: Sequence[ToldEvent], motion_id: str, steps: _Steps
) -> None:
    """4.2, 4.3, 4.5, 4.6."""
    held = {division.motion.id: division for division in state.history}
    division = held.get(motion_id)
    motion = division.motion if division else state.floor
    assert motion is not None
    _came_up(state, seat, motion, steps)
    if division is None:
        steps.add(
            "why_open",
            "3.4",
            id=motion.id,
            needed=state.needed,
            named=state.mps(motion.named),
            period=state.period,
        )
        return
    steps.add("why_count", "4.2", id=motion.id, sums=_sums(state, seat, division))
    steps.add(
        "why_verdict",
        "4.3",
        id=motion.id,
        aye=division.aye,
        nay=division.nay,
        verdict=division.verdict,
        needed=_needed(state, told, motion.id),
        majority=state.options["MAJORITY"],
        named=state.mps(motion.named),
        agreed=_agreed(state, division),
        refused=_refused(state, division),
    )
    chosen = government(state)
    steps.add(
        "why_counts",
        "4.6",
        id=motion.id,
        over=state.outcome is not None,
        kind=chosen[0] if chosen else None,
        counts=chosen[1].motion.id if chosen else None,
    )


def _came_up(state: State, seat: Seat | None, motion: Motion, steps: _Steps) -> None:
    sponsor = shown_sponsor(state, motion)
    if seat and motion.sponsor == seat:
        sponsor = seat
    steps.add(
        "why_tabled",
        "4.5",
        id=motion.id,
        sponsor=sponsor,
        mps=state.parties[sponsor].seats if sponsor else None,
        tabling=state.options["TABLING"],
        slate=in_order(state, motion.slate),
    )


def _shown(state: State, seat: Seat | None, division: Division) -> Mapping[str, str]:
    if state.chosen("BALLOTS", "PUBLIC"):
        return division.votes
    return {letter: vote for letter, vote in division.votes.items() if letter == seat}


def _sums(state: State, seat: Seat | None, division: Division) -> list[dict[str, object]]:
    votes = _shown(state, seat, division)
    totals = {AYE: division.aye, NAY: division.nay, ABSTAIN: division.abstain}
    return [
        {
            "vote": kind,
            "parties": [
                [letter, state.parties[letter].seats]
                for letter, vote in sorted(votes.items())
                if vote == kind
            ],
            "sum": total,
        }
        for kind, total in totals.items()
    ]


def _agreed(state: State, division: Division) -> int | None:
    if state.chosen("BALLOTS", "SECRET") or not division.votes:
        return None
    return state.mps(one for one in division.motion.named if division.votes.get(one) == AYE)


def _refused(state: State, division: Division) -> list[str] | None:
    """Return named parties without Aye (CONSENT=ON); None if secret or irrelevant."""
    if not state.chosen("CONSENT", "ON") or _agreed(state, division) is None:
        return None
    return [one for one in division.motion.named if division.votes.get(one) != AYE]


def _needed(state: State, told: Sequence[ToldEvent], motion_id: str) -> int:
    """Return the majority at the vote; it may have changed (4.3)."""
    needed = None
    for event in (one.event for one in told):
        if event.kind in ("opening", "majority"):
            needed = int(event.data["majority"])
        elif event.kind == "division" and event.data["id"] == motion_id and needed is not None:
            return needed
    return state.needed


def _score(state: State, seat: Seat | None, party: str, steps: _Steps) -> None:
    """4.6, 4.7. Before the end, as if it ended now."""
    over = state.outcome
    if over and over.kind in (LAST, NOBODY):
        steps.add("why_no_government", "3.7", winners=list(over.winners))
        return
    chosen = government(state)
    steps.add(
        "why_government",
        "4.6",
        over=over is not None,
        kind=chosen[0] if chosen else None,
        id=chosen[1].motion.id if chosen else None,
        aye=chosen[1].aye if chosen else 0,
        minorities=[d.motion.id for d in state.history if d.verdict == MINORITY],
    )
    if chosen is None:
        return
    _points(state, seat, party, chosen[1], steps)
    if over:
        best = max(over.adjusted[letter] for letter in state.living)
        steps.add(
            "why_rank",
            "4.7",
            party=party,
            score=str(over.adjusted[party]),
            playing=state.parties[party].playing,
            best=str(best),
            winners=list(over.winners),
        )


def _points(state: State, seat: Seat | None, party: str, division: Division, steps: _Steps) -> None:
    """4.7. Others' special ministries stay secret until the end."""
    known = state.outcome is not None or party == seat
    specials = state.parties[party].specials if known else ()
    slate = division.motion.slate
    held = [m for m in state.ministries if slate.get(m.code) == party]
    points = worth(state, slate, party, specials)
    zero = state.chosen("NAYSAYERS", "ZERO")
    voted = _shown(state, seat, division).get(party)
    if state.outcome and zero and state.outcome.raw[party] != points:
        voted = NAY
    nothing = zero and voted == NAY
    counted = 0 if nothing else points
    few = [m for m in held if m.rank == JUNIOR]
    steps.add(
        "why_points",
        "4.7",
        party=party,
        id=division.motion.id,
        held=[[m.code, m.value, m.code in specials] for m in held],
        points=counted,
        against=nothing,
        unknown_vote=zero and voted is None,
        mps=state.parties[party].seats,
        score=str(adjusted_points(state, party, counted)),
        hidden=0 if known else min(MOST_SPECIALS, len(few)),
    )
