"""Public facts, and a seat's own. What an option makes secret is null in public."""

from typing import Any

from pbem.games.coalition import state as s
from pbem.games.coalition.state import State
from pbem.games.coalition.steps import shown_sponsor
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat


def public(state: State) -> Json:
    """Return public facts; specials and scores after the game."""
    over, shown = state.outcome, state.chosen("SPONSOR", "PUBLIC")
    parties = {letter: state.parties[letter] for letter in state.letters}
    return {
        "phase": state.phase,
        "status": "OVER" if over else "OPEN",
        "period": state.period,
        "periods_left": 0 if over else state.last_period - state.period + 1,
        "options": dict(state.options),
        "majority": state.needed,
        "ministries": {ministry.code: ministry.value for ministry in state.ministries},
        "juniors": list(s.juniors(state)),
        "compulsory": list(s.compulsory(state)),
        "seats": {letter: party.seats for letter, party in parties.items()},
        "names": {letter: party.name for letter, party in parties.items()},
        "vacant": [letter for letter, party in parties.items() if not party.playing],
        "tabled": {letter: party.tabled if shown else None for letter, party in parties.items()},
        "drafts": sum(party.draft is not None for party in parties.values()),
        "motion": _motion(state, state.floor) if state.floor else None,
        "history": [_division(state, division) for division in state.history],
        **(_ended(state, over) if over else dict.fromkeys(("specials", "raw", "scores", "result"))),
    }


def _ended(state: State, over: s.Reckoning) -> dict[str, Any]:
    return {
        "specials": {letter: list(state.parties[letter].specials) for letter in state.letters},
        "raw": dict(over.raw),
        "scores": {letter: str(points) for letter, points in over.adjusted.items()},
        "result": {"kind": over.kind, "motion": over.motion, "winners": list(over.winners)},
    }


def own(state: State, seat: Seat) -> Json:
    """Return specials, standing vote, draft, own motions and votes."""
    party = state.parties[seat]
    return {
        "party": seat,
        "specials": list(party.specials),
        "standing": party.standing,
        "ifs": str(state.ifs[seat]) if seat in state.ifs else None,
        "draft": s.in_order(state, party.draft.slate) if party.draft else None,
        "filed": party.draft.filed if party.draft else None,
        "tabled": party.tabled,
        "motions": [motion.id for motion in state.motions if motion.sponsor == seat],
        "votes": {d.motion.id: d.votes[seat] for d in state.history if seat in d.votes},
    }


def _motion(state: State, motion: s.Motion) -> dict[str, Any]:
    return {
        "id": motion.id,
        "sponsor": shown_sponsor(state, motion),
        "slate": s.in_order(state, motion.slate),
    }


def _division(state: State, division: s.Division) -> dict[str, Any]:
    ballots = state.chosen("BALLOTS", "PUBLIC")
    return {
        **_motion(state, division.motion),
        "aye": division.aye,
        "nay": division.nay,
        "abstain": division.abstain,
        "verdict": division.verdict,
        "period": division.period,
        "votes": {
            letter: vote if ballots else None for letter, vote in sorted(division.votes.items())
        },
    }
