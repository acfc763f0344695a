"""What follows from standing orders, by what the seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.events import Event
from pbem.games.legislation import figures
from pbem.games.legislation.orders import (
    CARRIED,
    ME,
    PRESENT,
    VOTE_IF,
    Accept,
    Amend,
    FileBill,
    Give,
    NextBill,
    Position,
    Return,
    Spend,
    StandingVote,
    Void,
    Vote,
    cost,
)
from pbem.games.legislation.state import (
    CAMPAIGN,
    FAILED,
    PASSED,
    THREAT_OF_VETO,
    TREASURY_MIXUP,
    VETOED,
    VOTE,
    Amendment,
    Bill,
    moved,
)
from pbem.games.legislation.steps import floor, publiceye
from pbem.games.legislation.steps.deciding import before, drop_laws, standing_vote
from pbem.games.legislation.steps.election import threshold
from pbem.games.legislation.steps.pay import grounds
from pbem.games.legislation.views import Seen, weight
from pbem.orders.order import Order, Standing


def advice(seen: Seen, standing: Standing) -> Iterator[Event]:
    house, seat, tell = seen.house, seen.seat, seen.tell
    if "RESIGN" in standing:
        yield tell("follows_resign", "3.10")
        return
    for order in standing.values():
        yield from _of_order(seen, standing, order)
    if VOTE_IF not in standing and seen.ifs:
        yield tell("ifs_wait", "3.13", order=str(seen.ifs))
    yield from figures.results("if_acts", house, seat, seen.ifs, standing)
    votes = {**figures.votes(house, seen.ifs, standing), **standing}
    match house.phase:
        case "BILL" if "PASS" in standing and "BILL" not in standing:
            if seat in house.turns and not seen.taken:
                yield tell("follows_no_bill", "3.5", later=False)
        case "VOTE":
            yield from _votes(seen, votes, standing_vote(seen.standing, standing))
        case "AMENDVOTE":
            yield from _amendment_votes(seen, votes)
    yield from _purse(seen, standing)
    if house.phase == CAMPAIGN and standing:
        yield _score(seen, standing)


def _of_order(seen: Seen, standing: Standing, order: Order) -> Iterator[Event]:
    tell = seen.tell
    match order:
        case FileBill() | NextBill():
            yield from _bill(seen, standing, order)
        case Amend():
            yield from _amend(seen, order)
        case Accept():
            yield from _accept(seen, order)
        case Return():
            yield tell("follows_return", "3.9", card=order.card, kept=_hand(seen, standing))
        case WhatIf():
            yield tell("ifs_kept", "3.13", order=bool(order.cases))
        case Position() if seen.house.tokens_at_once:
            yield tell("follows_token", "3.7", card=order.card, side=order.side)
        case StandingVote():
            now = seen.house.phase == VOTE
            yield tell("follows_standing", "3.6", choice=order.choice, now=now)


def _hand(seen: Seen, standing: Standing) -> list[str]:
    """Return the hand after RETURN, which comes before any bill."""
    order, kept = standing.get("RETURN"), list(seen.hand)
    if isinstance(order, Return):
        kept.remove(order.card)
    return kept


def _bill(seen: Seen, standing: Standing, order: FileBill | NextBill) -> Iterator[Event]:
    named, later = order.cards, isinstance(order, NextBill)
    if named is None:
        yield seen.tell("follows_no_bill", "3.4" if later else "3.5", later=later)
    elif later and not seen.house.turn_to_come(seen.seat):
        yield seen.tell("follows_never", "3.4", cards=list(named))
    else:
        team = seen.goals[: len(seen.goals) - len(seen.hand)]
        then = replace(seen, goals=(*team, *_hand(seen, standing)))
        told = then.effect(None, named)
        yield seen.tell("follows_bill", "2.3", cards=list(named), later=later, **told)
        if seen.house.on("PUBLIC_EYE"):
            points = publiceye.points(seen.house, then.goals, named)
            yield seen.tell("follows_draft", "6.3", points=_halves(points))


def _amend(seen: Seen, order: Amend) -> Iterator[Event]:
    house, bill = seen.house, seen.house.bill(order.bill)
    if bill is None:
        return
    motion = Amendment("", bill.id, order.action, order.card, (seen.seat,))
    after, void = floor.applied(house, bill, motion)
    told = {"bill": bill.id, "cards": list(after.cards), "void": void}
    yield seen.tell("follows_amend", "4.2", **told, **seen.effect(bill, after.cards))
    if house.on("PUBLIC_EYE") and not void:
        points = _halves(publiceye.motion(house, seen.goals, motion))
        yield seen.tell("follows_moved", "6.3", bill=bill.id, points=points)


def _accept(seen: Seen, order: Accept) -> Iterator[Event]:
    if order.words == (CARRIED,):
        yield seen.tell("follows_carried", "R6")
        return
    for bill in seen.house.docket:
        if bill.chair == seen.seat and bill.amendments:
            after, taken = bill, floor.accepted(bill, order)
            for amendment in taken:
                after, _ = floor.applied(seen.house, after, amendment)
            told = {"bill": bill.id, "taken": [one.id for one in taken], "cards": list(after.cards)}
            yield seen.tell("follows_accept", "R6", **told, **seen.effect(bill, after.cards))


def _votes(seen: Seen, votes: Standing, filed: str | None) -> Iterator[Event]:
    """Tell what matters most to the seat first: a receipt may end there."""
    house, found = seen.house, list[tuple[Bill, str, bool, dict[str, Any]]]()
    for bill in house.docket:
        order = votes.get(f"VOTE {bill.id}")
        choice = order.choice if isinstance(order, Vote) else filed
        if choice:
            effect = {"yellow": bill.yellow, **seen.effect(bill, bill.cards)}
            found.append((bill, choice, not isinstance(order, Vote), effect))
    for bill, choice, standing, effect in sorted(found, key=lambda one: weight(one[3])):
        told = {"id": bill.id, "cards": list(bill.cards), "choice": choice, "standing": standing}
        yield seen.tell("follows_vote", "4.6", **told, **_pay(seen, bill, choice), **effect)
        if house.on("PUBLIC_EYE") and choice != PRESENT:
            yield _eye(seen, bill, choice)
    if found:
        yield seen.tell("follows_votes", "4.3", votes=len(found), bills=len(house.docket))


def _pay(seen: Seen, bill: Bill, choice: str) -> dict[str, Any]:
    """Return tokens by fate, and whether held ones may come with them (4.6, 4.7)."""
    fates = {
        fate: sum(grounds(seen.house, bill, seen.seat, choice, fate, seen.tables).values())
        for fate in (PASSED, FAILED, VETOED)
        if fate == PASSED or not (bill.crisis or (fate == VETOED and bill.yellow != THREAT_OF_VETO))
    }
    mixed = any(one.yellow == TREASURY_MIXUP for one in before(seen.house, bill))
    pay = {fate: tokens for fate, tokens in fates.items() if tokens}
    return {"pay": pay, "more": bool(pay and (mixed or seen.house.mixup))}


def _eye(seen: Seen, bill: Bill, choice: str) -> Event:
    """6.3. A card that becomes law before counts no more."""
    house, stays = seen.house, drop_laws(seen.house, bill)
    matter = {card for card in stays.cards if publiceye.points(house, seen.goals, [card])}
    first = [one.id for one in before(house, bill) if not matter.isdisjoint(one.cards)]
    points = _halves(publiceye.voted(house, seen.goals, stays, choice))
    return seen.tell("follows_eye", "6.3", id=bill.id, choice=choice, points=points, unless=first)


def _amendment_votes(seen: Seen, votes: Standing) -> Iterator[Event]:
    sides: dict[str, list[str]] = {}
    for amendment in moved(seen.house):
        order = votes.get(f"VOTE {amendment.id}")
        if isinstance(order, Vote):
            sides.setdefault(order.choice, []).append(amendment.id)
    if sides:
        yield seen.tell("follows_amendment_votes", "4.2", sides=sides)


def _purse(seen: Seen, standing: Standing) -> Iterator[Event]:
    orders = [o for o in standing.values() if isinstance(o, Spend | Void | Give)]
    if orders:
        need = sum(cost(order, seen.tables) for order in orders)
        rule = "3.8" if all(isinstance(order, Give) for order in orders) else "4.9.3"
        gifts = seen.house.transfers and not seen.house.last_campaign
        told = {"tokens": seen.tokens, "need": need, "left": seen.tokens - need, "gifts": gifts}
        yield seen.tell("follows_purse", rule, **told)
    for order in orders:
        if isinstance(order, Void):
            yield seen.tell("follows_void", "R9", target=order.target, issue=order.issue)


def _score(seen: Seen, standing: Standing) -> Event:
    order = standing.get(f"SPEND {ME}")
    tokens = order.tokens if isinstance(order, Spend) and not order.against else 0
    bought, needed = tokens // int(seen.tables["point_cost"]), threshold(seen.house)
    eye = Fraction(seen.eye, 2)
    return seen.tell(
        "follows_score",
        "4.9.3",
        satisfied=int(seen.score - eye),
        eye=codec.number(eye),
        bought=bought,
        score=codec.number(seen.score + bought),
        needed=needed,
        enough=seen.score + bought >= needed,
    )


def _halves(points: int) -> Any:
    return codec.number(Fraction(points, 2))
