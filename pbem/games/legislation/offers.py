"""A seat's form: orders it could send now, asked ones first (§3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, takewhile
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Offer
from pbem.games.legislation import cards
from pbem.games.legislation import orders as o
from pbem.games.legislation.advice import Seen, weight
from pbem.games.legislation.state import CRISIS, Amendment, Bill, amendable, moved
from pbem.games.legislation.steps import floor
from pbem.games.legislation.steps.election import threshold

MOST_LINES = 8
"""Bills or amendments with a line each: those that matter most to the seat."""
_PAIRS = 12
"""Two-card bills suggested."""


def offers(seen: Seen) -> Iterator[Offer]:
    if seen.seat in seen.house.alive and seen.house.winners is None:
        yield from _of_phase(seen)
        yield from _always(seen)


def _of_phase(seen: Seen) -> Iterator[Offer]:
    house = seen.house
    match house.phase:
        case "BILL" if seen.seat in house.turns:
            bills = _bills(seen)
            yield Offer("bill", ((*bills, o.NONE),), {"example": bills[0]})
        case "AMEND":
            for bill in house.docket:
                if amendable(house, bill):
                    yield Offer("amend", (_motions(seen, bill),), _named(bill))
        case "AMENDVOTE":
            yield from _sheet(
                "amendment", (o.AYE, o.NAY), [_motion(seen, one) for one in moved(house)]
            )
            yield from _accept(seen)
        case "VOTE":
            told = [_named(bill) | seen.effect(bill, bill.cards) for bill in house.docket]
            yield from _sheet("bill", (o.AYE, o.NAY, o.PRESENT), told)
        case "CAMPAIGN":
            yield from _campaign(seen)
    on_bills = tuple(dict.fromkeys(card for bill in house.docket for card in bill.cards))
    if on_bills and house.phase in ("AMEND", "AMENDVOTE", "VOTE"):
        yield Offer("token", (on_bills, (o.FOR, o.AGAINST)), {})
    if house.phase in ("AMEND", "CAMPAIGN"):
        yield Offer("nothing", (("PASS",),), {"phase": house.phase})


def _always(seen: Seen) -> Iterator[Offer]:
    house, own, purse, others = seen.house, seen.own, seen.own["tokens"], _others(seen)
    if house.first_period and own["drawn"]:
        legal = own["returns"]
        told = {"drawn": own["drawn"], "legal": legal, "goes": seen.goes}
        yield Offer("give_back", (tuple(legal),), told, few=True)
    if house.transfers and purse and others:
        yield Offer("give", (("1",), others), {"tokens": purse})
    if house.last_campaign:
        return
    if house.turn_to_come(seen.seat):
        yield Offer("nextbill", ((*_bills(seen), o.NONE),), {"filed": own["nextbill"] or []})
    yield Offer("standing", ((o.AYE, o.NAY, o.PRESENT, o.NONE),), {"choice": own["standing"]})
    wanted = (*_wanted(seen), f"{house.issues[0]}+")[0]
    tests = (wanted, f"NOT {wanted}", "CARDS > 2")
    known = {"example": wanted, "on_file": seen.ifs is not None}
    yield Offer("whatif", ((o.AYE, o.NAY, o.PRESENT), tests), known)


def _others(seen: Seen) -> tuple[Seat, ...]:
    return tuple(other for other in seen.house.alive if other != seen.seat)


def _wanted(seen: Seen) -> list[str]:
    goals, done = seen.goals, seen.own["satisfied"]
    return [card for card in seen.house.pool if card in goals and card not in done]


def _bills(seen: Seen) -> tuple[str, ...]:
    wanted, goals, house = _wanted(seen), seen.goals, seen.house
    pack = sorted(house.pool, key=lambda card: (cards.opposite(card) in goals, card not in wanted))
    bills = (
        " ".join(some)
        for some in combinations(pack, house.bill_cards)
        if len(set(map(cards.issue, some))) == len(some)
    )
    return tuple(islice(bills, _PAIRS))


def _named(bill: Bill) -> dict[str, Any]:
    return {"id": bill.id, "chair": bill.chair, "cards": list(bill.cards), "yellow": bill.yellow}


def _motions(seen: Seen, bill: Bill) -> tuple[str, ...]:
    held, wanted, pool = set(map(cards.issue, bill.cards)), _wanted(seen), seen.house.pool
    spare = [card for card in pool if cards.issue(card) not in held]
    spare.sort(key=lambda card: card not in wanted)
    fixed = bill.core if bill.yellow == CRISIS else ()
    out = [card for card in bill.cards if card not in fixed and bill.standing_core != (card,)]
    return (*(f"{o.ADD} {card}" for card in spare), *(f"{o.REMOVE} {card}" for card in out)) or (
        f"{o.ADD} {next(card for card in pool if card not in bill.cards)}",
    )


def _accept(seen: Seen) -> Iterator[Offer]:
    house = seen.house
    mine = [bill for bill in house.docket if bill.chair == seen.seat and bill.amendments]
    if mine and house.on("BINDING", "OFF"):
        ids = [amendment.id for bill in mine for amendment in bill.amendments]
        told = {"ids": ids, "bills": [bill.id for bill in mine]}
        yield Offer("accept", ((o.CARRIED, o.ALL, o.NONE, *ids),), told)


def _motion(seen: Seen, amendment: Amendment) -> dict[str, Any]:
    """Return what its card does, which is what it would do alone."""
    bill = seen.house.bill(amendment.bill)
    assert bill is not None
    after, void = floor.applied(seen.house, bill, amendment)
    effect = seen.effect(bill, () if void else [amendment.card])
    return effect | {
        "id": amendment.id,
        "bill": bill.id,
        "movers": list(amendment.movers),
        "action": amendment.action,
        "card": amendment.card,
        "void": void,
        "earlier": [a.id for a in takewhile(lambda one: one.id != amendment.id, bill.amendments)],
        "wins": seen.effect(bill, after.cards)["wins"],
    }


def _sheet(what: str, choices: tuple[str, ...], told: Sequence[dict[str, Any]]) -> Iterator[Offer]:
    """Offer one for all, a line for each that matters most, and one for the others."""
    ids = [one["id"] for one in told]
    most = sorted(told, key=weight)[:MOST_LINES]
    if len(ids) > 1:
        yield Offer("vote_all", (choices,), {"ids": ids, "choices": choices})
    for one in told:
        if one in most:
            data = {**one, "choices": choices, "several": len(ids) > 1}
            yield Offer(f"vote_{what}", (choices,), data)
    if rest := [one for one in told if one not in most]:
        nothing = not any(map(any, map(weight, rest)))
        data = {"ids": [one["id"] for one in rest], "nothing": nothing}
        yield Offer("vote_rest", (choices,), {**data, "choices": choices})


def _campaign(seen: Seen) -> Iterator[Offer]:
    house, purse, others = seen.house, seen.own["tokens"], _others(seen)
    point, void = int(seen.tables["point_cost"]), int(seen.tables["void_cost"])
    told = {"tokens": purse, "point": point, "void": void}
    if purse >= point:
        most = seen.score + purse // point
        reach = {"most": codec.number(most), "enough": most >= threshold(house)}
        spent = tuple(map(str, range(point, purse + 1, point)))
        yield Offer("spend_on", (spent,), {**told, **reach, "needed": threshold(house)})
        if others:
            yield Offer("spend_against", ((str(point),), others), told)
    if purse >= void and others:
        bites = {"satisfied": house.on("VOID_EFFECT", "SATISFIED")}
        yield Offer("void", (others, house.issues), {**told, **bites})
