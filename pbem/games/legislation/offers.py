"""A seat's form: orders it could send now, asked ones first (§3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, takewhile
from typing import Any

from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Offer
from pbem.games.legislation import cards
from pbem.games.legislation.orders import (
    ADD,
    AGAINST,
    ALL,
    AYE,
    CARRIED,
    FOR,
    NAY,
    NONE,
    PRESENT,
    REMOVE,
    legal_returns,
)
from pbem.games.legislation.state import CRISIS, Amendment, Bill, State, amendable, moved
from pbem.games.legislation.steps import floor
from pbem.games.legislation.steps.effects import before, change, unless, with_passed
from pbem.games.legislation.steps.returning import by_default

Tables = Mapping[str, Any]
MOST_LINES = 12
"""With a line each."""
_PAIRS = 12
"""Two-card bills suggested."""


def offers(state: State, seat: Seat, tables: Tables) -> tuple[Offer, ...]:
    if seat not in state.alive or state.winners is not None:
        return ()
    return (*_of_phase(state, seat, tables), *_always(state, seat))


def _of_phase(state: State, seat: Seat, tables: Tables) -> Iterator[Offer]:
    match state.phase:
        case "BILL":
            return _bill(state, seat)
        case "AMEND":
            return _amend(state, seat)
        case "AMENDVOTE":
            return _amendment_votes(state, seat)
        case "VOTE":
            return _votes(state, seat)
    return _campaign(state, seat, tables)


def _always(state: State, seat: Seat) -> Iterator[Offer]:
    if state.first_period and seat in state.drawn:
        legal = legal_returns(state, seat)
        told = {"drawn": state.drawn[seat], "legal": list(legal), "goes": by_default(state, seat)}
        yield Offer("give_back", (legal,), told, few=True)
    purse, others = state.tokens(seat), _others(state, seat)
    if state.transfers and purse and others:
        yield Offer("give", (("1",), others), {"tokens": purse})
    if state.last_campaign:
        return
    if state.turn_to_come(seat):
        filed = {"filed": list(state.nextbill.get(seat, ()))}
        yield Offer("nextbill", ((*_bills(state, seat), NONE),), filed)
    yield Offer("standing", ((AYE, NAY, PRESENT, NONE),), {"choice": state.standing.get(seat)})
    wanted = (*_wanted(state, seat), f"{state.issues[0]}+")[0]
    tests = (wanted, f"NOT {wanted}", "CARDS > 2")
    known = {"example": wanted, "on_file": seat in state.ifs}
    yield Offer("whatif", ((AYE, NAY, PRESENT), tests), known)


def _others(state: State, seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in state.alive if other != seat)


def _wanted(state: State, seat: Seat) -> list[str]:
    goals, done = set(state.objectives(seat)), state.satisfied(seat)
    return [card for card in state.pool if card in goals and card not in done]


def _bills(state: State, seat: Seat) -> tuple[str, ...]:
    wanted, goals = _wanted(state, seat), state.objectives(seat)
    pack = sorted(state.pool, key=lambda card: (cards.opposite(card) in goals, card not in wanted))
    bills = (
        " ".join(some)
        for some in combinations(pack, state.bill_cards)
        if len(set(map(cards.issue, some))) == len(some)
    )
    return tuple(islice(bills, _PAIRS))


def _bill(state: State, seat: Seat) -> Iterator[Offer]:
    if seat in state.turns:
        bills = _bills(state, seat)
        yield Offer("bill", ((*bills, NONE),), {"example": bills[0]})


def _named(bill: Bill) -> dict[str, Any]:
    return {"id": bill.id, "chair": bill.chair, "cards": list(bill.cards), "yellow": bill.yellow}


def _amend(state: State, seat: Seat) -> Iterator[Offer]:
    for bill in state.docket:
        if amendable(state, bill):
            yield Offer("amend", (_motions(state, seat, bill),), _named(bill))
    yield from _token(state)
    yield Offer("nothing", (("PASS",),), {"phase": state.phase})


def _motions(state: State, seat: Seat, bill: Bill) -> tuple[str, ...]:
    held = [cards.issue(card) for card in bill.cards]
    wanted = _wanted(state, seat)
    spare = [card for card in state.pool if cards.issue(card) not in held]
    spare.sort(key=lambda card: card not in wanted)
    fixed = bill.core if bill.yellow == CRISIS else ()
    out = [card for card in bill.cards if card not in fixed and bill.standing_core != (card,)]
    return (*(f"{ADD} {card}" for card in spare), *(f"{REMOVE} {card}" for card in out)) or (
        f"{ADD} {next(card for card in state.pool if card not in bill.cards)}",
    )


def _token(state: State) -> Iterator[Offer]:
    named = tuple(dict.fromkeys(card for bill in state.docket for card in bill.cards))
    if named:
        yield Offer("token", (named, (FOR, AGAINST)), {})


def _amendment_votes(state: State, seat: Seat) -> Iterator[Offer]:
    every = moved(state)
    yield from _sheet("vote_amendment", (AYE, NAY), [_motion(state, seat, one) for one in every])
    mine = [one for one in every if (bill := state.bill(one.bill)) and bill.chair == seat]
    if mine and state.on("BINDING", "OFF"):
        ids = tuple(amendment.id for amendment in mine)
        told = {"ids": list(ids), "bills": list(dict.fromkeys(one.bill for one in mine))}
        yield Offer("accept", ((CARRIED, ALL, NONE, *ids),), told)
    yield from _token(state)


def _motion(state: State, seat: Seat, amendment: Amendment) -> dict[str, Any]:
    bill = state.bill(amendment.bill)
    assert bill is not None
    after, void = floor.applied(state, bill, amendment)
    gain = _gain(state, seat, bill, after)
    earlier = list(takewhile(lambda one: one.id != amendment.id, bill.amendments))
    return {
        "id": amendment.id,
        "bill": bill.id,
        "movers": list(amendment.movers),
        "action": amendment.action,
        "card": amendment.card,
        "void": void,
        "earlier": [one.id for one in earlier],
        "gain": gain,
        "unless": [
            one.id
            for one in before(state, bill)
            if _gain(with_passed(state, one), seat, bill, after) != gain
        ],
        "unless_carried": [
            one.id for one in earlier if _gain_with(state, seat, bill, one, amendment) != gain
        ],
    }


def _gain(state: State, seat: Seat, bill: Bill, amended: Bill) -> int:
    return change(state, seat, amended.cards).after - change(state, seat, bill.cards).after


def _gain_with(
    state: State, seat: Seat, bill: Bill, earlier: Amendment, amendment: Amendment
) -> int:
    first, _ = floor.applied(state, bill, earlier)
    then, _ = floor.applied(state, first, amendment)
    return _gain(state, seat, first, then)


def _votes(state: State, seat: Seat) -> Iterator[Offer]:
    told = [
        _named(bill)
        | change(state, seat, bill.cards).as_event_data()
        | {"unless": unless(state, seat, bill, bill.cards)}
        for bill in state.docket
    ]
    yield from _sheet("vote_bill", (AYE, NAY, PRESENT), told)
    yield from _token(state)


def _sheet(
    kind: str, choices: tuple[str, ...], entries: Sequence[Mapping[str, Any]]
) -> Iterator[Offer]:
    """Offer a line each unless too many, and one for all."""
    ids = tuple(str(entry["id"]) for entry in entries)
    several = len(ids) > 1
    if several:
        yield Offer("vote_all", (choices,), {"ids": list(ids), "choices": list(choices)})
    if len(ids) > MOST_LINES:
        yield Offer("vote_some", (choices, ids), {"ids": list(ids), "choices": list(choices)})
        return
    for entry in entries:
        yield Offer(kind, (choices,), {**entry, "choices": list(choices), "several": several})


def _campaign(state: State, seat: Seat, tables: Tables) -> Iterator[Offer]:
    purse, others = state.tokens(seat), _others(state, seat)
    point, void = int(tables["point_cost"]), int(tables["void_cost"])
    bites = {"satisfied": state.on("VOID_EFFECT", "SATISFIED")}
    told = {"tokens": purse, "point": point, "void": void, **bites}
    if purse >= point:
        yield Offer("spend_on", (tuple(map(str, range(point, purse + 1, point))),), told)
        if others:
            yield Offer("spend_against", ((str(point),), others), told)
    if purse >= void and others:
        yield Offer("void", (others, state.issues), told)
    yield Offer("nothing", (("PASS",),), {"phase": state.phase})
