"""Who may know what (§4.10)."""

from dataclasses import fields
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat
from pbem.games.legislation import cards
from pbem.games.legislation import state as s
from pbem.games.legislation.orders import legal_returns
from pbem.games.legislation.state import State
from pbem.games.legislation.steps.deciding import deciding_order
from pbem.games.legislation.steps.session import threshold

_UNTOLD = ("seats", "period", "doomed", "winners", "numbers")
"""Other figures tell these."""


def public(state: State) -> Json:
    """Return public facts; secret figures are null."""
    docket, over = [_bill(state, bill) for bill in state.docket], state.winners is not None
    turns = [seat for seat in state.turns if seat in state.alive]
    known = (one.name for one in fields(s.Public) if one.name not in _UNTOLD)
    return {
        **{name: codec.dump(getattr(state, name)) for name in known},
        "sessions": state.number("MAX_SESSIONS"),
        "chair_order": list(s.chair_order(state)),
        "chair": turns[0] if turns else None,
        "turns": turns,
        "queue": [seat for seat in state.queue if seat in state.alive],
        "law": [card for card in cards.blue(state.issues) if card in state.law],
        "pool": list(state.pool),
        "balance": cards.balance(state.law),
        "bill": docket[0] if len(docket) == 1 else None,
        "docket": docket,
        "deciding": [entry.id for entry in deciding_order(state) if isinstance(entry, s.Bill)],
        "tokens": {seat: None if state.secret else state.tokens(seat) for seat in state.seats},
        "scores": {
            seat: codec.number(state.score(seat)) if state.on("SCORES", "PUBLIC") else None
            for seat in state.alive
        },
        "threshold": threshold(state),
        "returning": [seat for seat in state.order if seat in state.drawn],
        "hand_sizes": {seat: len(state.hand[seat]) for seat in state.order if seat in state.drawn},
        "red_left": len(state.red_deck),
        "yellow_left": len(state.yellow_deck),
        "options": {**s.LATER, **state.options},
        "bill_cards": state.bill_cards,
        "majority": str(state.share("majority")),
        "veto": str(state.share("veto")),
        "hands": {seat: list(state.objectives(seat)) for seat in state.alive} if over else None,
        "last_scores": codec.dump(state.last_score) if over else None,
    }


def _bill(state: State, bill: s.Bill) -> dict[str, Any]:
    amendable = s.amendments_allowed(state) and s.amendable(state, bill)
    return {**codec.dump(bill), "cards": list(bill.cards), "open": amendable}


def own(state: State, seat: Seat) -> Json:
    """Return what the seat alone, or its team, knows."""
    drawn = state.drawn.get(seat)
    return {
        "hand": list(state.hand[seat]),
        "score": codec.number(state.score(seat)),
        "eye": state.eye[seat],
        "satisfied": list(state.satisfied(seat)),
        "tokens": state.tokens(seat),
        "drawn": drawn,
        "returns": list(legal_returns(state, seat)) if drawn else [],
        "nextbill": list(state.nextbill[seat]) if seat in state.nextbill else None,
        "on_file": list(state.taken[seat])
        if state.phase == s.BILL and seat in state.taken
        else None,
        "standing": state.standing.get(seat),
        "ifs": str(state.ifs[seat]) if seat in state.ifs else None,
        "crown": state.crown.get(seat, 0),
        "team": state.team(seat),
        "team_cards": list(state.shared(seat)),
        "ledger": [
            {
                "tokens": entry.amount if entry.payee == seat else -entry.amount,
                "other": entry.payer if entry.payee == seat else entry.payee,
                "purpose": entry.purpose,
            }
            for entry in state.accounts.of(seat)
            if entry.period == state.period - 1
        ],
    }
