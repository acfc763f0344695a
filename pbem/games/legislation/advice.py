"""What follows from standing orders and from silence, and a form of what can be sent now, asked
ones first (§3): all by what the seat knows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice, takewhile
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.events import Event, Seat
from pbem.games.frame.ruleset import Offer
from pbem.games.legislation import cards, figures, state
from pbem.games.legislation import orders as o
from pbem.games.legislation.state import CRISIS, Amendment, Bill, amendable, moved
from pbem.games.legislation.steps import deciding
from pbem.games.legislation.steps.session import at_goal, by_default, threshold
from pbem.games.legislation.views import own
from pbem.orders.order import Order, Standing

MOST_LINES = 8
"""Of the form, for bills or amendments: those that matter most to the seat."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat may know: what everybody does, and its own. Consequences read nothing else."""

    house: state.Public
    own: Json
    """Its own view."""
    tables: Mapping[str, Any]
    seat: Seat
    ifs: WhatIf | None
    goes: str
    """The card that goes back without an order."""

    @property
    def goals(self) -> tuple[str, ...]:
        return (*self.own["team_cards"], *self.own["hand"])

    @property
    def score(self) -> Fraction:
        return Fraction(self.own["score"])

    def tell(self, kind: str, rule: str, /, **data: Any) -> Event:
        return Event(kind, rule, frozenset([self.seat]), data)

    def effect(self, bill: state.Bill | None, passed: Sequence[str]) -> dict[str, Any]:
        """Return what these cards do for its red cards if they pass as ``bill`` (None: laid later),
        and none of the bills ``unless`` before it (4.3, 4.8)."""
        house, goals = self.house, self.goals
        law = cards.law_after(house.law, passed)
        before, after = (cards.satisfied(goals, one, house.conflicting) for one in (house.law, law))
        done = (*before, *after, cards.CROWN)
        far = [c for c in dict.fromkeys(goals) if c not in done and cards.opposite(c) not in goals]
        shared = cards.CROWN in goals or house.joint or house.on("SINGLE_PARTY")
        return {
            "won": [c for c in dict.fromkeys(after) if after.count(c) > before.count(c)],
            "lost": [c for c in dict.fromkeys(before) if before.count(c) > after.count(c)],
            "nearer": [card for card in far if cards.opposite(card) in house.law - law],
            "further": [card for card in far if cards.opposite(card) in law - house.law],
            "before": len(before),
            "after": len(after),
            "total": len(goals),
            "wins": len(before) < len(after)
            and not shared
            and at_goal(goals, after, 0, self.tables),
            "unless": self._unless(bill, passed) if bill else [],
        }

    def _unless(self, bill: state.Bill, passed: Sequence[str]) -> list[str]:
        """Name bills with an opposite; with an equal card, where the opposite is law."""
        law, goals, found = self.house.law, self.goals, set[str]()
        earlier = deciding.earlier_bills(self.house, bill)
        for card in passed:
            against = cards.opposite(card)
            if card not in goals and (against not in goals or against in law):
                continue
            risk = card if against in law else against
            those = [earlier_bill.id for earlier_bill in earlier if risk in earlier_bill.cards]
            if card not in law or len(those) > 1:
                found.update(those)
        return [earlier_bill.id for earlier_bill in earlier if earlier_bill.id in found]


def weight(effect: Mapping[str, Any]) -> tuple[int, ...]:
    """Return how much an effect matters, most first when sorted."""
    sure, nearly = (("won", "lost"), ("nearer", "further"))
    sums = (sum(len(effect[name]) for name in names) for names in (sure, nearly))
    return (-(effect["wins"] or effect.get("yellow") == state.CRISIS), *(-n for n in sums))


def seen(position: state.State, seat: Seat, tables: Mapping[str, Any]) -> Seen:
    goes = by_default(position, seat) if seat in position.drawn else ""
    return Seen(position, own(position, seat), tables, seat, position.ifs.get(seat), goes)


