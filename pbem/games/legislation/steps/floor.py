"""Lay and amend bills (§4.1, §4.2)."""

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.events import Event, Minutes, Orders, Seat, seats_from
from pbem.games.legislation import cards
from pbem.games.legislation import orders as o
from pbem.games.legislation import state as s
from pbem.games.legislation.state import State
from pbem.orders.order import Standing


def positions(state: State, orders: Orders, clerk: s.Clerk) -> State:
    """Publish positions; with TOKENS=AT_ONCE all that lie (§3.7)."""
    told = _lying(state, orders)
    if told:
        clerk.minutes.public("positions", "3.7", positions=told, lie=state.tokens_at_once)
    return replace(state, laid=told) if state.tokens_at_once else state


def _lying(state: State, orders: Orders) -> dict[Seat, dict[str, str]]:
    told = {
        seat: {**state.laid.get(seat, {}), **laid_by(orders.get(seat, {}))} for seat in state.alive
    }
    return {seat: sides for seat, sides in told.items() if sides}


def tokens_lie(state: State, orders: Orders) -> tuple[Event, ...]:
    """Return how the tokens lie with these orders (§3.7, TOKENS=AT_ONCE), or nothing."""
    if not state.tokens_at_once or not (told := _lying(state, orders)):
        return ()
    minutes = Minutes()
    minutes.public("positions", "3.7", positions=told, lie=True)
    return tuple(minutes.events)


def laid_by(standing: Standing) -> dict[str, str]:
    """Return a seat's tokens, {card: side}."""
    return {one.card: one.side for one in standing.values() if isinstance(one, o.Position)}


def clear_tokens(state: State) -> State:
    """Remove tokens from cards no longer before the house."""
    cards_left = {card for bill in state.docket for card in bill.cards}
    laid = {
        seat: {card: side for card, side in sides.items() if card in cards_left}
        for seat, sides in state.laid.items()
    }
    return replace(state, laid={seat: sides for seat, sides in laid.items() if sides})


def token_told(state: State, seat: Seat, before: Standing, standing: Standing) -> tuple[Event, ...]:
    """Return what is told at once of tokens (§3.7)."""
    old, new = laid_by(before), laid_by(standing)
    lay = {card: side for card, side in new.items() if old.get(card) != side}
    lain = state.laid.get(seat, {})
    back = {card: lain.get(card, "") for card in old if card not in new}
    if not state.tokens_at_once or not (lay or back):
        return ()
    minutes = Minutes()
    minutes.public("token_laid", "3.7", seat=seat, laid=lay, back=back)
    return tuple(minutes.events)


def lay_bills(state: State, orders: Orders, clerk: s.Clerk) -> State:
    """Lay bills in chair order, with yellow cards (§4.1). Without a bill the turn is missed."""
    missed = []
    for chair in (seat for seat in state.turns if seat in state.alive):
        order = orders.get(chair, {}).get("BILL")
        filed = order.cards if isinstance(order, o.FileBill) else state.taken.get(chair)
        if not filed:
            missed.append(chair)
            clerk.minutes.public("no_bill", "3.5", chair=chair)
            continue
        state = replace(state, filed=state.filed + 1)
        bill = s.Bill(f"B{state.filed}", chair, filed, filed)
        clerk.minutes.public("bill", "4.1", id=bill.id, chair=chair, cards=list(filed))
        if state.on("BILL_MODIFIERS"):
            state, bill = _modified(state, bill, clerk)
        state = replace(state, docket=(*state.docket, bill))
    return replace(state, missed=tuple(missed), taken={})


def _modified(state: State, bill: s.Bill, clerk: s.Clerk) -> tuple[State, s.Bill]:
    """6.1. Reshuffle the empty deck."""
    deck, shuffles = state.yellow_deck, state.yellow_shuffles
    if not deck:
        shuffles += 1
        deck = tuple(clerk.dice.stream(f"yellow/{shuffles}").shuffled(list(clerk.tables["yellow"])))
    bill = replace(bill, yellow=deck[-1])
    state = replace(state, yellow_deck=deck[:-1], yellow_shuffles=shuffles)
    clerk.minutes.public(
        "yellow",
        "1.3",
        id=bill.id,
        chair=bill.chair,
        card=bill.yellow,
        effect=clerk.tables["yellow"][bill.yellow],
    )
    return _crisis(state, bill, clerk) if bill.yellow == s.CRISIS else (state, bill)


def _crisis(state: State, bill: s.Bill, clerk: s.Clerk) -> tuple[State, s.Bill]:
    """4.1. Draw three pool cards of different issues for the core."""
    count = state.crises.get(bill.chair, 0) + 1
    again = f"/{count}" if count > 1 else ""
    pack = clerk.dice.stream(f"crisis/{state.session}/{bill.chair}{again}").shuffled(state.pool)
    core: list[str] = []
    for card in reversed(pack):
        if len(core) < clerk.tables["crisis_cards"] and cards.issue(card) not in map(
            cards.issue, core
        ):
            core.append(card)
    clerk.minutes.public(
        "crisis", "4.1", id=bill.id, chair=bill.chair, replaced=list(bill.core), cards=core
    )
    state = replace(state, crises={**state.crises, bill.chair: count})
    return state, replace(bill, core=tuple(core))


