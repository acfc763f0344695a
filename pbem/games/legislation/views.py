"""Who may know what (§4.10)."""

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


def public(state: State) -> Json:
    """Return public facts; secret figures are null."""
    docket = [_bill(state, bill) for bill in state.docket]
    issue_order = cards.blue(state.issues)
    return {
        "phase": state.phase,
        "session": state.session,
        "sessions": state.number("MAX_SESSIONS"),
        "round": state.round,
        "order": list(state.order),
        "alive": list(state.alive),
        "chair_order": list(s.chair_order(state)),
        "first": state.first,
        "chair": _chair(state),
        "turns": [seat for seat in state.turns if seat in state.alive],
        "queue": [seat for seat in state.queue if seat in state.alive],
        "again": list(state.again),
        "issues": list(state.issues),
        "law": [card for card in issue_order if card in state.law],
        "pool": list(state.pool),
        "balance": cards.balance(state.law),
        "bill": docket[0] if len(docket) == 1 else None,
        "docket": docket,
        "deciding": [entry.id for entry in deciding_order(state) if isinstance(entry, s.Bill)],
        "tokens": {seat: None if state.secret else state.tokens(seat) for seat in state.seats},
        "decided": state.decided,
        "failed": state.failed,
        "mixup": state.mixup,
        "laid": {seat: dict(state.laid[seat]) for seat in state.order if seat in state.laid},
        "terms": dict(state.terms),
        "scores": {
            seat: codec.number(state.score(seat)) if state.on("SCORES", "PUBLIC") else None
            for seat in state.alive
        },
        "threshold": threshold(state),
        "skip": sorted(state.skip),
        "first_period": state.first_period,
        "returning": [seat for seat in state.order if seat in state.drawn],
        "hand_sizes": {seat: len(state.hand[seat]) for seat in state.order if seat in state.drawn},
        "teams": {name: list(members) for name, members in state.teams.items()},
        "crises": dict(state.crises),
        "missed": list(state.missed),
        "filed": state.filed,
        "streak": state.streak,
        "balancing": state.balancing,
        "red_left": len(state.red_deck),
        "yellow_left": len(state.yellow_deck),
        "options": {**s.LATER, **state.options},
        "bill_cards": state.bill_cards,
        "majority": str(state.share("majority")),
        "veto": str(state.share("veto")),
        "hands": _hands(state),
        "last_scores": None
        if state.winners is None
        else {seat: codec.number(score) for seat, score in state.last_score.items()},
    }


def _hands(state: State) -> dict[Seat, list[str]] | None:
    """None before the end."""
    if state.winners is None:
        return None
    return {seat: list(state.objectives(seat)) for seat in state.alive}


def _chair(state: State) -> Seat | None:
    return next((seat for seat in state.turns if seat in state.alive), None)


def _bill(state: State, bill: s.Bill) -> dict[str, Any]:
    return {
        "id": bill.id,
        "chair": bill.chair,
        "core": list(bill.core),
        "added": list(bill.added),
        "removed": list(bill.removed),
        "dropped": list(bill.dropped),
        "filed": list(bill.filed),
        "cards": list(bill.cards),
        "yellow": bill.yellow,
        "extensions": bill.extensions,
        "fresh": bill.fresh,
        "open": s.amendments_allowed(state) and s.amendable(state, bill),
        "amendments": [_amendment(amendment) for amendment in bill.amendments],
        "carried": [_amendment(amendment) for amendment in bill.carried],
    }


def _amendment(amendment: s.Amendment) -> dict[str, Any]:
    return {
        "id": amendment.id,
        "bill": amendment.bill,
        "action": amendment.action,
        "card": amendment.card,
        "movers": list(amendment.movers),
    }


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