def advice(seen: Seen, standing: Standing) -> Iterator[Event]:
    house, seat, tell = seen.house, seen.seat, seen.tell
    if "RESIGN" in standing:
        yield tell("follows_resign", "3.10")
        return
    for order in standing.values():
        yield from _of_order(seen, standing, order)
    if "VOTE IF" not in standing and seen.ifs:
        yield tell("ifs_wait", "3.13", order=str(seen.ifs))
    yield from figures.results("if_acts", house, seat, seen.ifs, standing)
    votes = {**figures.votes(house, seen.ifs, standing), **standing}
    match house.phase:
        case "BILL" if "PASS" in standing and "BILL" not in standing:
            if seat in house.turns and not seen.own["on_file"]:
                yield tell("follows_no_bill", "3.5", later=False)
        case "VOTE":
            yield from _votes(seen, votes, deciding.standing_vote(seen.own["standing"], standing))
        case "AMENDVOTE":
            sides: dict[str, list[str]] = {}
            for amendment in state.moved(house):
                vote = votes.get(f"VOTE {amendment.id}")
                if isinstance(vote, o.Vote):
                    sides.setdefault(vote.choice, []).append(amendment.id)
            if sides:
                yield tell("follows_amendment_votes", "4.2", sides=sides)
    yield from _purse(seen, standing)
    if house.phase == state.CAMPAIGN and standing:
        yield _score(seen, standing)


def _of_order(seen: Seen, standing: Standing, order: Order) -> Iterator[Event]:
    tell = seen.tell
    match order:
        case o.FileBill() | o.NextBill():
            yield from _bill(seen, standing, order)
        case o.Amend():
            yield from _amend(seen, order)
        case o.Accept():
            yield from _accept(seen, order)
        case o.Return():
            yield tell("follows_return", "3.9", card=order.card, kept=_hand(seen, standing))
        case WhatIf():
            yield tell("ifs_kept", "3.13", order=bool(order.cases))
        case o.Position() if seen.house.tokens_at_once:
            yield tell("follows_token", "3.7", card=order.card, side=order.side)
        case o.StandingVote():
            now = seen.house.phase == state.VOTE
            yield tell("follows_standing", "3.6", choice=order.choice, now=now)


def _hand(seen: Seen, standing: Standing) -> list[str]:
    """Return the hand after RETURN, which comes before any bill."""
    order, kept = standing.get("RETURN"), list(seen.own["hand"])
    if isinstance(order, o.Return):
        kept.remove(order.card)
    return kept


def _bill(seen: Seen, standing: Standing, order: o.FileBill | o.NextBill) -> Iterator[Event]:
    named, later = order.cards, isinstance(order, o.NextBill)
    if named is None:
        yield seen.tell("follows_no_bill", "3.4" if later else "3.5", later=later)
    elif later and not seen.house.turn_to_come(seen.seat):
        yield seen.tell("follows_never", "3.4", cards=list(named))
    else:
        then = replace(seen, own={**seen.own, "hand": _hand(seen, standing)})
        told = then.effect(None, named)
        yield seen.tell("follows_bill", "2.3", cards=list(named), later=later, **told)
        if seen.house.on("PUBLIC_EYE"):
            points = deciding.points(seen.house, then.goals, named)
            yield seen.tell("follows_draft", "6.3", points=_halves(points))


def _amend(seen: Seen, order: o.Amend) -> Iterator[Event]:
    house, bill = seen.house, seen.house.bill(order.bill)
    if bill is None:
        return
    motion = state.Amendment("", bill.id, order.action, order.card, (seen.seat,))
    after, void = deciding.applied(house, bill, motion)
    data = {"bill": bill.id, "cards": list(after.cards), "void": void}
    yield seen.tell("follows_amend", "4.2", **data, **seen.effect(bill, after.cards))
    if house.on("PUBLIC_EYE") and not void:
        points = _halves(deciding.motion(house, seen.goals, motion))
        yield seen.tell("follows_moved", "6.3", bill=bill.id, points=points)


def _accept(seen: Seen, order: o.Accept) -> Iterator[Event]:
    if order.words == (o.CARRIED,):
        yield seen.tell("follows_carried", "R6")
        return
    for bill in state.to_accept(seen.house, seen.seat):
        after, taken = bill, deciding.accepted(bill, order)
        for amendment in taken:
            after, _ = deciding.applied(seen.house, after, amendment)
        data = {"bill": bill.id, "taken": [one.id for one in taken], "cards": list(after.cards)}
        yield seen.tell("follows_accept", "R6", **data, **seen.effect(bill, after.cards))