def move_amendments(state: State, orders: Orders, clerk: s.Clerk) -> State:
    """Merge equal motions; number them by bill from the chair's left (§4.2)."""
    number, docket = 0, []
    for bill in state.docket:
        motions: dict[tuple[str, str], list[Seat]] = {}
        around = seats_from(state.order, bill.chair)
        for seat in (*around[1:], around[0]):
            order = orders.get(seat, {}).get(f"AMEND {bill.id}")
            if isinstance(order, o.Amend) and s.amendable(state, bill):
                motions.setdefault((order.action, order.card), []).append(seat)
        made = []
        for (action, card), movers in motions.items():
            number += 1
            made.append(s.Amendment(f"A{number}", bill.id, action, card, tuple(movers)))
            clerk.minutes.public(
                "moved",
                "4.2",
                id=f"A{number}",
                bill=bill.id,
                action=action,
                card=card,
                movers=movers,
            )
        docket.append(replace(bill, amendments=tuple(made)))
    if not number:
        clerk.minutes.public("nothing_moved", "3.3")
    return replace(state, docket=tuple(docket))


def vote_amendments(state: State, orders: Orders, clerk: s.Clerk) -> State:
    """Carry by majority; apply in number order, with BINDING=OFF if the chair accepts (§4.2)."""
    carried: list[s.Amendment] = []
    for amendment in s.moved(state):
        sides: dict[str, list[Seat]] = {"AYE": [], "NAY": [], "PRESENT": []}
        for seat in s.chair_order(state):
            order = orders.get(seat, {}).get(f"VOTE {amendment.id}")
            if isinstance(order, o.Vote):
                sides[order.choice].append(seat)
        passed = len(sides["AYE"]) > len(sides["NAY"])
        if passed:
            carried.append(amendment)
        clerk.minutes.public(
            "amendment_vote",
            "4.2",
            id=amendment.id,
            bill=amendment.bill,
            action=amendment.action,
            card=amendment.card,
            carried=passed,
            **tally(state, sides),
        )
    return replace(
        state, docket=tuple(_amended(state, bill, carried, orders, clerk) for bill in state.docket)
    )


def tally(state: State, sides: Mapping[str, list[Seat]]) -> dict[str, object]:
    """Return the counts, and the voters unless secret."""
    counts: dict[str, object] = {side.lower(): len(seats) for side, seats in sides.items()}
    return counts | {
        "votes": None if state.secret else {side.lower(): seats for side, seats in sides.items()}
    }


def _amended(
    state: State, bill: s.Bill, carried: list[s.Amendment], orders: Orders, clerk: s.Clerk
) -> s.Bill:
    taken = [amendment for amendment in bill.amendments if amendment in carried]
    order = orders.get(bill.chair, {}).get("ACCEPT")
    if state.on("BINDING", "OFF") and bill.amendments:
        if isinstance(order, o.Accept) and order.words != (o.CARRIED,):
            taken = accepted(bill, order)
        clerk.minutes.public(
            "accepted",
            "R6",
            bill=bill.id,
            chair=bill.chair,
            amendments=[amendment.id for amendment in taken],
        )
    for amendment in taken:
        changed, why = applied(state, bill, amendment)
        clerk.minutes.public(
            "amendment_void" if why else "amended",
            "4.2",
            id=amendment.id,
            bill=bill.id,
            action=amendment.action,
            card=amendment.card,
            why=why,
            cards=list(changed.cards),
        )
        bill = changed
    return replace(bill, amendments=())


def accepted(bill: s.Bill, order: o.Accept) -> list[s.Amendment]:
    """Return the amendments that the chair names (R6)."""
    return [one for one in bill.amendments if order.words == (o.ALL,) or one.id in order.words]


def applied(state: s.Public, bill: s.Bill, amendment: s.Amendment) -> tuple[s.Bill, str]:
    """Return the amended bill, or the bill and why the amendment is void."""
    if why := _void(state, bill, amendment):
        return bill, why
    card, carried = amendment.card, (*bill.carried, amendment)
    if amendment.action == o.ADD and card in bill.removed:
        bill = replace(bill, removed=_without(bill.removed, card))
    elif amendment.action == o.ADD:
        bill = replace(bill, added=(*bill.added, card))
    elif card in bill.added:
        bill = replace(bill, added=_without(bill.added, card))
    else:
        bill = replace(bill, removed=(*bill.removed, card))
    return replace(bill, carried=carried), ""


def _without(pile: tuple[str, ...], card: str) -> tuple[str, ...]:
    return tuple(one for one in pile if one != card)


def _void(state: s.Public, bill: s.Bill, amendment: s.Amendment) -> str:
    """Return why it does not apply; "" if it does."""
    card, why = amendment.card, ""
    if amendment.action == o.REMOVE:
        if card not in bill.cards:
            why = f"{card} is not in the bill"
        elif bill.standing_core == (card,):
            why = f"{card} is the last card of the core"
    elif card in bill.cards:
        why = f"{card} is in the bill already"
    elif card not in state.pool:
        why = f"{card} is not in the pool"
    elif cards.opposite(card) in bill.cards:
        why = f"{cards.opposite(card)} is in the bill"
    return why
