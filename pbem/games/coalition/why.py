"""Answers to WHY; sponsors and votes may stay secret."""

from collections.abc import Iterator

from pbem.games.coalition import state as s
from pbem.games.coalition.advice import places, smallest
from pbem.games.coalition.orders import party_named
from pbem.games.coalition.state import State
from pbem.games.coalition.steps import adjusted_points, government, worth
from pbem.games.frame.events import Event
from pbem.games.frame.ruleset import Asker, Reasons, alone, ends

Asking = Asker[State]


def questions(asker: Asking) -> list[str]:
    state, seat = asker.state, asker.seat
    motions = [division.motion.id for division in state.history]
    found = ends("", [*motions, state.floor.id] if state.floor else motions)
    drafted = seat and state.parties[seat].draft and not state.outcome
    return [*found, *ends("SCORE ", state.letters), "MAJORITY", *(["DRAFT"] if drafted else [])]


def _majority(asker: Asking) -> Iterator[Event]:
    state = asker.state
    held, everybody = state.mps(state.living), state.mps(state.parties)
    yield asker.step("why_majority", "4.3", held=held, everybody=everybody)
    if not state.outcome:
        yield asker.step("why_smallest", "1.1", smallest=smallest(state, state.needed))


def _draft(asker: Asking) -> Iterator[Event]:
    state, seat = asker.state, asker.seat
    if seat and (draft := state.parties[seat].draft) and not state.outcome:
        best, worst = places(state, seat, draft.filed)
        yield asker.step("why_draft", "4.5", best=best, worst=worst, last=state.last_period)


def _motion(asker: Asking, words: str) -> Iterator[Event]:
    state, name = asker.state, words.removeprefix("V")
    if state.floor and name in ("", state.floor.id[1:]):
        motion = state.floor
        yield asker.step("why_tabled", "4.5", id=motion.id)
        yield asker.step("why_open", "3.4", id=motion.id, named=state.mps(motion.named))
    for division in state.history:
        if name == division.motion.id[1:]:
            yield asker.step("why_tabled", "4.5", id=division.motion.id)
            yield from _vote(asker, division)


def _vote(asker: Asking, division: s.Division) -> Iterator[Event]:
    state, motion, votes = asker.state, division.motion, division.votes
    ayes = [one for one in motion.named if votes.get(one) == s.AYE]
    known = bool(votes) and not state.chosen("BALLOTS", "SECRET")
    asked = known and state.chosen("CONSENT", "ON")
    yield asker.step("why_count", "4.2", id=motion.id)
    yield asker.step(
        "why_verdict",
        "4.3",
        id=motion.id,
        needed=_needed(asker, motion.id),
        named=state.mps(motion.named),
        agreed=state.mps(ayes) if known else None,
        refused=[one for one in motion.named if one not in ayes] if asked else [],
    )
    kind, chosen = government(state) or (None, None)
    counts = chosen.motion.id if chosen else None
    yield asker.step("why_counts", "4.6", id=motion.id, kind=kind, counts=counts)


def _needed(asker: Asking, motion: str) -> int:
    """Return the majority at the vote; it may have changed since (4.3)."""
    needed = None
    for event in asker.events("opening", "majority", "division"):
        if event.kind != "division":
            needed = int(event.data["majority"])
        elif event.data["id"] == motion and needed is not None:
            return needed
    return asker.state.needed


def _score(asker: Asking, words: str) -> Iterator[Event]:
    """4.6, 4.7. Before the end, as if it ended now; of no party, the own or the winner's."""
    state, over = asker.state, asker.state.outcome
    winner = next(iter(over.winners), "") if over else ""
    party = party_named(state, words or asker.seat or winner or state.letters[0])
    if not isinstance(party, str):
        return
    if over and over.kind in (s.LAST, s.NOBODY):
        yield asker.step("why_no_government", "3.7")
        return
    kind, chosen = government(state) or (None, None)
    told = {"id": chosen.motion.id, "aye": chosen.aye} if chosen else {}
    yield asker.step("why_government", "4.6", kind=kind, **told)
    if chosen:
        yield _points(asker, party, chosen)
        if over:
            yield asker.step("why_rank", "4.7", party=party)


def _points(asker: Asking, party: str, division: s.Division) -> Event:
    """4.7. Others' special ministries stay secret until the end."""
    state, slate, over = asker.state, division.motion.slate, asker.state.outcome
    known = over is not None or party == asker.seat
    specials = state.parties[party].specials if known else ()
    held = [m for m in state.ministries if slate.get(m.code) == party]
    points = worth(state, slate, party, specials)
    zero = state.chosen("NAYSAYERS", "ZERO")
    shown = state.chosen("BALLOTS", "PUBLIC") or party == asker.seat
    voted = division.votes.get(party) if shown else None
    nothing = zero and (voted == s.NAY or (over is not None and over.raw[party] != points))
    counted = 0 if nothing else points
    return asker.step(
        "why_points",
        "4.7",
        party=party,
        id=division.motion.id,
        held=[[m.code, m.value, m.code in specials] for m in held],
        points=counted,
        against=nothing,
        unknown_vote=zero and voted is None and not nothing,
        score=str(adjusted_points(state, party, counted)),
        hidden=0 if known else min(s.MOST_SPECIALS, sum(m.rank == s.JUNIOR for m in held)),
    )


REASONS = Reasons(
    questions,
    {
        "MAJORITY": alone(_majority),
        "DRAFT QUEUE": alone(_draft),
        "VOTE VOTES MOTION": _motion,
        "SCORE SCORES POINTS RESULT GOVERNMENT": _score,
    },
    (_motion, _score),
)