def _votes(seen: Seen, votes: Standing, filed: str | None) -> Iterator[Event]:
    """Tell what matters most to the seat first: a receipt may end there."""
    house, votes_cast = seen.house, list[tuple[state.Bill, str, bool, dict[str, Any]]]()
    for bill in house.docket:
        order = votes.get(f"VOTE {bill.id}")
        choice = order.choice if isinstance(order, o.Vote) else filed
        if choice:
            effect = {"yellow": bill.yellow, **seen.effect(bill, bill.cards)}
            votes_cast.append((bill, choice, not isinstance(order, o.Vote), effect))
    for bill, choice, standing, effect in sorted(votes_cast, key=lambda one: weight(one[3])):
        told = {"id": bill.id, "cards": list(bill.cards), "choice": choice, "standing": standing}
        yield seen.tell("follows_vote", "4.6", **told, **_pay(seen, bill, choice), **effect)
        if house.on("PUBLIC_EYE") and choice != o.PRESENT:
            yield _eye(seen, bill, choice)
    if votes_cast:
        yield seen.tell("follows_votes", "4.3", votes=len(votes_cast), bills=len(house.docket))


def _pay(seen: Seen, bill: state.Bill, choice: str) -> dict[str, Any]:
    """Return tokens by fate, and whether held ones may come with them (4.6, 4.7)."""
    fates = {
        fate: sum(deciding.grounds(seen.house, bill, seen.seat, choice, fate, seen.tables).values())
        for fate in (state.PASSED, state.FAILED, state.VETOED)
        if fate == state.PASSED
        or not (bill.crisis or (fate == state.VETOED and bill.yellow != state.THREAT_OF_VETO))
    }
    earlier = deciding.earlier_bills(seen.house, bill)
    mixed = any(one.yellow == state.TREASURY_MIXUP for one in earlier)
    pay = {fate: tokens for fate, tokens in fates.items() if tokens}
    return {"pay": pay, "more": bool(pay and (mixed or seen.house.mixup))}


def _eye(seen: Seen, bill: state.Bill, choice: str) -> Event:
    """6.3. A card that becomes law before counts no more."""
    house, stays = seen.house, deciding.drop_laws(seen.house, bill)
    matter = {card for card in stays.cards if deciding.points(house, seen.goals, [card])}
    earlier = deciding.earlier_bills(house, bill)
    first = [one.id for one in earlier if not matter.isdisjoint(one.cards)]
    points = _halves(deciding.voted(house, seen.goals, stays, choice))
    return seen.tell("follows_eye", "6.3", id=bill.id, choice=choice, points=points, unless=first)


def _purse(seen: Seen, standing: Standing) -> Iterator[Event]:
    orders = [one for one in standing.values() if isinstance(one, o.Spend | o.Void | o.Give)]
    if orders:
        need = sum(o.cost(order, seen.tables) for order in orders)
        rule = "3.8" if all(isinstance(order, o.Give) for order in orders) else "4.9.3"
        gifts = seen.house.transfers and not seen.house.last_campaign
        purse = seen.own["tokens"]
        data = {"tokens": purse, "need": need, "left": purse - need}
        yield seen.tell("follows_purse", rule, **data, gifts=gifts)
    for order in orders:
        if isinstance(order, o.Void):
            yield seen.tell("follows_void", "R9", target=order.target, issue=order.issue)


def _score(seen: Seen, standing: Standing) -> Event:
    order = standing.get(f"SPEND {o.ME}")
    tokens = order.tokens if isinstance(order, o.Spend) and not order.against else 0
    bought, needed = tokens // int(seen.tables["point_cost"]), threshold(seen.house)
    eye = Fraction(seen.own["eye"], 2)
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


