"""Public facts, and a seat's own. What an option makes secret is null in public."""

from typing import Any

from pbem.games.coalition import state as s
from pbem.games.coalition.state import State
from pbem.games.coalition.steps import laid_open, shown
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat


def public(state: State) -> Json:
    """Return public facts; specials and scores after the game."""
    over, told = state.outcome, state.chosen("SPONSOR", "PUBLIC")
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
        "tabled": {letter: party.tabled if told else None for letter, party in parties.items()},
        "drafts": sum(party.draft is not None for party in parties.values()),
        "motion": shown(state, state.floor) if state.floor else None,
        "history": [_division(state, division) for division in state.history],
        **(laid_open(state, over) if over else dict.fromkeys(("specials", "raw", "scores"))),
        "result": over
        and {"kind": over.kind, "motion": over.motion, "winners": list(over.winners)},
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


def _division(state: State, division: s.Division) -> dict[str, Any]:
    ballots, counted = state.chosen("BALLOTS", "PUBLIC"), division.votes
    return {
        **shown(state, division.motion),
        **{
            name: getattr(division, name) for name in ("aye", "nay", "abstain", "verdict", "period")
        },
        "votes": {letter: counted[letter] if ballots else None for letter in sorted(counted)},
    }
