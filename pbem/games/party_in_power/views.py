"""Who may know what (4.11)."""

from collections.abc import Mapping

from pbem.games.frame.codec import Json
from pbem.games.party_in_power.state import OVER, PIP, State


def public(state: State) -> Json:
    """Return public facts; of secret cards the numbers."""
    return {
        "phase": state.phase,
        "order": list(state.order),
        "parties": {
            seat: {"name": state.names[seat], "number": state.numbers[seat]} for seat in state.order
        },
        "out": sorted(state.out),
        "k": state.k,
        "i": state.i,
        "of": state.i + len(state.decks["constituencies"]) + (state.next is not None),
        "constituency": state.con,
        "place": _place(state, state.con),
        "issue": state.issue,
        "next": state.next,
        "next_place": _place(state, state.next) if state.next else None,
        "last": state.last,
        "votes": _by_seat(state, state.votes),
        "top": list(state.top) if state.top else None,
        "top_owner": state.top_owner,
        "row": list(state.row),
        "row_texts": [state.spelt(id) for id in state.row],
        "hands": {seat: len(state.hands[seat]) for seat in state.order if seat in state.hands},
        "ministers": list(state.ministers()),
        "ministers_texts": [state.spelt(id) for id in state.ministers()],
        "pool": _pool(state) if state.settings.open_pool else None,
        "pool_texts": [state.named(id) for id in state.pool] if state.settings.open_pool else [],
        "pool_size": len(state.pool),
        "actions_held": len(state.actions()),
        "contests": {
            seat: len(state.submitted[seat]) for seat in state.order if seat in state.submitted
        },
        "momentum": state.momentum,
        "points": {seat: state.points(seat) for seat in state.order},
        "won": {seat: list(state.won[seat]) for seat in state.order},
        "seats_won": {seat: state.seats_won(seat) for seat in state.order},
        "ncmp": _by_seat(state, state.ncmp),
        "bonus": _by_seat(state, state.bonus),
        "vacancies": list(state.vacancies),
        "deck_sizes": {deck: len(ids) for deck, ids in state.decks.items()},
        "discard_sizes": {deck: len(ids) for deck, ids in state.discards.items()},
        "drafts": state.settings.drafts,
        "fast": state.settings.fast,
        "held_at_end": {seat: _texts(state, seat) for seat in state.order}
        if state.phase == OVER
        else None,
    }


def _place(state: State, id: str) -> Json:
    """Return a constituency; ``advantage`` includes INCUMBENCY."""
    place = state.place(id)
    return {
        "name": place.name,
        "seats": place.seats,
        "issue": place.issue,
        "printed": place.advantage,
        "advantage": place.advantage + state.settings.incumbency,
        "text": state.spelt(id),
    }


def _by_seat(state: State, figures: Mapping[str, int | None]) -> Json:
    return {seat: figures[seat] for seat in state.order if seat in figures}


def _pool(state: State) -> Json:
    return {
        "ministers": list(state.ministers()),
        "candidates": list(state.talents()),
        "actions": list(state.actions()),
    }


def own(state: State, seat: str) -> Json:
    """Return a party's cards with texts: ``pool``, or ``hand`` and ``submitted``."""
    texts, plans = _texts(state, seat), list(state.plans.get(seat, ()))
    if seat == PIP:
        return {"pool": _pool(state), "texts": texts, "plans": plans}
    items = state.submitted.get(seat, ())
    return {
        "plans": plans,
        "hand": list(state.hands[seat]),
        "submitted": [str(item) for item in items],
        "submitted_texts": [state.worded(item) for item in items],
        "texts": texts,
    }


def _texts(state: State, seat: str) -> list[str]:
    """Tell Candidates, Ministers, the popular first."""

    def key(id: str) -> tuple[bool, bool, int, str]:
        told = state.card(id)
        return not told.candidate, not told.minister, -told.popularity, id

    return [state.spelt(id) for id in sorted(state.held(seat), key=key)]