def silence(seen: Seen, standing: Standing) -> Iterator[Event]:
    """Yield what sending no more means, its ``slot`` named."""
    house, seat, tell = seen.house, seen.seat, seen.tell
    by_if = figures.votes(house, seen.ifs, standing)
    yield from figures.results("silent_if", house, seat, seen.ifs, standing)
    match house.phase:
        case "BILL" if seat in house.turns:
            filed = seen.own["on_file"] or []
            yield tell("silent_bill", "3.4" if filed else "3.5", slot="BILL", filed=filed)
        case "AMEND":
            bills = [bill.id for bill in house.docket if state.amendable(house, bill)]
            yield from _each(seen, "silent_amend", "3.5", "AMEND", bills)
        case "AMENDVOTE":
            ids = [a.id for a in state.moved(house) if f"VOTE {a.id}" not in by_if]
            yield from _each(seen, "silent_amendvote", "4.2", "VOTE", ids)
            if mine := [bill.id for bill in state.to_accept(house, seat)]:
                yield tell("silent_accept", "R6", slot="ACCEPT", bills=mine)
        case "VOTE" if choice := deciding.standing_vote(seen.own["standing"], standing):
            more = {"but": True} if by_if else {}
            yield tell("silent_standing", "3.6", choice=choice, **more)
        case "VOTE":
            ids = [bill.id for bill in house.docket if f"VOTE {bill.id}" not in by_if]
            yield from _each(seen, "silent_vote", "R4", "VOTE", ids)
        case "CAMPAIGN":
            told = {"score": codec.number(seen.score), "needed": threshold(house)}
            enough = seen.score >= threshold(house)
            yield tell("silent_campaign", "4.9.3", slot="SPEND", enough=enough, **told)
    if house.first_period and seen.own["drawn"]:
        yield tell("silent_return", "3.9", card=seen.goes, drawn=seen.own["drawn"])


def _each(seen: Seen, kind: str, rule: str, word: str, ids: Sequence[str]) -> Iterator[Event]:
    if len(ids) > MOST_LINES:
        yield seen.tell(kind, rule, id="")
        return
    for name in ids:
        yield seen.tell(kind, rule, slot=f"{word} {name}", id=name)


_PAIRS = 12  # two-card bills suggested


def offers(seen: Seen) -> Iterator[Offer]:
    yield from _of_phase(seen)
    yield from _always(seen)


def _of_phase(seen: Seen) -> Iterator[Offer]:
    house = seen.house
    match house.phase:
        case "BILL" if seen.seat in house.turns:
            own = _bills(seen)
            yield Offer("bill", ((*own, o.NONE),), {"example": own[0]})
        case "AMEND":
            for bill in house.docket:
                if amendable(house, bill):
                    yield Offer("amend", (_motions(seen, bill),), _named(bill))
        case "AMENDVOTE":
            motions = [_motion(seen, one) for one in moved(house)]
            yield from _sheet("amendment", (o.AYE, o.NAY), motions)
            if mine := state.to_accept(house, seen.seat):
                ids = [amendment.id for bill in mine for amendment in bill.amendments]
                told = {"ids": ids, "bills": [bill.id for bill in mine]}
                yield Offer("accept", ((o.CARRIED, o.ALL, o.NONE, *ids),), told)
        case "VOTE":
            bills = [_named(bill) | seen.effect(bill, bill.cards) for bill in house.docket]
            yield from _sheet("bill", (o.AYE, o.NAY, o.PRESENT), bills)
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


def _motion(seen: Seen, amendment: Amendment) -> dict[str, Any]:
    """Return what its card does, which is what it would do alone."""
    bill = seen.house.bill(amendment.bill)
    assert bill is not None
    after, void = deciding.applied(seen.house, bill, amendment)
    effect = seen.effect(bill, () if void else [amendment.card])
    earlier = [a.id for a in takewhile(lambda one: one.id != amendment.id, bill.amendments)]
    wins = seen.effect(bill, after.cards)["wins"]
    return {**effect, **codec.dump(amendment), "void": void, "earlier": earlier, "wins": wins}


def _sheet(what: str, choices: tuple[str, ...], told: Sequence[dict[str, Any]]) -> Iterator[Offer]:
    """Offer one for all, a line for each that matters most, and one for the others."""
    ids, several = [one["id"] for one in told], len(told) > 1
    most = sorted(told, key=weight)[:MOST_LINES]
    if several:
        yield Offer("vote_all", (choices,), {"ids": ids, "choices": choices})
    shared = {"choices": choices, "several": several}
    each = {one["id"]: Offer(f"vote_{what}", (choices,), one | shared) for one in told}
    yield from (each.pop(one["id"]) for one in told if one in most)
    if each:
        nothing = not any(any(weight(one.data)) for one in each.values())
        data = {"ids": list(each), "nothing": nothing, "choices": choices}
        yield Offer("vote_rest", (choices,), data, each=tuple(each.values()))


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
